package io.throughputoptimizer.core.calibrated;

import io.throughputoptimizer.core.calibrated.CalibratedRow.Steps;
import io.throughputoptimizer.core.kernels.Bands;
import io.throughputoptimizer.core.load.BestConcurrency.Beyond;
import io.throughputoptimizer.core.load.BestConcurrency.Found;
import io.throughputoptimizer.core.load.LawOutcome;
import io.throughputoptimizer.core.load.MeanRequest;
import io.throughputoptimizer.core.load.SteadyFigures;
import io.throughputoptimizer.core.load.TtftSimulations;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/// Calibrated instances, aggregated or disaggregated, that can be priced at any concurrency: requests in flight
/// at each rank of replicas, or over all instances of a pair.
public sealed interface CalibratedServing permits PricedReplicas, PricedPair {

    /// Returns all candidates of a problem of one device, or of one pair of kinds, that can run and be priced.
    ///
    /// @param simulations simulations of the TTFT of crowded steps
    /// @param checkpoint called repeatedly; may cancel the work by an exception
    static List<CalibratedServing> all(CalibratedProblem problem, TtftSimulations simulations, Runnable checkpoint) {
        return problem.instances() == null
                ? problem.deployments(problem.devices().getFirst()).stream()
                        .flatMap(deployment -> {
                            checkpoint.run();
                            return PricedReplicas.of(problem, deployment, simulations).stream();
                        })
                        .<CalibratedServing>map(replicas -> replicas)
                        .toList()
                : PricedPair.all(problem, checkpoint).stream()
                        .<CalibratedServing>map(pair -> pair)
                        .toList();
    }

    SteadyTerms terms();

    CalibratedInstances instances();

    /// Returns an instance that prefills.
    PricedInstance prefill();

    /// Returns an instance that decodes.
    PricedInstance decode();

    default InstanceLayout arrangement() {
        return instances().arrangement();
    }

    /// Returns the steady state of a concurrency.
    LawOutcome at(int concurrency);

    /// Returns a function of steady states by concurrency, faster than separate calls of [#at].
    default IntFunction<LawOutcome> outcomes() {
        return this::at;
    }

    /// Returns the least concurrency that a search tries.
    int leastConcurrency();

    /// Returns the highest concurrency that a search tries.
    int mostConcurrency();

    /// Searches all concurrencies for the best.
    ///
    /// @param checkpoint called repeatedly; may cancel the search by an exception
    Found search(Runnable checkpoint);

    /// Returns the output tokens per second of all instances.
    default double tokensPerSecond(SteadyFigures figures) {
        return figures.outputTokensPerSecond() * instances().shares();
    }

    /// Returns a function of the figures without launch overhead; it returns null except on Ascend devices.
    Function<SteadyFigures, @Nullable SteadyFigures> captured();

    /// Returns the prediction intervals of figures.
    Bands bands(SteadyFigures figures);

    /// Returns whether the prediction intervals of figures are narrow enough for ranking.
    default boolean isReliable(SteadyFigures figures) {
        return !bands(figures).isWide();
    }

    /// Returns whether the KV cache of a decode rank has no space for another request.
    default boolean isFull(SteadyFigures figures) {
        return decode().isFull(figures.steps().running(), terms().request());
    }

    /// Returns the point of figures.
    default CalibratedPoint point(SteadyFigures figures) {
        return point(figures, captured());
    }

    /// Returns the point of figures.
    ///
    /// @param captured result of [#captured()]
    default CalibratedPoint point(SteadyFigures figures, Function<SteadyFigures, @Nullable SteadyFigures> captured) {
        return new CalibratedPoint(
                instances(),
                figures,
                captured.apply(figures),
                bands(figures),
                terms().limits().basis());
    }

    /// Returns the point of figures with its operators.
    default CalibratedRow row(SteadyFigures figures) {
        MeanRequest request = terms().traffic().mean(figures);
        double decoding = figures.steps().decoding();
        double context = decoding * request.halfwayTokens();
        return new CalibratedRow(
                point(figures),
                new Steps(
                        decode().pass().decodeOperators(decoding, context),
                        prefill().pass().prefillOperators(1, request.newTokens(), request.pairs()),
                        decode().pass().stepParts(decoding, context)),
                decode().limits().cacheTokens(),
                null,
                null,
                null,
                Set.of());
    }

    /// Returns the best row of a search with its operators and limiting constraints; empty without one.
    default Optional<CalibratedRow> best(Found found) {
        SteadyFigures best = found.best();
        Beyond beyond = found.beyond();
        return best == null || beyond == null
                ? Optional.empty()
                : Optional.of(row(best)
                        .withBinds(CalibratedBinds.of(this, best, beyond))
                        .withUnreliable(beyond.unreliable() == null ? null : point(beyond.unreliable())));
    }

    /// Returns the point of a concurrency that fits in memory.
    default CalibratedPoint pointAt(int concurrency) {
        return point((SteadyFigures) at(concurrency));
    }

    /// Returns the row of a concurrency that fits in memory.
    default CalibratedRow rowAt(int concurrency) {
        return row((SteadyFigures) at(concurrency));
    }
}

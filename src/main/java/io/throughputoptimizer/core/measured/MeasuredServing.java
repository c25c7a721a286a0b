package io.throughputoptimizer.core.measured;

import io.throughputoptimizer.core.measured.MeasuredRow.Steps;
import io.throughputoptimizer.core.silicon.Bands;
import io.throughputoptimizer.core.steady.BestConcurrency.Beyond;
import io.throughputoptimizer.core.steady.BestConcurrency.Found;
import io.throughputoptimizer.core.steady.LawOutcome;
import io.throughputoptimizer.core.steady.MeanRequest;
import io.throughputoptimizer.core.steady.SteadyFigures;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/// Instances on the only device of a problem, or pairs on its two kinds, that can be priced at any concurrency. That of
/// replicas is the requests outstanding at each rank, that of pairs those over all instances.
public sealed interface MeasuredServing permits PricedReplicas, PricedPair {

    /// All that a problem of one device, or of one pair of kinds, asks for and that can be run and priced there.
    ///
    /// @param checkpoint is called again and again, and may end the work by an exception
    static List<MeasuredServing> all(MeasuredProblem problem, Runnable checkpoint) {
        return problem.instances() == null
                ? problem.deployments(problem.devices().getFirst()).stream()
                        .flatMap(deployment -> {
                            checkpoint.run();
                            return PricedReplicas.of(problem, deployment).stream();
                        })
                        .<MeasuredServing>map(replicas -> replicas)
                        .toList()
                : PricedPair.all(problem, checkpoint).stream()
                        .<MeasuredServing>map(pair -> pair)
                        .toList();
    }

    SteadyTerms terms();

    MeasuredInstances instances();

    /// One that works on prompts.
    PricedInstance prefill();

    /// One that generates.
    PricedInstance decode();

    default Arrangement arrangement() {
        return instances().arrangement();
    }

    /// What the law says of so many requests.
    LawOutcome at(int concurrency);

    /// The same of many, which costs less than asking for each.
    default IntFunction<LawOutcome> outcomes() {
        return this::at;
    }

    /// The least that a search tries.
    int leastConcurrency();

    /// The most that a search tries.
    int mostConcurrency();

    /// The best of all concurrencies that a search tries.
    ///
    /// @param checkpoint is called again and again, and may end the work by an exception
    Found search(Runnable checkpoint);

    /// Output tokens per second of all instances at figures of the law.
    default double tokensPerSecond(SteadyFigures figures) {
        return figures.outputTokensPerSecond() * instances().shares();
    }

    /// The figures of the same concurrency with launches for free; those of no device but an Ascend.
    Function<SteadyFigures, @Nullable SteadyFigures> captured();

    /// How far figures can be trusted.
    Bands bands(SteadyFigures figures);

    /// Returns whether the bands of figures are narrow enough to rank by them.
    default boolean isReliable(SteadyFigures figures) {
        return !bands(figures).isWide();
    }

    /// Returns whether the KV cache of a rank that decodes has no room for one request more.
    default boolean isFull(SteadyFigures figures) {
        return decode().isFull(figures.steps().running(), terms().request());
    }

    /// What is delivered at figures of the law.
    default MeasuredPoint point(SteadyFigures figures) {
        return point(figures, captured());
    }

    /// @param captured of this serving
    default MeasuredPoint point(SteadyFigures figures, Function<SteadyFigures, @Nullable SteadyFigures> captured) {
        return new MeasuredPoint(instances(), figures, captured.apply(figures), bands(figures));
    }

    /// The same with what it consists of.
    default MeasuredRow row(SteadyFigures figures) {
        MeanRequest request = terms().traffic().mean(figures);
        double running = figures.steps().running();
        double context = running * request.halfwayTokens();
        return new MeasuredRow(
                point(figures),
                new Steps(
                        decode().pass().decodeOperators(running, context),
                        prefill().pass().prefillOperators(1, request.newTokens(), request.pairs()),
                        decode().pass().stepParts(running, context)),
                decode().limits().cacheTokens(),
                null,
                null,
                null,
                Set.of());
    }

    /// The best that a search found, with what it consists of and what binds it; empty where it found none.
    default Optional<MeasuredRow> best(Found found) {
        SteadyFigures best = found.best();
        Beyond beyond = found.beyond();
        return best == null || beyond == null
                ? Optional.empty()
                : Optional.of(row(best)
                        .withBinds(MeasuredBinds.of(this, best, beyond))
                        .withUnreliable(beyond.unreliable() == null ? null : point(beyond.unreliable())));
    }

    /// What is delivered at a concurrency that fits in memory.
    default MeasuredPoint pointAt(int concurrency) {
        return point((SteadyFigures) at(concurrency));
    }

    /// The same with what it consists of.
    default MeasuredRow rowAt(int concurrency) {
        return row((SteadyFigures) at(concurrency));
    }
}

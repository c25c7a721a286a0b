package io.throughputoptimizer.core.replica;

import static java.util.Objects.requireNonNull;

import io.throughputoptimizer.core.silicon.BandBasis;
import io.throughputoptimizer.core.silicon.BandBasis.Coverage;
import io.throughputoptimizer.core.silicon.Bands;
import io.throughputoptimizer.core.silicon.CalibratedPass;
import io.throughputoptimizer.core.silicon.Flag;
import io.throughputoptimizer.core.silicon.SiliconDeployment;
import io.throughputoptimizer.core.silicon.calibration.Calibration;
import io.throughputoptimizer.core.steady.Arrivals;
import io.throughputoptimizer.core.steady.DisaggregatedLaw;
import io.throughputoptimizer.core.steady.DisaggregatedLaw.Workers;
import io.throughputoptimizer.core.steady.MeanRequest;
import io.throughputoptimizer.core.steady.PairSimulation;
import io.throughputoptimizer.core.steady.ServingRank;
import io.throughputoptimizer.core.steady.SimulatedLoad;
import io.throughputoptimizer.core.steady.SimulationResult;
import io.throughputoptimizer.core.steady.Traffic;
import io.throughputoptimizer.core.workload.TtftBasis;
import java.util.List;
import java.util.Set;
import java.util.function.IntToDoubleFunction;
import java.util.stream.Stream;

/// Prefill instances that feed decode instances under one load, all of them simulated.
///
/// @param transferMillis of the cache of a prompt of so many tokens
/// @param traffic with a rate, with times of its requests, or else a closed loop
/// @param concurrency requests outstanding at all instances in a closed loop; nothing counts it otherwise
public record SimulatedPair(
        Side prefill, Side decode, IntToDoubleFunction transferMillis, Traffic traffic, int concurrency)
        implements SimulatedDeployment {
    /// The step of its arrival at decode, its first and its last token.
    private static final double STEPS_OF_A_REQUEST = 4;

    private static final double MILLIS = 1000;

    /// Equal instances that do one phase.
    ///
    /// @param device name of the kind of device
    /// @param deployment of one of them
    /// @param limits of each rank
    public record Side(String device, SiliconDeployment deployment, CalibratedRank.Limits limits, int instances) {

        /// Attention data parallel ranks of all instances.
        int ranks() {
            return instances * deployment.layout().dp();
        }

        private Workers workers(CalibratedPass pass) {
            return new Workers(CalibratedRank.of(pass, deployment.engine(), limits), ranks());
        }

        private Workers workers() {
            return workers(CalibratedPass.of(deployment));
        }

        private Workers captured() {
            return new Workers(CalibratedRank.of(deployment.withoutLaunches(), limits), ranks());
        }
    }

    @Override
    public SiliconDeployment decoding() {
        return decode.deployment;
    }

    @Override
    public List<Calibration> calibrations() {
        return Stream.of(prefill, decode)
                .map(side -> side.deployment.calibration())
                .distinct()
                .toList();
    }

    @Override
    public int shares() {
        return 1;
    }

    /// Requests, of their mean lengths, that the cache of a decode rank holds; below 1 nothing can be served.
    public double capacity() {
        return decode.workers().rank().capacity(traffic.mean());
    }

    /// Prompts that the cache of a prefill rank holds; below 1 nothing can be served.
    public double promptCapacity() {
        return prefill.limits.cacheTokens() / traffic.mean().cachedPrompt(prefill.limits.use());
    }

    /// That of the side that is saturated first: a prefill rank ends `1000 / P` prompts, and a decode rank that runs
    /// as many requests as it holds gives each a token in the time of one step.
    @Override
    public double highestRatePerSecond() {
        MeanRequest request = traffic.mean();
        Workers decoding = decode.workers();
        double running = Math.max(1, decoding.rank().mostRunning(request));
        double prompts = prefill.ranks() * MILLIS / promptMillis(request);
        double answers = decoding.ranks()
                * MILLIS
                * running
                / (request.outputTokens() * decoding.rank().decodeMillis(running, request));
        return Math.min(prompts, answers);
    }

    private double promptMillis(MeanRequest request) {
        ServingRank rank = prefill.workers().rank();
        return request.prompts((tokens, pairs) ->
                        rank.step().prefill(tokens, pairs) + rank.engine().stepGapMillis())
                .millis();
    }

    @Override
    public double mostSteps() {
        return load().requests() * STEPS_OF_A_REQUEST;
    }

    @Override
    public SimulatedLoad load() {
        return traffic.share(
                1,
                concurrency,
                TtftBasis.BENCHMARK,
                () -> new DisaggregatedLaw(prefill.workers(), decode.workers(), traffic.mean(), traffic.waves())
                        .at(concurrency));
    }

    @Override
    public Outcome run(Coverage coverage, Runnable checkpoint) {
        CalibratedPass prompts = CalibratedPass.of(prefill.deployment);
        CalibratedPass steps = CalibratedPass.of(decode.deployment);
        SimulatedLoad load = load();
        SimulationResult result =
                PairSimulation.run(prefill.workers(prompts), decode.workers(steps), transferMillis, load, checkpoint);
        Set<Flag> flags = Flag.of(decode.deployment, steps.unexpectedBases(), true);
        flags.addAll(Flag.of(prefill.deployment, prompts.unexpectedBases(), true));
        flags.addAll(Flag.of(flaggedLoad(load, result)));
        return new Outcome(
                result,
                decode.deployment.calibration().isAscend()
                        ? PairSimulation.run(prefill.captured(), decode.captured(), transferMillis, load, checkpoint)
                        : null,
                new Bands(
                        coverage, flags, BandBasis.disaggregatedTpot(decode.deployment), BandBasis.TTFT_DISAGGREGATED),
                Stream.concat(prompts.unexpectedUses().stream(), steps.unexpectedUses().stream())
                        .distinct()
                        .toList());
    }

    private Flag.Load flaggedLoad(SimulatedLoad load, SimulationResult result) {
        SimulationResult.Sides sides = requireNonNull(result.sides());
        boolean closed = load.arrivals() instanceof Arrivals.ClosedLoop;
        double running = closed ? DisaggregatedLaw.running(concurrency, decode.ranks()) : sides.decoding();
        return new Flag.Load(
                running,
                running,
                capacity(),
                running * decode.deployment.layout().dp(),
                traffic.mean().inputTokens(),
                closed || load.arrivals() instanceof Arrivals.Turns ? traffic.waves() : Double.POSITIVE_INFINITY);
    }
}

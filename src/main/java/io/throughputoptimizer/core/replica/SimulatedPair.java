package io.throughputoptimizer.core.replica;

import static java.util.Objects.requireNonNull;

import io.throughputoptimizer.core.kernels.BandBasis;
import io.throughputoptimizer.core.kernels.BandBasis.Coverage;
import io.throughputoptimizer.core.kernels.Bands;
import io.throughputoptimizer.core.kernels.CalibratedDeployment;
import io.throughputoptimizer.core.kernels.CalibratedPass;
import io.throughputoptimizer.core.kernels.Flag;
import io.throughputoptimizer.core.kernels.calibration.Calibration;
import io.throughputoptimizer.core.load.Arrivals;
import io.throughputoptimizer.core.load.DisaggregatedLaw;
import io.throughputoptimizer.core.load.DisaggregatedLaw.Workers;
import io.throughputoptimizer.core.load.MeanRequest;
import io.throughputoptimizer.core.load.PairSimulation;
import io.throughputoptimizer.core.load.ServingRank;
import io.throughputoptimizer.core.load.SimulationResult;
import io.throughputoptimizer.core.load.Traffic;
import io.throughputoptimizer.core.load.Traffic.SimulatedLoad;
import io.throughputoptimizer.core.workload.TtftBasis;
import java.util.List;
import java.util.Set;
import java.util.function.IntToDoubleFunction;
import java.util.stream.Stream;

/// Simulated prefill and decode instances of a disaggregated deployment under one load.
///
/// @param transferMillis time of the KV transfer of a prompt by its tokens, in ms
/// @param traffic traffic at a request rate, at recorded arrival times, or else in a closed loop
/// @param concurrency requests in flight at all instances in a closed loop; unused otherwise
/// @param basis whether latencies include the opening burst of a closed loop
public record SimulatedPair(
        Side prefill,
        Side decode,
        IntToDoubleFunction transferMillis,
        Traffic traffic,
        int concurrency,
        TtftBasis basis)
        implements SimulatedDeployment {
    /// Steps of a request at decode: its arrival, its first and its last token.
    private static final double STEPS_OF_A_REQUEST = 4;

    private static final double MILLIS = 1000;

    /// Equal instances of one phase.
    ///
    /// @param device name of the kind of device
    /// @param deployment deployment of one instance
    /// @param limits limits of each rank
    public record Side(String device, CalibratedDeployment deployment, CalibratedRank.Limits limits, int instances) {

        /// Returns the attention data parallel ranks of all instances.
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
    public CalibratedDeployment decoding() {
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

    /// Returns the mean requests that the cache of a decode rank holds; below 1 no request can be served.
    public double capacity() {
        return decode.workers().rank().capacity(traffic.mean());
    }

    /// Returns the prompts that the cache of a prefill rank holds; below 1 no request can be served.
    public double promptCapacity() {
        return prefill.limits.cacheTokens() / traffic.mean().cachedPrompt(prefill.limits.use());
    }

    /// Returns the request rate of the phase that saturates first: a prefill rank completes `1000 / P` prompts
    /// per second, and a decode rank at its maximum batch gives each request a token per step.
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
                basis,
                () -> new DisaggregatedLaw(prefill.workers(), decode.workers(), traffic.mean(), traffic.waves(), 0)
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

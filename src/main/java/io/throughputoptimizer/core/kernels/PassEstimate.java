package io.throughputoptimizer.core.kernels;

import io.throughputoptimizer.core.kernels.BandBasis.Coverage;
import io.throughputoptimizer.core.kernels.Bands.Band;
import io.throughputoptimizer.core.kernels.calibration.KernelUse;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Price of one pass of a deployment, with its prediction interval.
///
/// @param latencyMillis time of all operators, the step gap and, for drafting steps, time that kernels do not
///     show
/// @param operators operators in order
/// @param unexpectedUses kernels of the pass priced by neither the backend's own nor the joint measurements
/// @param range range of the latency on an Ascend device; absent on others
/// @param parts parts of a drafting decode step; absent for other passes
public record PassEstimate(
        Phase phase,
        double latencyMillis,
        List<OperatorTime> operators,
        List<KernelUse> unexpectedUses,
        Bands bands,
        @Nullable LaunchRange range,
        Speculation.@Nullable StepParts parts) {
    private static final double MICROS_PER_MILLI = 1000;

    /// Returns the estimate of a pass.
    ///
    /// @param capacity requests of the pass's length that the cache of a rank holds
    /// @throws IllegalArgumentException if the deployment is not supported
    public static PassEstimate of(CalibratedDeployment deployment, RankPass pass, double capacity, Coverage coverage) {
        CalibratedPass priced = CalibratedPass.of(deployment);
        List<KernelUse> unexpected = pass.unexpectedUses(priced);
        Set<Flag> flags =
                Flag.of(deployment, unexpected.stream().map(KernelUse::basis).toList(), false);
        flags.addAll(Flag.of(load(deployment, pass, capacity)));
        if (pass.continuesPrompts()) {
            flags.add(Flag.EXTRAPOLATED);
        }
        return new PassEstimate(
                pass.phase(),
                latency(deployment, pass, priced),
                pass.operators(priced),
                unexpected,
                new Bands(coverage, flags, BandBasis.tpot(deployment.model()), BandBasis.ttft(deployment.model())),
                deployment.calibration().isAscend()
                        ? LaunchRange.of(deployment, captured -> latency(deployment, pass, captured))
                        : null,
                pass.stepParts(priced));
    }

    private static double latency(CalibratedDeployment deployment, RankPass pass, CalibratedPass priced) {
        double micros = pass.operators(priced).stream()
                .mapToDouble(OperatorTime::totalMicroseconds)
                .sum();
        Speculation.StepParts parts = pass.stepParts(priced);
        return micros / MICROS_PER_MILLI
                + (parts == null ? 0 : parts.requestMillis())
                + deployment.engine().settings().stepGapMillis();
    }

    /// Returns the flagged load of a pass in the steady state: no request waits outside, and it has no waves.
    private static Flag.Load load(CalibratedDeployment deployment, RankPass pass, double capacity) {
        return new Flag.Load(
                pass.requests(),
                pass.requests(),
                capacity,
                pass.requests() * deployment.layout().dp(),
                pass.context(),
                Double.POSITIVE_INFINITY);
    }

    /// Returns the prediction interval of the latency: with the errors of TPOT for decode, those of TTFT for
    /// prefill. Empty if uncalibrated.
    public Optional<Band> band() {
        return switch (phase) {
            case DECODE -> bands.ofTpot(latencyMillis);
            case PREFILL -> bands.ofTtft(latencyMillis);
        };
    }
}

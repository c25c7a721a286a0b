package io.throughputoptimizer.core.silicon;

import io.throughputoptimizer.core.silicon.BandBasis.Coverage;
import io.throughputoptimizer.core.silicon.Bands.Band;
import io.throughputoptimizer.core.silicon.calibration.KernelUse;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// One pass of a deployment, priced, and how far its latency can be trusted.
///
/// @param latencyMillis all operators, the gap of a step and, of one that drafts, what kernels do not show
/// @param operators in order
/// @param unexpectedUses kernels of the pass whose price is based on neither the backend's own nor the joint
///     measurements
/// @param range of the latency on an Ascend device; absent on others
/// @param parts of a decode step that drafts; absent of other passes
public record PassEstimate(
        Phase phase,
        double latencyMillis,
        List<OperatorTime> operators,
        List<KernelUse> unexpectedUses,
        Bands bands,
        @Nullable LaunchRange range,
        Speculation.@Nullable StepParts parts) {
    private static final double MICROS_PER_MILLI = 1000;

    /// The estimate of a pass.
    ///
    /// @param capacity requests as long as those of the pass that the cache of a rank holds
    /// @throws IllegalArgumentException if the deployment has an obstacle
    public static PassEstimate of(SiliconDeployment deployment, RankPass pass, double capacity, Coverage coverage) {
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

    private static double latency(SiliconDeployment deployment, RankPass pass, CalibratedPass priced) {
        double micros = pass.operators(priced).stream()
                .mapToDouble(OperatorTime::totalMicroseconds)
                .sum();
        Speculation.StepParts parts = pass.stepParts(priced);
        return micros / MICROS_PER_MILLI
                + (parts == null ? 0 : parts.requestMillis())
                + deployment.engine().settings().stepGapMillis();
    }

    /// A pass seen as a lasting load: nobody waits outside, and it has no waves.
    private static Flag.Load load(SiliconDeployment deployment, RankPass pass, double capacity) {
        return new Flag.Load(
                pass.requests(),
                pass.requests(),
                capacity,
                pass.requests() * deployment.layout().dp(),
                pass.context(),
                Double.POSITIVE_INFINITY);
    }

    /// Where the latency may lie: the errors of TPOT for decode, those of TTFT for prefill. Empty when it is
    /// uncalibrated.
    public Optional<Band> band() {
        return switch (phase) {
            case DECODE -> bands.ofTpot(latencyMillis);
            case PREFILL -> bands.ofTtft(latencyMillis);
        };
    }
}

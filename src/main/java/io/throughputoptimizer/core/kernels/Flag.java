package io.throughputoptimizer.core.kernels;

import io.throughputoptimizer.core.kernels.calibration.Basis;
import io.throughputoptimizer.core.kernels.calibration.Calibration;
import io.throughputoptimizer.core.model.HybridSpec;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// Reason why a figure is less certain than those behind its prediction interval.
public enum Flag {
    /// No serving figures were measured on the device.
    DEVICE,
    /// Some kernels are priced as those of another device or backend, or no server of the engine with such
    /// attention was measured.
    FAMILY,
    /// Requests wait for the KV cache, or nearly do; its capacity is an estimate.
    CAPACITY,
    /// Attention data parallelism combined with tensor parallelism.
    LAYOUT,
    /// Longer prompts, more requests or more ranks than were measured.
    EXTRAPOLATED,
    /// Steps verify drafts: the acceptance is an input, and few such servers were measured.
    SPECULATION,
    /// Too few waves for a steady state.
    ONE_WAVE,
    /// The prompts of a step exceed its token budget, so that TPOT depends on the budget.
    SATURATED,
    /// Some kernels were never measured, or not as an engine launches them: there is no interval.
    UNCALIBRATED;

    /// Device whose measured servers of newer kinds of attention ran engines older than the measured kernels.
    private static final String SERVED_BY_OLD_ENGINES = "h200_sxm";

    private static final double NEAR_CAPACITY = 0.7;
    private static final double LONGEST_INPUT = 16_384;
    private static final double MOST_REQUESTS = 512;
    private static final double FEWEST_WAVES = 3;

    /// Returns the name in results.
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// Returns the flags of a deployment, independent of its load.
    ///
    /// @param bases bases of its kernels, see [CalibratedPass#unexpectedBases()]
    /// @param disaggregated whether prefill and decode instances are separate
    public static Set<Flag> of(CalibratedDeployment deployment, List<Basis> bases, boolean disaggregated) {
        Set<Flag> flags = EnumSet.noneOf(Flag.class);
        Calibration calibration = deployment.calibration();
        Evidence evidence = Evidence.of(deployment.model());
        if (!calibration.isCompared(disaggregated)
                || (evidence != Evidence.ALL_ENGINES && calibration.device().equals(SERVED_BY_OLD_ENGINES))) {
            flags.add(DEVICE);
        }
        if (bases.contains(Basis.FAMILY) || bases.contains(Basis.SPECIAL) || !evidence.covers(deployment.engine())) {
            flags.add(FAMILY);
        }
        if (deployment.isDrafting()) {
            flags.add(SPECULATION);
        }
        if (deployment.isDataParallel() && deployment.layout().tp() > 1) {
            flags.add(LAYOUT);
        }
        if (bases.contains(Basis.INTER_NODE)) {
            flags.add(EXTRAPOLATED);
        }
        if (bases.stream().anyMatch(Basis::isUncalibrated) || calibration.isAscend()) {
            flags.add(UNCALIBRATED);
        }
        return flags;
    }

    /// Least requests in flight of an instance at which predictions for Nemotron 3 met its server.
    private static final double FEWEST_OF_STATE_SPACES = 64;

    /// Describes the errors that servers of Mamba2 models showed where the model must not be trusted: on A100, and
    /// at small loads. Empty elsewhere.
    ///
    /// @param instanceConcurrency requests in flight of an instance
    public static Optional<String> untrusted(CalibratedDeployment deployment, double instanceConcurrency) {
        if (deployment.model().attentions().stream().noneMatch(HybridSpec.StateSpace.class::isInstance)) {
            return Optional.empty();
        } else if (deployment.calibration().device().equals("a100_sxm")) {
            return Optional.of(
                    "Nemotron 3 was not measured on A100: the one server compared, 4 A100 with vLLM, delivered"
                            + " 1.6 times the predicted tokens/s at 0.57 times the predicted TPOT");
        }
        return instanceConcurrency < FEWEST_OF_STATE_SPACES
                ? Optional.of(
                        "below 64 requests in flight, the server of Nemotron 3 that was compared needed 2 to 8 times"
                                + " the predicted TTFT and delivered 0.6 to 0.9 times the predicted tokens/s")
                : Optional.empty();
    }

    /// Load of a deployment.
    ///
    /// @param concurrency requests in flight of a rank, `B`
    /// @param running batch size of a rank, `b`
    /// @param capacity requests that the cache of a rank holds, `K / (isl + 0.75 osl)`
    /// @param instanceConcurrency requests in flight of all ranks of an instance
    /// @param meanInput mean input length
    /// @param waves requests over concurrency, `W`
    public record Load(
            double concurrency,
            double running,
            double capacity,
            double instanceConcurrency,
            double meanInput,
            double waves) {}

    /// Returns the flags of a load.
    public static Set<Flag> of(Load load) {
        Set<Flag> flags = EnumSet.noneOf(Flag.class);
        if (load.running < load.concurrency || load.concurrency >= NEAR_CAPACITY * load.capacity) {
            flags.add(CAPACITY);
        }
        if (load.meanInput > LONGEST_INPUT || load.instanceConcurrency > MOST_REQUESTS) {
            flags.add(EXTRAPOLATED);
        }
        if (load.waves < FEWEST_WAVES) {
            flags.add(ONE_WAVE);
        }
        return flags;
    }
}

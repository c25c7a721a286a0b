package io.throughputoptimizer.core.measured;

import io.throughputoptimizer.core.search.space.Pairing.Kinds;
import io.throughputoptimizer.core.silicon.calibration.KernelUse;
import io.throughputoptimizer.core.steady.Breach;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The answer to a [MeasuredProblem].
///
/// @param devices in the order of the problem
/// @param points concurrencies at which the law was asked
/// @param simulations that were run
public record MeasuredResult(MeasuredProblem problem, List<DeviceRanking> devices, long points, long simulations) {

    /// Returns whether some kind of device has a plan.
    public boolean isFeasible() {
        return devices.stream().anyMatch(device -> !device.found.rows().isEmpty());
    }

    /// What was found on one kind of device.
    ///
    /// @param unexpectedUses kernels of any layout whose price is based on neither the backend's own nor the joint
    ///     measurements
    /// @param decodeDevice the kind of device of decode instances where it is another one
    public record DeviceRanking(
            MeasuredDevice device,
            Found found,
            List<KernelUse> unexpectedUses,
            @Nullable MeasuredDevice decodeDevice) {
        /// What the kind of device, or the two of them, are called.
        public String label() {
            return new Kinds(device.name(), (decodeDevice == null ? device : decodeDevice).name()).label();
        }
    }

    /// The best first, and what has no row.
    ///
    /// @param rows best concurrency of each layout, or of each pair of layouts in each numbers
    /// @param rejections of layouts; or of pairs of possible layouts without a row in any numbers, then of
    ///     layouts that no prefill instance can have, and of those that no decode instance can have
    /// @param points of all layouts, or of all pairs in the numbers that they are best in, by concurrency
    /// @param pointsLeftOut of other numbers, and where measurements correct figures of all that were tried those
    ///     between the points
    public record Found(
            List<MeasuredRow> rows, List<Rejection> rejections, List<TriedPoint> points, long pointsLeftOut) {}

    /// What has no row, and why.
    public sealed interface Rejection {
        Arrangement arrangement();
    }

    /// It breaks limits at the least concurrency; a pair in these numbers and all others.
    ///
    /// @param concurrency at each rank of replicas, over all instances of a pair
    /// @param memory parts of a memory that is too small; absent otherwise
    public record BrokenLimits(
            Arrangement arrangement,
            int concurrency,
            List<Breach> breaches,
            @Nullable MemoryShortage memory) implements Rejection {

        /// Limits broken by replicas, or by one side of a pair.
        static BrokenLimits of(
                Arrangement arrangement, PricedInstance instance, int concurrency, List<Breach> breaches) {
            return new BrokenLimits(
                    arrangement,
                    concurrency,
                    breaches,
                    instance.shortage(breaches).orElse(null));
        }
    }

    /// The model cannot be run or priced this way.
    public record Impossible(Arrangement arrangement, String reason) implements Rejection {}
}

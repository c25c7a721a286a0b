package io.throughputoptimizer.core.measured;

import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.search.Pairing.Kinds;
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
    public sealed interface Found {
        List<? extends ServedRow> rows();
    }

    /// Instances that do prefill and decode.
    ///
    /// @param rows best concurrency of each layout, the most tokens per second first
    /// @param points of all layouts in turn, by concurrency
    public record Replicas(List<MeasuredRow> rows, List<Rejection> rejections, List<TriedPoint<MeasuredPoint>> points)
            implements Found {}

    /// Instances for prefill that feed instances for decode.
    ///
    /// @param rows best concurrency of each pair of layouts in all numbers, the most tokens per second and device
    ///     that works first
    /// @param prefillRejections layouts that no prefill instance can have
    /// @param decodeRejections layouts that no decode instance can have
    /// @param pairRejections pairs of possible layouts without a row in any numbers
    /// @param points of all pairs in the numbers that they are best in, by concurrency
    /// @param pointsLeftOut of other numbers
    public record Pairs(
            List<PairRow> rows,
            List<Rejection> prefillRejections,
            List<Rejection> decodeRejections,
            List<BrokenPair> pairRejections,
            List<TriedPoint<PairPoint>> points,
            long pointsLeftOut)
            implements Found {}

    /// A layout without a row, and why.
    public sealed interface Rejection {
        ParallelLayout layout();
    }

    /// It breaks limits at the least concurrency.
    public record BrokenLimits(ParallelLayout layout, int rankConcurrency, List<Breach> breaches)
            implements Rejection {}

    /// The model cannot be run or priced this way.
    public record Impossible(ParallelLayout layout, String reason) implements Rejection {}

    /// A pair of layouts that breaks limits at the least concurrency, in these numbers and all others.
    public record BrokenPair(Arrangement.Pair pair, int concurrency, List<Breach> breaches) {}
}

package io.throughputoptimizer.core.calibrated;

import io.throughputoptimizer.core.calibrated.CalibratedPoint.TriedPoint;
import io.throughputoptimizer.core.kernels.calibration.KernelUse;
import io.throughputoptimizer.core.load.Breach;
import io.throughputoptimizer.core.load.Breach.Limit;
import io.throughputoptimizer.core.memory.RankMemory;
import io.throughputoptimizer.core.replica.CalibratedRank.Limits;
import io.throughputoptimizer.core.search.space.Pairing.Kinds;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Result of a [CalibratedProblem].
///
/// @param devices rankings in the order of the problem's devices
/// @param points number of concurrencies at which the law was evaluated
/// @param simulations number of simulations run
public record CalibratedResult(CalibratedProblem problem, List<DeviceRanking> devices, long points, long simulations) {

    /// Returns whether some kind of device has a plan.
    public boolean isFeasible() {
        return devices.stream().anyMatch(device -> !device.found.rows().isEmpty());
    }

    /// Result on one kind of device.
    ///
    /// @param unexpectedUses kernels of any layout priced by neither the backend's own nor the joint
    ///     measurements
    /// @param decodeDevice kind of device of decode instances if it differs
    public record DeviceRanking(
            CalibratedDevice device,
            Found found,
            List<KernelUse> unexpectedUses,
            @Nullable CalibratedDevice decodeDevice) {
        /// Returns the name of the kind of device, or of both kinds.
        public String label() {
            return new Kinds(device.name(), (decodeDevice == null ? device : decodeDevice).name()).label();
        }
    }

    /// Rows, the best first, and rejections.
    ///
    /// @param rows best concurrency of each layout, or of each pair of layouts in each instance counts
    /// @param rejections rejected layouts; or pairs of feasible layouts without a row in any counts, then
    ///     layouts that no prefill instance can have, and those that no decode instance can have
    /// @param points points of all layouts, or of all pairs in their best counts, by concurrency
    /// @param omittedPoints number of points that are not listed: of other counts, and with corrected figures
    ///     those between the listed points
    public record Found(
            List<CalibratedRow> rows, List<Rejection> rejections, List<TriedPoint> points, long omittedPoints) {}

    /// Arrangement without a row, and the reason.
    public sealed interface Rejection {
        InstanceLayout arrangement();
    }

    /// Rejection because of targets exceeded at the least concurrency; for a pair in these and all other
    /// counts.
    ///
    /// @param concurrency requests in flight at each rank of replicas, or over all instances of a pair
    /// @param memory parts of an insufficient memory; absent otherwise
    public record BrokenLimits(
            InstanceLayout arrangement,
            int concurrency,
            List<Breach> breaches,
            @Nullable MemoryShortage memory) implements Rejection {

        /// Returns the rejection of replicas, or of one side of a pair.
        static BrokenLimits of(
                InstanceLayout arrangement, PricedInstance instance, int concurrency, List<Breach> breaches) {
            return new BrokenLimits(
                    arrangement,
                    concurrency,
                    breaches,
                    instance.shortage(breaches).orElse(null));
        }
    }

    /// Rejection because the model cannot run or be priced this way.
    public record Impossible(InstanceLayout arrangement, String reason) implements Rejection {}

    /// Memory of a device that does not hold a rank with one request, in bytes:
    ///
    ///     device < weights + engine + request
    ///
    /// @param memory memory of the rank
    /// @param requestTokens tokens of the request
    public record MemoryShortage(RankMemory memory, double requestTokens) {

        /// Returns the shortage of a rank; empty if the first limit that it breaks is not memory, or a request states
        /// the
        /// tokens of its KV cache.
        ///
        /// @param limits limits of the rank
        static Optional<MemoryShortage> of(Limits limits, Breach first) {
            RankMemory memory = limits.memory();
            return first.limit() != Limit.KV_TOKENS || memory == null
                    ? Optional.empty()
                    : Optional.of(new MemoryShortage(memory, memory.rank().context()));
        }

        /// Returns the memory that the device reports.
        public double deviceBytes() {
            return memory.rank().device().seenGib() * RankMemory.GIB;
        }

        /// Weights of the rank.
        public double weightBytes() {
            return memory.weightsGib() * RankMemory.GIB;
        }

        /// Returns the memory that the engine uses for neither weights nor KV cache.
        public double engineBytes() {
            return deviceBytes() - weightBytes() - memory.poolGib() * RankMemory.GIB;
        }

        /// Returns the bytes of KV cache and states that the engine reserves to admit the request.
        public double requestBytes() {
            return memory.cache().admittedBytes(requestTokens);
        }

        /// Returns `weights + engine + request`.
        public double neededBytes() {
            return weightBytes() + engineBytes() + requestBytes();
        }
    }
}

package io.throughputoptimizer.core.calibrated;

import io.throughputoptimizer.core.load.Breach;
import io.throughputoptimizer.core.load.Breach.Limit;
import io.throughputoptimizer.core.memory.RankMemory;
import io.throughputoptimizer.core.replica.CalibratedRank.Limits;
import java.util.Optional;

/// Memory of a device that does not hold a rank with one request, in bytes:
///
///     device < weights + engine + request
///
/// @param memory memory of the rank
/// @param requestTokens tokens of the request
public record MemoryShortage(RankMemory memory, double requestTokens) {

    /// Returns the shortage of a rank; empty if the first limit that it breaks is not memory, or a request states the
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

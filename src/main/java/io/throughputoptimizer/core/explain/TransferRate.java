package io.throughputoptimizer.core.explain;

import io.throughputoptimizer.core.forward.MemoryFootprint;
import io.throughputoptimizer.core.search.space.KvTransfer;
import io.throughputoptimizer.core.search.space.Pairing;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The rate at which KV caches get to decode instances, in GB of 2^30 bytes per second.
final class TransferRate {
    /// With less or more a request is refused.
    private static final double LEAST = 1e-6;

    static final double MOST = 1e9;

    private TransferRate() {}

    /// That of a pairing; absent where caches get there in no time.
    static @Nullable Double of(@Nullable Pairing pairing) {
        KvTransfer transfer = pairing == null ? null : pairing.transfer();
        return transfer == null ? null : (Double) (transfer.bytesPerSecond() / MemoryFootprint.GIB);
    }

    /// The pairing with another rate; empty where there is none, or it cannot be asked for.
    static Optional<Pairing> with(@Nullable Pairing pairing, double gigabytesPerSecond) {
        KvTransfer now = pairing == null ? null : pairing.transfer();
        return pairing == null || now == null || gigabytesPerSecond < LEAST || gigabytesPerSecond > MOST
                ? Optional.empty()
                : Optional.of(
                        pairing.with(new KvTransfer(gigabytesPerSecond * MemoryFootprint.GIB, now.latencyMillis())));
    }
}

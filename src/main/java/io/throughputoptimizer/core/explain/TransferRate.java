package io.throughputoptimizer.core.explain;

import io.throughputoptimizer.core.forward.MemoryFootprint;
import io.throughputoptimizer.core.search.space.KvTransferLink;
import io.throughputoptimizer.core.search.space.Pairing;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The KV transfer rate of a pairing, in GiB per second.
final class TransferRate {
    /// Minimum rate that requests may set.
    private static final double LEAST = 1e-6;

    static final double MOST = 1e9;

    private TransferRate() {}

    /// Returns the rate of a pairing, or null if transfers take no time.
    static @Nullable Double of(@Nullable Pairing pairing) {
        KvTransferLink transfer = pairing == null ? null : pairing.transfer();
        return transfer == null ? null : (Double) (transfer.bytesPerSecond() / MemoryFootprint.GIB);
    }

    /// Returns the pairing with another rate, or empty if it has no transfer or the rate is out of range.
    static Optional<Pairing> with(@Nullable Pairing pairing, double gigabytesPerSecond) {
        KvTransferLink now = pairing == null ? null : pairing.transfer();
        return pairing == null || now == null || gigabytesPerSecond < LEAST || gigabytesPerSecond > MOST
                ? Optional.empty()
                : Optional.of(pairing.with(
                        new KvTransferLink(gigabytesPerSecond * MemoryFootprint.GIB, now.latencyMillis())));
    }
}

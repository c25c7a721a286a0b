package io.throughputoptimizer.core.search.space;

/// Link that transfers the KV cache of a request from a prefill to a decode instance.
///
/// Time of a transfer in milliseconds: `latency + bytes / rate`. It adds to the TTFT; prefill and decode
/// continue meanwhile, so that it does not lower their rates.
///
/// @param bytesPerSecond rate of one transfer, above 0
/// @param latencyMillis time until the first byte arrives, at least 0
public record KvTransferLink(double bytesPerSecond, double latencyMillis) {
    private static final double MILLIS = 1000;

    public KvTransferLink {
        if (!(bytesPerSecond > 0) || Double.isInfinite(bytesPerSecond)) {
            throw new IllegalArgumentException(
                    "transfer rate is " + bytesPerSecond + " bytes/s: a finite number above 0 is needed");
        }
        if (!(latencyMillis >= 0) || Double.isInfinite(latencyMillis)) {
            throw new IllegalArgumentException(
                    "transfer latency is " + latencyMillis + " ms: a finite number of at least 0 is needed");
        }
    }

    /// Transfer of one request.
    ///
    /// @param bytes bytes of its cache and states
    /// @param millis time of the transfer
    public record Handover(double bytes, double millis) {}

    /// Returns the transfer of the given bytes.
    public Handover of(double bytes) {
        return new Handover(bytes, latencyMillis + bytes / bytesPerSecond * MILLIS);
    }
}

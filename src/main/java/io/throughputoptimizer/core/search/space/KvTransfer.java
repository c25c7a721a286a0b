package io.throughputoptimizer.core.search.space;

/// How the KV cache of a request gets from a prefill instance to a decode instance.
///
/// Time of a transfer in milliseconds: `latency + bytes / rate`. It is added to the TTFT; prefill and decode go on
/// meanwhile, so that it takes nothing from their rates.
///
/// @param bytesPerSecond of one transfer, above 0
/// @param latencyMillis before the first byte arrives, at least 0
public record KvTransfer(double bytesPerSecond, double latencyMillis) {
    private static final double MILLIS = 1000;

    public KvTransfer {
        if (!(bytesPerSecond > 0) || Double.isInfinite(bytesPerSecond)) {
            throw new IllegalArgumentException(
                    "transfer rate is " + bytesPerSecond + " bytes/s: a finite number above 0 is needed");
        }
        if (!(latencyMillis >= 0) || Double.isInfinite(latencyMillis)) {
            throw new IllegalArgumentException(
                    "transfer latency is " + latencyMillis + " ms: a finite number of at least 0 is needed");
        }
    }

    /// What a request hands over.
    ///
    /// @param bytes of its cache and states
    /// @param millis that they take
    public record Handover(double bytes, double millis) {}

    /// So many bytes on their way.
    public Handover of(double bytes) {
        return new Handover(bytes, latencyMillis + bytes / bytesPerSecond * MILLIS);
    }
}

package io.throughputoptimizer.core.forward;

/// Device memory of one rank during a pass, in bytes.
///
/// @param capacityBytes memory of the device
/// @param reservedBytes kept free by the operator of the service
/// @param weightBytes weights, rotary tables and scales of this rank
/// @param kvCacheBytes KV cache of the requests in the pass, in whole blocks
/// @param kvCacheBytesPerToken KV cache of one token
/// @param stateBytes recurrent states of the requests in the pass, where they are counted
/// @param activationBytes rest of the tracked peak: activations and inputs
/// @param adjusted whether the heterogeneous-prefill rule cut the activation to a tenth because memory was short
/// @param exact whether the activation is proved equal to the reference
public record MemoryFootprint(
        double capacityBytes,
        double reservedBytes,
        double weightBytes,
        double kvCacheBytes,
        double kvCacheBytesPerToken,
        double stateBytes,
        double activationBytes,
        boolean adjusted,
        boolean exact) {

    /// Bytes in one GiB, the unit shown as GB.
    public static final double GIB = 1024.0 * 1024 * 1024;

    /// Highest usage of the pass.
    public double peakBytes() {
        return weightBytes + kvCacheBytes + stateBytes + activationBytes;
    }

    /// Returns free memory, `capacity - peak - reserved`; negative if the pass does not fit.
    public double availableBytes() {
        return capacityBytes - peakBytes() - reservedBytes;
    }

    /// Returns free memory in GiB.
    public double availableGib() {
        return availableBytes() / GIB;
    }
}

package io.throughputoptimizer.api;

import static io.throughputoptimizer.core.forward.MemoryFootprint.GIB;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.core.forward.MemoryFootprint;
import org.jspecify.annotations.Nullable;

/// Device memory of one rank during the pass that leaves least, in GB of 2^30 bytes.
@Schema(
        name = "Memory",
        description = "Device memory of one rank during the pass that leaves least, in GB of 2^30 bytes.")
public record MemoryResponse(
        @Schema(description = "Capacity of the device.", example = "64.0")
        double totalGb,

        @Schema(description = "Weights, rotary tables and scales.")
        double weightGb,

        @Schema(description = "KV cache of the requests in the pass, in whole blocks.")
        double kvCacheGb,

        @Schema(description = "KV cache of one token; in an estimate only.") @Nullable
        Double kvCachePerTokenGb,

        @Schema(description = "Activations and inputs at the peak.")
        double activationGb,

        @Schema(description = "Kept free, as the request asks.", example = "10.0")
        double reservedGb,

        @Schema(description = "What is left; negative when the pass does not fit.")
        double availableGb,

        @Schema(
                description = "Present and true when the activation was cut to a tenth because memory was short and"
                        + " the lengths of a prefill batch differ.")
        @Nullable
        Boolean adjusted,

        @Schema(description = "Present and false when the activation is not proved equal to the reference.") @Nullable
        Boolean exact) {

    static MemoryResponse from(MemoryFootprint memory) {
        return from(memory, null);
    }

    static MemoryResponse withCachePerToken(MemoryFootprint memory) {
        return from(memory, memory.kvCacheBytesPerToken() / GIB);
    }

    private static MemoryResponse from(MemoryFootprint memory, @Nullable Double kvCachePerTokenGb) {
        return new MemoryResponse(
                memory.capacityBytes() / GIB,
                memory.weightBytes() / GIB,
                memory.kvCacheBytes() / GIB,
                kvCachePerTokenGb,
                memory.activationBytes() / GIB,
                memory.reservedBytes() / GIB,
                memory.availableGib(),
                memory.adjusted() ? true : null,
                memory.exact() ? null : false);
    }

    /// The footprint as it was before [#from(MemoryFootprint)], but for the KV cache of one token, which a row does
    /// not tell: it is not a number.
    MemoryFootprint toFootprint() {
        return new MemoryFootprint(
                totalGb * GIB,
                reservedGb * GIB,
                weightGb * GIB,
                kvCacheGb * GIB,
                Double.NaN,
                activationGb * GIB,
                Boolean.TRUE.equals(adjusted),
                !Boolean.FALSE.equals(exact));
    }
}

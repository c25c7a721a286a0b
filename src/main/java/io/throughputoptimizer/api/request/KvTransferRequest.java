package io.throughputoptimizer.api.request;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.Bounds;
import io.throughputoptimizer.api.Required;
import io.throughputoptimizer.core.forward.MemoryFootprint;
import io.throughputoptimizer.core.search.space.KvTransferLink;
import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.DecimalMin;
import org.jspecify.annotations.Nullable;

/// Transfer of KV caches from prefill to decode instances, as a request states it.
@Schema(
        name = "KvTransfer",
        description =
                "How the KV cache of a request gets from prefill to decode: `latency_ms` plus its bytes by the rate,"
                        + " added to TTFT. One copy of all input tokens and recurrent states moves.")
public record KvTransferRequest(
        @Schema(description = "Rate of one transfer in GB of 2^30 bytes per second.", example = "25")
        @Required
        @DecimalMin("0.000001")
        @DecimalMax(Bounds.AMOUNT)
        @Nullable
        Double gbPerS,

        @Schema(description = "Time before the first byte arrives, in ms.", defaultValue = "0")
        @DecimalMin("0")
        @DecimalMax(Bounds.AMOUNT)
        Double latencyMs) {
    public KvTransferRequest {
        latencyMs = requireNonNullElse(latencyMs, 0.0);
    }

    public static @Nullable KvTransferLink toTransfer(@Nullable KvTransferRequest request) {
        return request == null ? null : request.toTransfer();
    }

    private KvTransferLink toTransfer() {
        return new KvTransferLink(requireNonNull(gbPerS) * MemoryFootprint.GIB, latencyMs);
    }
}

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
@Schema(name = "KvTransfer")
public record KvTransferRequest(
        @Required @DecimalMin("0.000001") @DecimalMax(Bounds.AMOUNT) @Nullable
        Double gbPerS,

        @Schema(defaultValue = "0") @DecimalMin("0") @DecimalMax(Bounds.AMOUNT)
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

package io.throughputoptimizer.api.request;

import static java.util.Objects.requireNonNull;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.Bounds;
import io.throughputoptimizer.api.Required;
import io.throughputoptimizer.core.search.Pairing;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import org.jspecify.annotations.Nullable;

/// Sizes of prefill and decode instances, as they come over the wire.
@Schema(
        name = "PdRatioSizes",
        description = "Devices of one prefill and of one decode instance, in mode `pd_ratio` only.")
public record PdRatioRequest(
        @Schema(description = "Devices of one prefill instance.", example = "8")
        @Required
        @Min(1)
        @Max(Bounds.COUNT)
        @Nullable
        Integer prefillDevicesPerInstance,

        @Schema(description = "Devices of one decode instance.", example = "8")
        @Required
        @Min(1)
        @Max(Bounds.COUNT)
        @Nullable
        Integer decodeDevicesPerInstance) {

    Pairing toPairing() {
        return Pairing.of(requireNonNull(prefillDevicesPerInstance), requireNonNull(decodeDevicesPerInstance));
    }
}

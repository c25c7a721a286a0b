package io.throughputoptimizer.api.result;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.result.figure.PhaseName;
import io.throughputoptimizer.core.search.OptimizationResult;
import java.util.List;

/// A row as the search recorded it, not ranked.
@Schema(name = "RecordedRow", description = "A row as the search recorded it, not ranked.")
public record RecordedRowResponse(
        @Schema(description = "Name of the device.") String device,

        @Schema(
                description = "Phase that the row belongs to.",
                allowableValues = {"aggregation", "prefill", "decode"})
        PhaseName phase,

        @JsonUnwrapped RowResponse row) {

    /// Rows of all devices and phases, in search order.
    static List<RecordedRowResponse> all(OptimizationResult result) {
        return result.devices().stream()
                .flatMap(device -> device.phases().stream()
                        .flatMap(phase -> phase.recorded().stream()
                                .map(row -> new RecordedRowResponse(
                                        device.label(),
                                        PhaseName.of(phase.phase()),
                                        RowResponse.from(row, phase.phase(), result.problem())))))
                .toList();
    }
}

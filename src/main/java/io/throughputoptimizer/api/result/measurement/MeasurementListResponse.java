package io.throughputoptimizer.api.result.measurement;

import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A page of measurements.
@Schema(name = "MeasurementList", description = "A page of measurements, newest first, without their rows.")
public record MeasurementListResponse(
        @Schema(description = "The sets of this page.") List<MeasurementResponse> measurements,

        @Schema(description = "`cursor` of the next page; absent on the last one.") @Nullable
        String nextCursor) {}

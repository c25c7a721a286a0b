package io.throughputoptimizer.api.result;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.result.figure.BestFitResponse;
import io.throughputoptimizer.core.calibrated.CalibratedRow;
import io.throughputoptimizer.core.search.PdRatioRow;
import io.throughputoptimizer.core.search.space.AvailableDevices;
import org.jspecify.annotations.Nullable;

/// Instances of a pair on the available devices.
@Schema(name = "PairOnDevices", description = "What the devices available make of a pair.")
public record AvailableResponse(
        @Schema(
                description = "Devices available, of both kinds, that `prefill_instances` and `decode_instances` leave"
                        + " idle; absent without these.",
                example = "10")
        @Nullable
        Integer devicesIdle,

        @Nullable BestFitResponse most) {

    static @Nullable AvailableResponse from(PdRatioRow.@Nullable Available available, double outputTokens) {
        return available == null
                ? null
                : new AvailableResponse(
                        available.idle(),
                        available.most() == null ? null : BestFitResponse.from(available.most(), outputTokens));
    }

    static AvailableResponse from(CalibratedRow row, AvailableDevices available) {
        int all = row.at().pair().kinds().all(available);
        return new AvailableResponse(
                Math.max(0, all - row.at().devices()), row.most() == null ? null : BestFitResponse.from(row.most()));
    }

    /// Returns the response, or null if it is empty.
    static @Nullable AvailableResponse orAbsent(@Nullable AvailableResponse available) {
        return available == null || (available.devicesIdle == null && available.most == null) ? null : available;
    }
}

package io.throughputoptimizer.api.job;

import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The result of a job as lists show it: its best plan, or none.
@Schema(name = "JobAnswer", description = "What an optimization found, in brief: its best plan, or that there is none.")
public record JobAnswer(
        @Schema(description = "Devices of the best plan; none where nothing keeps the limits.")
        List<UsedDevices> devices,

        @Schema(description = "Tokens a second of the best plan, where its row has them.", example = "10752.3")
        @Nullable
        Double tokensPerS,

        @Schema(description = "Requests a second of the best plan, where its row has them.", example = "7.2") @Nullable
        Double requestsPerS,

        @Schema(description = "Price of its devices for an hour; mode `capacity` with prices only.", example = "50.4")
        @Nullable
        Double costPerHour,

        @Schema(
                description = "Where nothing keeps the limits, why the layout that came first was given up.",
                example = "tpot")
        @Nullable
        String reason) {
    public JobAnswer {
        devices = List.copyOf(devices);
    }

    /// Devices of one kind.
    @Schema(name = "UsedDevices", description = "Devices of one kind that a plan takes.")
    public record UsedDevices(
            @Schema(description = "Name of the device.") String device,
            @Schema(description = "How many.") long count) {}
}

package io.throughputoptimizer.api.job;

import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The result of a job as lists show it: its best plan, or none.
@Schema(
        name = "JobAnswer",
        description = "Summary of a finished optimization: its best plan, or the reason for" + " none.")
public record JobAnswer(
        @Schema(description = "Devices of the best plan. Empty without a feasible plan.")
        List<UsedDevices> devices,

        @Schema(description = "Tokens per second of the best plan. Absent if its row has none.", example = "10752.3")
        @Nullable
        Double tokensPerS,

        @Schema(description = "Requests per second of the best plan. Absent if its row has none.", example = "7.2")
        @Nullable
        Double requestsPerS,

        @Schema(description = "Price of its devices per hour. Requires `mode: capacity` and prices.", example = "50.4")
        @Nullable
        Double costPerHour,

        @Schema(description = "Reason for rejecting the first layout. Absent with a feasible plan.", example = "tpot")
        @Nullable
        String reason) {
    public JobAnswer {
        devices = List.copyOf(devices);
    }

    /// Devices of one kind.
    @Schema(name = "UsedDevices", description = "Devices of one type in a plan.")
    public record UsedDevices(
            @Schema(description = "Name of the device.") String device,
            @Schema(description = "Number of devices.") long count) {}
}

package io.throughputoptimizer.api.job;

import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The result of a job as lists show it: its best plan, or none.
@Schema(name = "JobAnswer")
public record JobAnswer(
        List<UsedDevices> devices,
        @Nullable Double tokensPerS,
        @Nullable Double requestsPerS,
        @Nullable Double costPerHour,
        @Nullable String reason) {
    public JobAnswer {
        devices = List.copyOf(devices);
    }

    /// Devices of one kind.
    @Schema(name = "UsedDevices")
    public record UsedDevices(String device, long count) {}
}

package io.throughputoptimizer.api;

import static java.util.Comparator.comparingDouble;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.core.search.OptimizationResult;
import io.throughputoptimizer.core.search.PhaseResult;
import io.throughputoptimizer.core.search.ResultRow;
import io.throughputoptimizer.core.workload.Phase;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Devices ranked by their best row of one phase.
@Schema(name = "CrossHardware", description = "Devices ranked by their best row of one phase.")
public record CrossHardwareResponse(
        @Schema(allowableValues = {"aggregation", "prefill", "decode"})
        String phase,

        @Schema(description = "By throughput; devices without a feasible layout are left out.")
        List<RankedDeviceResponse> rows) {

    /// The best row of one device.
    @Schema(name = "RankedDevice", description = "The best row of one device.")
    public record RankedDeviceResponse(
            int rank,
            String device,
            int numDevices,
            ParallelResponse parallel,
            long batchSize,
            long concurrency,
            @Nullable Double ttftMs,
            @Nullable Double tpotMs,
            double tokensPerS,
            @JsonProperty("tokens_per_s_per_device") double tokensPerSPerDevice,
            @Nullable Double qps) {

        private static RankedDeviceResponse from(int rank, Best best) {
            ResultRow row = best.row;
            return new RankedDeviceResponse(
                    rank,
                    best.device.device().name(),
                    best.device.deviceCount(),
                    ParallelResponse.from(row.layout()),
                    row.batchSize(),
                    row.concurrency(),
                    row.figures().ttftMillis(),
                    row.figures().tpotMillis(),
                    row.figures().tokensPerSecond(),
                    row.figures().tokensPerSecondPerDevice(),
                    row.figures().qps());
        }
    }

    private record Best(OptimizationResult.DeviceResult device, ResultRow row) {}

    /// One ranking per phase; devices of equal throughput keep the request's order.
    static List<CrossHardwareResponse> ranked(OptimizationResult result) {
        return result.devices().getFirst().phases().stream()
                .map(phase -> ranked(phase.phase(), result))
                .toList();
    }

    private static CrossHardwareResponse ranked(Phase phase, OptimizationResult result) {
        List<Best> ranked = result.devices().stream()
                .flatMap(device -> best(device, phase))
                .sorted(comparingDouble((Best best) -> best.row.figures().tokensPerSecond())
                        .reversed())
                .toList();
        List<RankedDeviceResponse> rows = new ArrayList<>();
        for (Best best : ranked) {
            rows.add(RankedDeviceResponse.from(rows.size() + 1, best));
        }
        return new CrossHardwareResponse(PhaseResponse.wireName(phase), rows);
    }

    private static Stream<Best> best(OptimizationResult.DeviceResult device, Phase phase) {
        return device.phases().stream()
                .filter(result -> result.phase() == phase)
                .map(PhaseResult::rows)
                .filter(rows -> !rows.isEmpty())
                .map(rows -> new Best(device, rows.getFirst()));
    }
}

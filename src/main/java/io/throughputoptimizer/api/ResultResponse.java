package io.throughputoptimizer.api;

import static java.util.Objects.requireNonNull;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.core.search.HardwareComparison;
import io.throughputoptimizer.core.search.OptimizationProblem;
import io.throughputoptimizer.core.search.OptimizationResult;
import io.throughputoptimizer.core.search.PdRatioResult;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The answer to an [OptimizationRequest].
@Schema(name = "OptimizationResult", description = "The answer to an optimization.")
public record ResultResponse(
        @Schema(
                description = "Formulas that were used.",
                allowableValues = {"documented", "corrected"})
        String accounting,

        @Schema(description = "One entry per kind of device, in the request's order.")
        List<DeviceResponse> devices,

        @Schema(description = "What each device reaches; with two devices or more.") @Nullable
        List<DeviceFiguresResponse> deviceProfiles,

        @Schema(description = "Best row of each device, ranked; with two devices or more.") @Nullable
        List<CrossHardwareResponse> crossHardware,

        @Schema(description = "How much was searched.") StatisticsResponse search,

        @Schema(description = "Every recorded row; with `dump_original_results`.") @Nullable
        List<RecordedRowResponse> originalResults) {
    private static final double NANOS_PER_MILLI = 1e6;

    /// What was found on one kind of device.
    @Schema(name = "DeviceResult", description = "What was found on one kind of device.")
    public record DeviceResponse(
            @Schema(description = "Name of the device.") String device,
            @Schema(description = "Devices available.") int numDevices,

            @Schema(description = "One entry per phase searched; with a P/D ratio both.")
            List<PhaseResponse> phases,

            @Schema(description = "How many prefill instances feed how many decode instances; mode `pd_ratio` only.")
            @Nullable
            PdRatioResponse pdRatio) {}

    /// How prefill and decode instances go together.
    @Schema(name = "PdRatioResult", description = "How prefill and decode instances go together.")
    public record PdRatioResponse(
            @Schema(description = "The first of `rows`; absent when no pair is feasible.") @Nullable
            PdRatioRowResponse best,

            @Schema(
                    description = "Best pair per combination of layouts, by balanced requests per second; of pairs that"
                            + " tie in them to two decimals the first.")
            List<PdRatioRowResponse> rows) {

        private static PdRatioResponse from(PdRatioResult result) {
            List<PdRatioRowResponse> rows = result.rows().stream()
                    .map(row -> PdRatioRowResponse.from(
                            row, requireNonNull(row.rank(), "a ratio that is shown has a rank")))
                    .toList();
            return new PdRatioResponse(rows.isEmpty() ? null : rows.getFirst(), rows);
        }
    }

    /// How much was searched.
    @Schema(name = "SearchStatistics", description = "How much was searched.")
    public record StatisticsResponse(
            @Schema(description = "Layouts tried.") int candidates,

            @Schema(description = "Batch sizes evaluated over all layouts.")
            long points,

            @Schema(description = "Forward estimates asked for, cached or not.")
            long forwardPasses,

            @Schema(description = "Time the search took, in ms.")
            double elapsedMs) {}

    /// Maps what the search found.
    ///
    /// @param elapsed how long it took
    public static ResultResponse from(OptimizationResult result, Duration elapsed) {
        OptimizationProblem problem = result.problem();
        OptimizationResult.Statistics statistics = result.statistics();
        HardwareComparison comparison = result.comparison().orElse(null);
        return new ResultResponse(
                problem.search().accounting().name(),
                result.devices().stream().map(device -> device(device, problem)).toList(),
                comparison == null
                        ? null
                        : comparison.profiles().stream()
                                .map(DeviceFiguresResponse::from)
                                .toList(),
                comparison == null ? null : CrossHardwareResponse.from(comparison, problem.deviceCount()),
                new StatisticsResponse(
                        statistics.candidates(),
                        statistics.points(),
                        statistics.forwardPasses(),
                        elapsed.toNanos() / NANOS_PER_MILLI),
                problem.dumpRecordedRows() ? RecordedRowResponse.all(result) : null);
    }

    private static DeviceResponse device(OptimizationResult.DeviceResult result, OptimizationProblem problem) {
        return new DeviceResponse(
                result.device().name(),
                result.deviceCount(),
                result.phases().stream()
                        .map(phase -> PhaseResponse.from(phase, problem))
                        .toList(),
                result.pdRatio() == null ? null : PdRatioResponse.from(result.pdRatio()));
    }
}

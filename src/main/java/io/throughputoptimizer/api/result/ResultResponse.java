package io.throughputoptimizer.api.result;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.EarlierNames;
import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.WireMember;
import io.throughputoptimizer.api.request.EngineRequest;
import io.throughputoptimizer.api.result.figure.AssumptionResponse;
import io.throughputoptimizer.api.result.figure.CalibrationResponse;
import io.throughputoptimizer.api.result.figure.CheckpointResponse;
import io.throughputoptimizer.api.result.figure.DeviceFiguresResponse;
import io.throughputoptimizer.api.result.figure.FeedbackResponse;
import io.throughputoptimizer.api.result.figure.PhaseName;
import io.throughputoptimizer.api.result.figure.SearchStatisticsResponse;
import io.throughputoptimizer.core.calibrated.CalibratedProblem;
import io.throughputoptimizer.core.calibrated.CalibratedResult.DeviceRanking;
import io.throughputoptimizer.core.explain.Explanation;
import io.throughputoptimizer.core.hardware.DeviceProfile;
import io.throughputoptimizer.core.kernels.Scheme;
import io.throughputoptimizer.core.search.HardwareComparison;
import io.throughputoptimizer.core.search.OptimizationProblem;
import io.throughputoptimizer.core.search.OptimizationResult;
import io.throughputoptimizer.core.search.space.AvailableDevices;
import io.throughputoptimizer.core.search.space.Pairing;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The answer to an [OptimizationRequest], as it is sent, stored and turned into reports.
@Schema(name = "OptimizationResult")
public record ResultResponse(
        @Nullable BestPlanResponse best,
        @Nullable String summary,
        @Nullable Integer resultVersion,
        @Schema(allowableValues = {"documented", "steady"}) String accounting,
        List<DeviceResponse> devices,
        @Nullable List<DeviceFiguresResponse> deviceProfiles,
        @Nullable List<CrossHardwareResponse> crossHardware,
        SearchStatisticsResponse search,
        @Nullable List<RecordedRowResponse> originalResults,
        @Nullable Double bandCoverage,
        @Nullable ExplanationResponse explanation,
        @Nullable CheckpointResponse checkpointQuantization,
        @Nullable CapacityResponse capacity) {
    /// The version that is written, and the last that is read.
    static final int VERSION = EarlierNames.RESULT_VERSION;

    private static final double NANOS_PER_MILLI = 1e6;

    /// Creates the result of a search that does not take the quantization of a checkpoint.
    public ResultResponse(
            @Nullable Integer resultVersion,
            String accounting,
            List<DeviceResponse> devices,
            @Nullable List<DeviceFiguresResponse> deviceProfiles,
            @Nullable List<CrossHardwareResponse> crossHardware,
            SearchStatisticsResponse search,
            @Nullable List<RecordedRowResponse> originalResults,
            @Nullable Double bandCoverage,
            @Nullable ExplanationResponse explanation) {
        this(
                null,
                null,
                resultVersion,
                accounting,
                devices,
                deviceProfiles,
                crossHardware,
                search,
                originalResults,
                bandCoverage,
                explanation,
                null,
                null);
    }

    /// Returns a copy with other devices.
    ResultResponse with(List<DeviceResponse> others) {
        return WireMember.copy(this, "devices", others);
    }

    /// Returns a copy with the quantization of the checkpoint.
    public ResultResponse with(@Nullable CheckpointResponse checkpoint) {
        return WireMember.copy(this, "checkpointQuantization", checkpoint);
    }

    /// Returns a copy with the fewest devices for a demand.
    ResultResponse with(CapacityResponse fewest) {
        return WireMember.copy(this, "capacity", fewest);
    }

    /// Result on one kind of device.
    @Schema(name = "DeviceResult")
    public record DeviceResponse(
            String device,
            int numDevices,
            @Nullable Integer numDecodeDevices,
            List<PhaseResponse> phases,
            @Nullable PdRatioResponse pdRatio,
            @Nullable CalibrationResponse calibration,
            @Nullable EngineRequest engine,
            @Nullable Scheme scheme,
            @Nullable List<AssumptionResponse> assumptions,
            @Nullable FeedbackResponse feedback) {

        /// Without what it assumes.
        public DeviceResponse(
                String device,
                int numDevices,
                @Nullable Integer numDecodeDevices,
                List<PhaseResponse> phases,
                @Nullable PdRatioResponse pdRatio,
                @Nullable CalibrationResponse calibration,
                @Nullable EngineRequest engine,
                @Nullable Scheme scheme) {
            this(device, numDevices, numDecodeDevices, phases, pdRatio, calibration, engine, scheme, null, null);
        }

        /// Creates a result of cost model `analytic`.
        public DeviceResponse(
                String device, int numDevices, List<PhaseResponse> phases, @Nullable PdRatioResponse pdRatio) {
            this(device, numDevices, null, phases, pdRatio, null, null, null);
        }

        /// Returns a copy with assumptions.
        DeviceResponse assuming(List<AssumptionResponse> assumed) {
            return WireMember.copy(this, "assumptions", assumed);
        }

        /// Returns a copy with the feedback of measurements.
        DeviceResponse with(@Nullable FeedbackResponse taught) {
            return WireMember.copy(this, "feedback", taught);
        }

        /// Returns the available devices by kind.
        public String available() {
            return numDevices + " "
                    + (numDecodeDevices == null ? device : device.replace(" + ", " + " + numDecodeDevices + " "));
        }
    }

    /// Version of the JSON of a result.
    private record Versioned(@Nullable Integer resultVersion) {}

    /// Reads the JSON of a result that was stored; empty when a later version was, which may mean other things by
    /// the same names. Members that were added since are left out.
    public static Optional<ResultResponse> read(String json) {
        Integer version = WireFormat.readStored(json, Versioned.class).resultVersion();
        return version != null && version > VERSION
                ? Optional.empty()
                : Optional.of(WireFormat.readStored(json, ResultResponse.class));
    }

    /// Maps what the search found.
    ///
    /// @param elapsed how long it took
    /// @param explanation of it, if that was asked for
    public static ResultResponse from(OptimizationResult result, Duration elapsed, @Nullable Explanation explanation) {
        OptimizationProblem problem = result.problem();
        OptimizationResult.Statistics statistics = result.statistics();
        HardwareComparison comparison = result.comparison().orElse(null);
        return new ResultResponse(
                VERSION,
                WireFormat.name(problem.search().accounting()),
                result.devices().stream().map(device -> device(device, problem)).toList(),
                comparison == null
                        ? null
                        : comparison.profiles().stream()
                                .map(DeviceFiguresResponse::from)
                                .toList(),
                comparison == null ? null : CrossHardwareResponse.from(comparison, problem),
                new SearchStatisticsResponse(
                        statistics.candidates(),
                        statistics.points(),
                        statistics.forwardPasses(),
                        elapsed.toNanos() / NANOS_PER_MILLI,
                        null,
                        SearchStatisticsResponse.orAbsent(statistics.simulatedSteps()),
                        null),
                problem.dumpRecordedRows() ? RecordedRowResponse.all(result) : null,
                null,
                explanation == null
                        ? null
                        : ExplanationResponse.from(
                                explanation,
                                new LeverPointers(
                                        devicesByThemselves(problem),
                                        problem.demand().limits(),
                                        false,
                                        false)));
    }

    /// Returns the devices of each kind; none where pairs name their kinds.
    private static List<String> devicesByThemselves(OptimizationProblem problem) {
        Pairing pairing = problem.search().instances();
        return pairing == null || pairing.namesNoKinds()
                ? problem.devices().stream().map(DeviceProfile::name).toList()
                : List.of();
    }

    private static DeviceResponse device(OptimizationResult.DeviceResult result, OptimizationProblem problem) {
        return new DeviceResponse(
                result.label(),
                result.deviceCount(),
                result.decodeDevice() == null
                        ? null
                        : ofDecode(
                                problem.available(),
                                result.device().name(),
                                result.decodeDevice().name()),
                result.phases().stream()
                        .map(phase -> PhaseResponse.from(phase, problem))
                        .toList(),
                result.pdRatio() == null ? null : PdRatioResponse.from(result.pdRatio(), problem),
                null,
                null,
                null);
    }

    /// Devices for decode where they are of another kind of which there is another number.
    static @Nullable Integer ofDecode(AvailableDevices available, String prefill, String decode) {
        return available.of(prefill) == available.of(decode) ? null : (Integer) available.of(decode);
    }

    /// Returns the number of decode devices of the calibrated model.
    static @Nullable Integer ofDecode(DeviceRanking found, CalibratedProblem problem) {
        return found.decodeDevice() == null
                ? null
                : ofDecode(
                        problem.available(),
                        found.device().name(),
                        found.decodeDevice().name());
    }

    /// A row as the search recorded it, not ranked.
    @Schema(name = "RecordedRow")
    public record RecordedRowResponse(
            String device,

            @Schema(allowableValues = {"aggregation", "prefill", "decode"})
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
}

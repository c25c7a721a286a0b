package io.throughputoptimizer.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.throughputoptimizer.api.ResultResponse.DeviceResponse;
import io.throughputoptimizer.core.hardware.DeviceFigures;
import io.throughputoptimizer.core.search.PdRatioResult;
import io.throughputoptimizer.core.search.PhaseResult;
import io.throughputoptimizer.core.search.ResultRow;
import io.throughputoptimizer.core.workload.Phase;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What a [ResultResponse] holds, read back from its JSON.
@JsonIgnoreProperties(ignoreUnknown = true)
public record StoredResult(
        List<DeviceResponse> devices,
        @Nullable List<DeviceFiguresResponse> deviceProfiles,
        @Nullable List<StoredRanking> crossHardware,
        @Nullable List<RecordedRowResponse> originalResults) {

    /// The order of devices in a [CrossHardwareResponse]; their rows stand with the devices too.
    record StoredRanking(String phase, List<StoredPlace> rows) {}

    @JsonIgnoreProperties(ignoreUnknown = true)
    record StoredPlace(String device) {}

    /// Reads what was written with [WireFormat#write(Object)].
    public static StoredResult read(String json) {
        return WireFormat.read(json, StoredResult.class);
    }

    /// What was found in each phase on one kind of device. A row does not tell the KV cache of one token, which is
    /// not a number here.
    public List<PhaseResult> phases(DeviceResponse device) {
        return device.phases().stream()
                .map(phase -> phase.toPhaseResult(recorded(device.device(), phase.phase())))
                .toList();
    }

    /// How prefill and decode go together on one kind of device, in mode `pd_ratio`.
    public Optional<PdRatioResult> pdRatio(DeviceResponse device) {
        return Optional.ofNullable(device.pdRatio())
                .map(result -> new PdRatioResult(
                        result.rows().stream().map(PdRatioRowResponse::toRow).toList()));
    }

    /// What each device reaches; empty for a single one.
    public List<DeviceFigures> figures() {
        return deviceProfiles == null
                ? List.of()
                : deviceProfiles.stream().map(DeviceFiguresResponse::toFigures).toList();
    }

    /// Devices by their best row of a phase, best first; those without one are missing.
    public List<String> ranking(Phase phase) {
        return ranking(PhaseResponse.wireName(phase));
    }

    /// Devices by their best P/D ratio, best first; those without one are missing.
    public List<String> pdRatioRanking() {
        return ranking(CrossHardwareResponse.PD_RATIO);
    }

    private List<String> ranking(String name) {
        return crossHardware == null
                ? List.of()
                : crossHardware.stream()
                        .filter(ranking -> ranking.phase.equals(name))
                        .flatMap(ranking -> ranking.rows.stream())
                        .map(StoredPlace::device)
                        .toList();
    }

    private List<ResultRow> recorded(String device, String phase) {
        return originalResults == null
                ? List.of()
                : originalResults.stream()
                        .filter(recorded -> recorded.device().equals(device)
                                && recorded.phase().equals(phase))
                        .map(RecordedRowResponse::toRow)
                        .toList();
    }
}

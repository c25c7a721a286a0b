package io.throughputoptimizer.report;

import io.throughputoptimizer.api.request.OptimizationRequest;
import io.throughputoptimizer.api.result.CrossHardwareResponse;
import io.throughputoptimizer.api.result.CrossHardwareResponse.RankedDeviceResponse;
import io.throughputoptimizer.api.result.CrossHardwareResponse.RankedPairResponse;
import io.throughputoptimizer.api.result.CrossHardwareResponse.RankedResponse;
import io.throughputoptimizer.api.result.ResultResponse;
import io.throughputoptimizer.api.result.ResultResponse.DeviceResponse;
import io.throughputoptimizer.api.result.ResultResponse.RecordedRowResponse;
import io.throughputoptimizer.api.result.RowResponse;
import io.throughputoptimizer.api.result.figure.PhaseName;
import java.util.List;
import java.util.stream.Stream;

/// Request and result as stored, so that a report does not depend on today's catalogue.
public record Findings(OptimizationRequest request, ResultResponse result) {
    public Findings {
        if (result.devices().isEmpty()) {
            throw new IllegalArgumentException("devices is empty: a report is about at least one kind of device");
        }
    }

    List<DeviceResponse> devices() {
        return result.devices();
    }

    /// Returns whether the result has several kinds of device.
    boolean isComparison() {
        return devices().size() > 1;
    }

    /// Rows of one phase on one kind of device as the search recorded them, if that was asked for.
    Stream<RowResponse> recorded(DeviceResponse device, PhaseName phase) {
        List<RecordedRowResponse> recorded = result.originalResults();
        return recorded == null
                ? Stream.empty()
                : recorded.stream()
                        .filter(row -> row.phase() == phase && row.device().equals(device.device()))
                        .map(RecordedRowResponse::row);
    }

    /// Kinds of device by their best row of a phase, best first.
    List<RankedDeviceResponse> ranked(PhaseName phase) {
        return ranked(phase.wireName(), RankedDeviceResponse.class);
    }

    /// Kinds of device by their best P/D ratio, best first.
    List<RankedPairResponse> rankedPairs() {
        return ranked(CrossHardwareResponse.PD_RATIO, RankedPairResponse.class);
    }

    private <T extends RankedResponse> List<T> ranked(String by, Class<T> rows) {
        List<CrossHardwareResponse> rankings = result.crossHardware();
        return rankings == null
                ? List.of()
                : rankings.stream()
                        .filter(ranking -> ranking.phase().equals(by))
                        .flatMap(ranking -> ranking.rows().stream())
                        .map(rows::cast)
                        .toList();
    }
}

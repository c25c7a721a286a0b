package io.throughputoptimizer.report;

import static java.util.Objects.requireNonNullElse;

import io.throughputoptimizer.api.result.ResultResponse.DeviceResponse;
import io.throughputoptimizer.api.result.figure.AssumptionResponse;
import io.throughputoptimizer.api.result.figure.FeedbackResponse;
import io.throughputoptimizer.report.table.Section.Fact;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Assumptions about a device, and the calibration of its server by a benchmark.
final class DeviceFacts {
    private static final String FEEDBACK = "Feedback";

    private DeviceFacts() {}

    /// Returns one fact for the engine's defaults, and one for each deviation from them; none for results of older
    /// versions.
    ///
    /// @param named whether labels name the device
    static Stream<Fact> assumptions(DeviceResponse device, boolean named) {
        String label = label("Assumes", device, named);
        List<AssumptionResponse> assumed = requireNonNullElse(device.assumptions(), List.of());
        String plain = assumed.stream()
                .filter(one -> one.engineDefault() == null)
                .map(AssumptionResponse::text)
                .collect(Collectors.joining("; "));
        return Stream.concat(
                plain.isEmpty() ? Stream.empty() : Stream.of(new Fact(label, plain)),
                assumed.stream().filter(one -> one.engineDefault() != null).map(one -> new Fact(label, one.text())));
    }

    /// Returns the facts of a benchmark; none without one.
    ///
    /// @param named whether labels name the device
    static Stream<Fact> feedback(DeviceResponse device, boolean named) {
        FeedbackResponse taught = device.feedback();
        return taught == null
                ? Stream.empty()
                : Stream.of(new Fact(
                        label(FEEDBACK, device, named),
                        taught.tpotFigures() + " TPOT and " + taught.ttftFigures() + " TTFT of " + taught.rows()
                                + (taught.rows() == 1 ? " row: " : " rows: ") + taught.learnt()));
    }

    /// Returns the warnings about a benchmark.
    static Stream<String> warnings(DeviceResponse device) {
        FeedbackResponse taught = device.feedback();
        return taught == null
                ? Stream.empty()
                : requireNonNullElse(taught.warnings(), List.<String>of()).stream()
                        .map(warning -> FEEDBACK + ": " + warning + ".");
    }

    private static String label(String label, DeviceResponse device, boolean named) {
        return named ? label + " on " + device.device() : label;
    }
}

package io.throughputoptimizer.report;

import static java.util.Objects.requireNonNullElse;

import io.throughputoptimizer.api.result.ResultResponse.DeviceResponse;
import io.throughputoptimizer.api.result.figure.FeedbackResponse;
import io.throughputoptimizer.report.table.Section.Fact;
import java.util.List;
import java.util.stream.Stream;

/// Calibration of a server by a benchmark.
final class FeedbackFacts {
    private static final String LABEL = "Feedback";

    private FeedbackFacts() {}

    /// Returns the facts of a device; none without a benchmark.
    static Stream<Fact> of(DeviceResponse device) {
        return of(device, LABEL);
    }

    /// Returns the facts of one of several devices, with its name.
    static Stream<Fact> named(DeviceResponse device) {
        return of(device, LABEL + " on " + device.device());
    }

    private static Stream<Fact> of(DeviceResponse device, String label) {
        FeedbackResponse taught = device.feedback();
        return taught == null
                ? Stream.empty()
                : Stream.of(new Fact(
                        label,
                        taught.tpotFigures() + " TPOT and " + taught.ttftFigures() + " TTFT of " + taught.rows()
                                + (taught.rows() == 1 ? " row: " : " rows: ") + taught.learnt()));
    }

    /// Returns the warnings.
    static Stream<String> warnings(DeviceResponse device) {
        FeedbackResponse taught = device.feedback();
        return taught == null
                ? Stream.empty()
                : requireNonNullElse(taught.warnings(), List.<String>of()).stream()
                        .map(warning -> LABEL + ": " + warning + ".");
    }
}

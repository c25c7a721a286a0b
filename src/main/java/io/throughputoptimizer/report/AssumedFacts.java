package io.throughputoptimizer.report;

import static java.util.Objects.requireNonNullElse;

import io.throughputoptimizer.api.result.ResultResponse.DeviceResponse;
import io.throughputoptimizer.api.result.figure.AssumptionResponse;
import io.throughputoptimizer.report.table.Section.Fact;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Assumptions of an answer: one line for the engine's defaults, and a line for each deviation from them.
final class AssumedFacts {
    private static final String LABEL = "Assumes";

    private AssumedFacts() {}

    /// Returns the assumptions of a device; none for results of older versions.
    static Stream<Fact> of(DeviceResponse device) {
        return of(device, LABEL);
    }

    /// Returns the assumptions of one of several devices, with its name.
    static Stream<Fact> named(DeviceResponse device) {
        return of(device, LABEL + " on " + device.device());
    }

    private static Stream<Fact> of(DeviceResponse device, String label) {
        List<AssumptionResponse> assumed = requireNonNullElse(device.assumptions(), List.of());
        String plain = assumed.stream()
                .filter(one -> one.engineDefault() == null)
                .map(AssumptionResponse::text)
                .collect(Collectors.joining("; "));
        return Stream.concat(
                plain.isEmpty() ? Stream.empty() : Stream.of(new Fact(label, plain)),
                assumed.stream().filter(one -> one.engineDefault() != null).map(one -> new Fact(label, one.text())));
    }
}

package io.throughputoptimizer.report;

import static java.util.Objects.requireNonNullElse;

import io.throughputoptimizer.api.result.ResultResponse.DeviceResponse;
import io.throughputoptimizer.api.result.figure.AssumptionResponse;
import io.throughputoptimizer.report.table.Section.Fact;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What an answer assumes, for people: all that an engine does by itself in one line, and a line for each thing that it
/// does otherwise.
final class AssumedFacts {
    private static final String LABEL = "Assumes";

    private AssumedFacts() {}

    /// Nothing of results of older versions.
    static Stream<Fact> of(DeviceResponse device) {
        return of(device, LABEL);
    }

    /// The same of one among others.
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

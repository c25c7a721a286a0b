package io.throughputoptimizer.api.reading;

import static java.util.Objects.requireNonNull;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.problem.Violation;
import io.throughputoptimizer.api.reading.ProblemReader.Accepted;
import io.throughputoptimizer.api.request.CostModelName;
import io.throughputoptimizer.api.request.MeasuredRowRequest;
import io.throughputoptimizer.api.request.MeasuredRowRequest.LayoutRequest;
import io.throughputoptimizer.api.request.MeasurementRequest;
import io.throughputoptimizer.api.request.OptimizationRequest;
import io.throughputoptimizer.api.wire.RequestValidator;
import io.throughputoptimizer.core.serving.Accounting;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Questions for plans of nothing but one measured row, in its layout and at its concurrency.
record RowPlans(RequestValidator validator, ProblemReader problems) {
    /// @param calibrated whether measured kernels say what it costs
    Accepted accepted(MeasurementRequest request, MeasuredRowRequest row, boolean calibrated) {
        LayoutRequest layout = requireNonNull(row.parallel());
        int batch = requireNonNull(row.concurrency()) / layout.dp();
        Map<String, @Nullable Object> plan = new LinkedHashMap<>();
        plan.put("model_id", request.modelId());
        plan.put("model_config", request.modelConfig());
        plan.put("devices", List.of(requireNonNull(request.device())));
        plan.put("num_devices", (long) requireNonNull(layout.tp()) * layout.dp());
        plan.put("quantization", request.quantization());
        Map<String, Object> search = new LinkedHashMap<>();
        search.put("tp_sizes", List.of(layout.tp()));
        search.put("ep_sizes", List.of(layout.ep()));
        search.put("batch_range", List.of(batch, batch));
        if (calibrated) {
            plan.put("cost_model", CostModelName.CALIBRATED);
            plan.put("engine", request.engine());
            plan.put("traffic", Map.of("waves", row.waves(), "random_range_ratio", row.randomRangeRatio()));
            search.put("dp_sizes", List.of(layout.dp()));
        } else {
            plan.put("accounting", Accounting.STEADY);
        }
        plan.put(
                "workload",
                Map.of(
                        "input_length", length(row.inputLength(), row.randomRangeRatio(), calibrated),
                        "output_length", length(row.outputLength(), row.randomRangeRatio(), calibrated)));
        plan.put("search", search);
        plan.values().removeIf(value -> value == null);
        OptimizationRequest whole = WireFormat.read(WireFormat.write(plan), OptimizationRequest.class);
        validator.check(whole);
        return problems.accept(whole);
    }

    /// Without a traffic all requests are alike, as long as they are in the mean.
    private static int length(@Nullable Integer longest, double ratio, boolean varied) {
        return varied
                ? requireNonNull(longest)
                : Math.max(1, (int) Math.round((1 + ratio) / 2 * requireNonNull(longest)));
    }

    /// Maps a violation in the plan of one row to the pointer in the measurements.
    ///
    /// @param row pointer of the row
    static Violation inMeasurements(Violation violation, String row) {
        String pointer = violation.pointer();
        if (pointer.startsWith("/workload/")) {
            return new Violation(pointer.replaceFirst("/workload", row), violation.message());
        }
        if (pointer.startsWith("/traffic/")) {
            return new Violation(pointer.replaceFirst("/traffic", row), violation.message());
        }
        if (pointer.startsWith("/devices")) {
            return new Violation("/device", violation.message());
        }
        if (pointer.startsWith("/search/batch_range")) {
            return new Violation(row + "/concurrency", violation.message());
        }
        return pointer.startsWith("/search") || pointer.startsWith("/num_devices") || pointer.startsWith("/parallel")
                ? new Violation(row + "/parallel", violation.message())
                : violation;
    }
}

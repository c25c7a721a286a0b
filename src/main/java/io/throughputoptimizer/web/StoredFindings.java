package io.throughputoptimizer.web;

import static java.util.Objects.requireNonNull;

import io.throughputoptimizer.api.OptimizationRequest;
import io.throughputoptimizer.api.StoredResult;
import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.core.search.PhaseResult;
import io.throughputoptimizer.job.JobResult;
import io.throughputoptimizer.report.Findings;
import io.throughputoptimizer.report.Findings.Comparison;
import io.throughputoptimizer.report.Findings.DeviceFindings;
import io.throughputoptimizer.report.Findings.Lengths;
import io.throughputoptimizer.report.Findings.Question;
import io.throughputoptimizer.report.Findings.Ranking;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/// Reads findings back from what a job keeps, so that a result can be shown in any format at any time, also after
/// a restart or with another catalogue.
final class StoredFindings {
    private StoredFindings() {}

    static Findings of(JobResult job) {
        OptimizationRequest request = WireFormat.read(job.request(), OptimizationRequest.class);
        StoredResult result = StoredResult.read(job.json());
        List<DeviceFindings> devices = result.devices().stream()
                .map(device -> new DeviceFindings(
                        device.device(),
                        device.numDevices(),
                        result.phases(device),
                        result.pdRatio(device).orElse(null)))
                .toList();
        return new Findings(question(request), devices, devices.size() > 1 ? comparison(result, devices) : null);
    }

    private static Question question(OptimizationRequest request) {
        return new Question(
                request.modelName(),
                request.quantization().toScheme(),
                new Lengths(
                        request.workload().inputLength(),
                        requireNonNull(request.workload().outputLength())),
                request.slo().toObjective(),
                request.pdRatio() == null ? null : request.pdRatio().toInstanceSizes(),
                request.dumpOriginalResults(),
                request.accounting().accounting());
    }

    private static Comparison comparison(StoredResult result, List<DeviceFindings> devices) {
        boolean byRatio = devices.getFirst().pdRatio() != null;
        List<Ranking> phases = byRatio
                ? List.of()
                : devices.getFirst().phases().stream()
                        .map(PhaseResult::phase)
                        .map(phase -> new Ranking(phase, named(result.ranking(phase), devices)))
                        .toList();
        return new Comparison(result.figures(), phases, named(result.pdRatioRanking(), devices));
    }

    private static List<DeviceFindings> named(List<String> names, List<DeviceFindings> devices) {
        Map<String, DeviceFindings> byName =
                devices.stream().collect(Collectors.toMap(DeviceFindings::device, Function.identity()));
        return names.stream()
                .map(name -> requireNonNull(byName.get(name), name))
                .toList();
    }
}

package io.throughputoptimizer.web;

import io.swagger.v3.oas.annotations.Parameter;
import io.throughputoptimizer.api.job.JobResponse;
import io.throughputoptimizer.api.job.JobResult;
import io.throughputoptimizer.api.result.ResultPart;
import io.throughputoptimizer.job.JobRunner;
import io.throughputoptimizer.job.JobStore;
import io.throughputoptimizer.report.Curves;
import io.throughputoptimizer.report.ExplanationRecords.ExplanationPart;
import io.throughputoptimizer.report.Findings;
import io.throughputoptimizer.report.ReportFormat;
import io.throughputoptimizer.web.description.Reported;
import io.throughputoptimizer.web.problem.InvalidParameterException;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/// Results of optimizations, in the format that the caller prefers.
@RestController
@RequestMapping("/api/v1/optimizations/{id}")
class ResultController {
    private static final String TABLE = "table";

    private final JobStore store;
    private final JobRunner runner;
    private final StoredFindings stored;

    ResultController(JobStore store, JobRunner runner, StoredFindings stored) {
        this.store = store;
        this.runner = runner;
        this.stored = stored;
    }

    @Reported
    @GetMapping("/result")
    ResponseEntity<?> result(
            @PathVariable String id,
            @RequestParam(required = false) @Nullable String table,
            @RequestParam(required = false) @Nullable String include,
            @Parameter(hidden = true) @RequestHeader(name = HttpHeaders.ACCEPT, defaultValue = MediaType.ALL_VALUE)
                    String accept) {
        Set<ResultPart> included = IncludedParts.ofResult(include);
        ExplanationPart part = table == null ? null : part(table, accept);
        JobResponse job = runner.describe(JobLookup.find(store, id));
        JobResult result = JobLookup.result(job.with(included));
        if (part == null) {
            return ResponseEntity.ok(result);
        }
        String values = table(part, stored.of(result));
        return ResponseEntity.ok()
                .contentType(new MediaType(MediaType.parseMediaType(ReportFormat.VALUES), StandardCharsets.UTF_8))
                .body(values);
    }

    private static String table(ExplanationPart part, Findings findings) {
        if (findings.result().explanation() == null) {
            throw new InvalidParameterException(TABLE, "is \"" + part.wireName() + "\": the result has no explanation");
        }
        return part.csv(findings);
    }

    private static ExplanationPart part(String table, String accept) {
        ExplanationPart part = Stream.of(ExplanationPart.values())
                .filter(known -> known.wireName().equals(table))
                .findFirst()
                .orElseThrow(() -> new InvalidParameterException(
                        TABLE,
                        "must be one of "
                                + Stream.of(ExplanationPart.values())
                                        .map(ExplanationPart::wireName)
                                        .collect(Collectors.joining(", "))
                                + ", got \"" + table + "\""));
        MediaType values = MediaType.parseMediaType(ReportFormat.VALUES);
        if (MediaType.parseMediaTypes(accept).stream().noneMatch(values::isCompatibleWith)) {
            throw new InvalidParameterException(TABLE, "is \"" + table + "\": a table by itself is text/csv only");
        }
        return part;
    }

    @GetMapping(
            path = "/curves",
            produces = {MediaType.APPLICATION_JSON_VALUE, ReportFormat.PLAIN})
    Curves curves(@PathVariable String id) {
        JobResult result = JobLookup.result(runner.describe(JobLookup.find(store, id)));
        return Curves.of(stored.of(result));
    }
}

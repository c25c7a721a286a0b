package io.throughputoptimizer.web;

import io.throughputoptimizer.api.job.JobResult;
import io.throughputoptimizer.api.reading.ProblemReader;
import io.throughputoptimizer.api.request.OptimizationRequest;
import io.throughputoptimizer.api.result.ContextAnswer;
import io.throughputoptimizer.api.result.LaunchResponse;
import io.throughputoptimizer.api.result.catalog.LaunchEnginesResponse;
import io.throughputoptimizer.catalog.Catalogs;
import io.throughputoptimizer.core.forward.AnalyticForwardEstimator;
import io.throughputoptimizer.core.forward.ForwardEstimator;
import io.throughputoptimizer.job.JobRunner;
import io.throughputoptimizer.job.JobStore;
import io.throughputoptimizer.launch.ContextLengthOption;
import io.throughputoptimizer.launch.EngineChoice;
import io.throughputoptimizer.launch.Launcher;
import io.throughputoptimizer.launch.ManifestKind;
import io.throughputoptimizer.report.Findings;
import io.throughputoptimizer.report.ReportFormat;
import io.throughputoptimizer.web.parameter.ParameterValue;
import io.throughputoptimizer.web.problem.InvalidParameterException;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/// Commands that start a row of a result on a serving engine.
@RestController
@RequestMapping("/api/v1/optimizations/{id}")
class LaunchController {
    private static final String DEVICES_PER_NODE = "devices_per_node";
    private static final String CONTEXT_TOKENS = LaunchCalls.CONTEXT_TOKENS;
    private static final int MOST_PER_NODE = 1024;

    private final JobStore store;
    private final JobRunner runner;
    private final Catalogs catalogs;
    private final LaunchCalls calls;
    private final StoredFindings stored;
    private final ProblemReader problems;
    private final ForwardEstimator estimator;

    LaunchController(
            JobStore store,
            JobRunner runner,
            Catalogs catalogs,
            StoredFindings stored,
            ProblemReader problems,
            AnalyticForwardEstimator estimator) {
        this.problems = problems;
        this.estimator = estimator;
        this.store = store;
        this.runner = runner;
        this.catalogs = catalogs;
        this.calls = new LaunchCalls(catalogs);
        this.stored = stored;
    }

    @GetMapping(
            path = "/launch",
            produces = {MediaType.APPLICATION_JSON_VALUE, ReportFormat.PLAIN})
    LaunchResponse launch(
            @PathVariable String id,
            @RequestParam(required = false) @Nullable String engine,
            @RequestParam(defaultValue = "1") String rank,
            @RequestParam(required = false) @Nullable String device,
            @RequestParam(defaultValue = "false") String benchmark,
            @RequestParam(name = CONTEXT_TOKENS, required = false) @Nullable String contextTokens) {
        calls.requireKnown(engine);
        int place = LaunchCalls.place(rank);
        boolean checked = ParameterValue.isTrue("benchmark", benchmark);
        ContextParameter context = ContextParameter.of(contextTokens);
        return ofFindings(id, findings -> {
            Launcher.Asked row = asked(findings, device, place, context);
            return calls.launcher(engine, findings, row).launch(findings.request(), findings.result(), row, checked);
        });
    }

    @GetMapping(path = "/launch/manifests", produces = MediaType.APPLICATION_YAML_VALUE)
    byte[] manifests(
            @PathVariable String id,
            @RequestParam(required = false) @Nullable String engine,
            @RequestParam(defaultValue = "1") String rank,
            @RequestParam(required = false) @Nullable String device,
            @RequestParam(name = DEVICES_PER_NODE, defaultValue = "8") String devicesPerNode,
            @RequestParam(defaultValue = "deployment") String format,
            @RequestParam(name = CONTEXT_TOKENS, required = false) @Nullable String contextTokens) {
        calls.requireKnown(engine);
        int place = LaunchCalls.place(rank);
        ManifestKind manifests = ManifestKind.of(format)
                .orElseThrow(() -> new InvalidParameterException(
                        "format",
                        "must be one of "
                                + Stream.of(ManifestKind.values())
                                        .map(ManifestKind::wireName)
                                        .collect(Collectors.joining(", "))
                                + ", got \"" + format + "\""));
        int onNode = LaunchCalls.number(DEVICES_PER_NODE, devicesPerNode);
        if (onNode < 1 || onNode > MOST_PER_NODE) {
            throw new InvalidParameterException(
                    DEVICES_PER_NODE, "must be a whole number from 1 to " + MOST_PER_NODE + ", got " + onNode);
        }
        ContextParameter context = ContextParameter.of(contextTokens);
        return ofFindings(id, findings -> {
            Launcher.Asked row = asked(findings, device, place, context);
            return calls.launcher(engine, findings, row)
                    .manifests(findings.request(), findings.result(), row, manifests, onNode)
                    .getBytes(StandardCharsets.UTF_8);
        });
    }

    @GetMapping(path = "/launch/engines", produces = MediaType.APPLICATION_JSON_VALUE)
    LaunchEnginesResponse engines(
            @PathVariable String id,
            @RequestParam(defaultValue = "1") String rank,
            @RequestParam(required = false) @Nullable String device) {
        int place = LaunchCalls.place(rank);
        return ofFindings(
                id, findings -> EngineChoice.of(catalogs, findings.request(), findings.result(), device, place));
    }

    /// The requested context length.
    ///
    /// @param tokens context length in tokens; null for the longest
    private record ContextParameter(boolean given, @Nullable Integer tokens) {
        private static final String LONGEST = "longest";

        static ContextParameter of(@Nullable String text) {
            if (text == null || text.equals(LONGEST)) {
                return new ContextParameter(text != null, null);
            }
            try {
                int tokens = Integer.parseInt(text);
                if (tokens > 0) {
                    return new ContextParameter(true, tokens);
                }
            } catch (NumberFormatException _) {
                // Said below.
            }
            throw new InvalidParameterException(
                    CONTEXT_TOKENS, "must be a whole number from 1, or " + LONGEST + ", got \"" + text + "\"");
        }
    }

    private Launcher.Asked asked(Findings findings, @Nullable String device, int rank, ContextParameter context) {
        OptimizationRequest request = findings.request();
        return new Launcher.Asked(
                device,
                rank,
                context.given
                        ? new ContextLengthOption(
                                context.tokens,
                                new ContextAnswer(
                                        problems.question(request), request.goesBeyondContext(), estimator, () -> {}))
                        : null);
    }

    private <T> T ofFindings(String id, Function<Findings, T> answer) {
        JobResult result = JobLookup.result(runner.describe(JobLookup.find(store, id)));
        return LaunchCalls.answer(() -> answer.apply(stored.of(result)));
    }
}

package io.throughputoptimizer.web;

import io.throughputoptimizer.api.request.SubmittedRequest;
import io.throughputoptimizer.api.result.LaunchResponse;
import io.throughputoptimizer.catalog.Catalogs;
import io.throughputoptimizer.launch.Launcher;
import io.throughputoptimizer.report.Findings;
import io.throughputoptimizer.report.ReportFormat;
import io.throughputoptimizer.web.bound.HttpLimits;
import io.throughputoptimizer.web.parameter.ParameterValue;
import io.throughputoptimizer.web.parameter.WaitPreference;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/// Commands that start a row of a result that is not stored.
@RestController
@RequestMapping("/api/v1/launch-scripts")
class LaunchScriptController {
    private final RequestValidation judge;
    private final EphemeralSearches unstored;
    private final HttpLimits limits;
    private final LaunchCalls calls;

    LaunchScriptController(RequestValidation judge, EphemeralSearches unstored, HttpLimits limits, Catalogs catalogs) {
        this.judge = judge;
        this.unstored = unstored;
        this.limits = limits;
        this.calls = new LaunchCalls(catalogs);
    }

    @PostMapping(
            consumes = {MediaType.APPLICATION_JSON_VALUE, MediaType.APPLICATION_YAML_VALUE},
            produces = {MediaType.APPLICATION_JSON_VALUE, ReportFormat.PLAIN})
    LaunchResponse launch(
            @RequestBody SubmittedRequest asked,
            @RequestHeader(name = "Prefer", required = false) @Nullable String prefer,
            @RequestParam(required = false) @Nullable String engine,
            @RequestParam(defaultValue = "1") String rank,
            @RequestParam(required = false) @Nullable String device,
            @RequestParam(defaultValue = "false") String benchmark)
            throws InterruptedException {
        calls.requireKnown(engine);
        int place = LaunchCalls.place(rank);
        boolean checked = ParameterValue.isTrue("benchmark", benchmark);
        WaitPreference wait = WaitPreference.orLongest(prefer, limits.longestWait());
        Findings findings = unstored.findings(judge.judge(asked, false), wait);
        Launcher.Asked row = new Launcher.Asked(device, place, null);
        return LaunchCalls.answer(() -> calls.launcher(engine, findings, row)
                .launchOrAdvise(findings.request(), findings.result(), row, checked));
    }
}

package io.throughputoptimizer.web;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import io.throughputoptimizer.api.request.SubmittedRequest;
import io.throughputoptimizer.api.result.LaunchResponse;
import io.throughputoptimizer.catalog.Catalogs;
import io.throughputoptimizer.launch.Launcher;
import io.throughputoptimizer.report.Findings;
import io.throughputoptimizer.report.ReportFormat;
import io.throughputoptimizer.web.LaunchCalls.EngineParameter;
import io.throughputoptimizer.web.bound.HttpLimits;
import io.throughputoptimizer.web.description.ApiTags;
import io.throughputoptimizer.web.description.ProblemResponses.CannotLaunchResponses;
import io.throughputoptimizer.web.description.ProblemResponses.UnstoredLaunchResponses;
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
@Tag(name = ApiTags.LAUNCH)
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

    @Operation(
            operationId = "createLaunchScript",
            summary = "Create a launch script without a job",
            description = "Runs the search of `POST /api/v1/optimizations` with `store=false` and responds as"
                    + " `GET /api/v1/optimizations/{id}/launch`. Use it for other rows, engines and"
                    + " benchmarks; `launch` of the search already has the commands of its best row.")
    @ApiResponse(responseCode = "200", description = "The commands.")
    @CannotLaunchResponses
    @UnstoredLaunchResponses
    @PostMapping(
            consumes = {MediaType.APPLICATION_JSON_VALUE, MediaType.APPLICATION_YAML_VALUE},
            produces = {MediaType.APPLICATION_JSON_VALUE, ReportFormat.PLAIN})
    LaunchResponse launch(
            @RequestBody SubmittedRequest asked,
            @Parameter(
                            description = "`wait=SECONDS` (RFC 7240): maximum wait for the end of the search, up to a"
                                    + " configured limit.",
                            example = "wait=5")
                    @RequestHeader(name = "Prefer", required = false)
                    @Nullable
                    String prefer,
            @EngineParameter @RequestParam(required = false) @Nullable String engine,
            @Parameter(
                            description = "Rank of the row, as for jobs.",
                            schema = @Schema(type = "integer", minimum = "1", defaultValue = "1"))
                    @RequestParam(defaultValue = "1")
                    String rank,
            @Parameter(description = "Device, if the result has several. Default: the first with the row.")
                    @RequestParam(required = false)
                    @Nullable
                    String device,
            @Parameter(
                            description = "True to include benchmarks that verify the plan.",
                            schema = @Schema(type = "boolean", defaultValue = "false"))
                    @RequestParam(defaultValue = "false")
                    String benchmark)
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

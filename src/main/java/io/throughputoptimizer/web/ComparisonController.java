package io.throughputoptimizer.web;

import io.throughputoptimizer.api.metrics.Comparison;
import io.throughputoptimizer.api.metrics.ComparisonRequest;
import io.throughputoptimizer.api.metrics.ComparisonResponse;
import io.throughputoptimizer.api.result.BestPlans;
import io.throughputoptimizer.api.wire.RequestValidator;
import io.throughputoptimizer.catalog.Catalogs;
import io.throughputoptimizer.report.Findings;
import io.throughputoptimizer.report.ReportFormat;
import io.throughputoptimizer.web.bound.HttpLimits;
import io.throughputoptimizer.web.parameter.WaitPreference;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/// Comparisons of running servers with the best plans for their devices; nothing is kept of them.
@RestController
class ComparisonController {
    static final String PATH = "/api/v1/comparisons";

    private final RequestValidator validator;
    private final RequestValidation judge;
    private final EphemeralSearches searches;
    private final Catalogs catalogs;
    private final HttpLimits limits;

    ComparisonController(
            RequestValidator validator,
            RequestValidation judge,
            EphemeralSearches searches,
            Catalogs catalogs,
            HttpLimits limits) {
        this.validator = validator;
        this.judge = judge;
        this.searches = searches;
        this.catalogs = catalogs;
        this.limits = limits;
    }

    @PostMapping(
            path = PATH,
            consumes = {MediaType.APPLICATION_JSON_VALUE, MediaType.APPLICATION_YAML_VALUE},
            produces = {MediaType.APPLICATION_JSON_VALUE, ReportFormat.PLAIN})
    ComparisonResponse compare(@RequestBody ComparisonRequest request) throws InterruptedException {
        validator.check(request);
        WaitPreference wait = new WaitPreference(limits.longestWait().toSeconds());
        return Comparison.of(request, catalogs.models().ids()::contains, question -> {
            Findings found = searches.findings(judge.judge(question, false), wait);
            return BestPlans.complete(found.request(), found.result()).best();
        });
    }
}

package io.throughputoptimizer.web;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.job.JobResponse;
import io.throughputoptimizer.api.job.JobResult;
import io.throughputoptimizer.api.job.ShareResponse.SharedResponse;
import io.throughputoptimizer.api.request.OptimizationRequest;
import io.throughputoptimizer.api.result.ResultPart;
import io.throughputoptimizer.api.result.ResultResponse;
import io.throughputoptimizer.api.result.catalog.LaunchEnginesResponse.BestLaunchResponse;
import io.throughputoptimizer.catalog.Catalogs;
import io.throughputoptimizer.job.JobRunner;
import io.throughputoptimizer.job.JobStore;
import io.throughputoptimizer.launch.EngineChoice;
import io.throughputoptimizer.security.ShareLinks;
import io.throughputoptimizer.web.description.Reported;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.info.BuildProperties;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/// The optimization of a shared link. Only the link identifies it: these paths contain no id, so no other
/// optimization can be requested.
@RestController
@RequestMapping("/api/v1/share")
class SharedController {
    private static final String TOKEN = "Share-Token";

    private final JobStore store;
    private final JobRunner runner;
    private final ShareLinks links;
    private final Catalogs catalogs;
    private final @Nullable String version;

    SharedController(
            JobStore store,
            JobRunner runner,
            ShareLinks links,
            Catalogs catalogs,
            ObjectProvider<BuildProperties> build) {
        this.store = store;
        this.runner = runner;
        this.links = links;
        this.catalogs = catalogs;
        BuildProperties built = build.getIfAvailable();
        this.version = built == null ? null : built.getVersion();
    }

    @GetMapping(produces = MediaType.APPLICATION_JSON_VALUE)
    SharedResponse get(
            @RequestHeader(name = TOKEN, required = false) @Nullable String token,
            @RequestParam(required = false) @Nullable String include) {
        Set<ResultPart> included = IncludedParts.ofResult(include);
        ShareLinks.Link link = open(token);
        JobResponse job = job(link);
        return new SharedResponse(
                link.expiresAt(),
                version,
                job.withoutId().withLaunch(launch(job)).with(included).made());
    }

    private Optional<BestLaunchResponse> launch(JobResponse job) {
        return Optional.ofNullable(job.result())
                .flatMap(result -> ResultResponse.read(result.json()))
                .flatMap(result -> EngineChoice.ofBest(
                        catalogs, WireFormat.readStored(job.request(), OptimizationRequest.class), result));
    }

    @Reported
    @GetMapping("/result")
    JobResult result(
            @RequestHeader(name = TOKEN, required = false) @Nullable String token,
            @RequestParam(required = false) @Nullable String include) {
        Set<ResultPart> included = IncludedParts.ofResult(include);
        JobResponse job = job(open(token));
        return JobLookup.result(job.with(included));
    }

    private ShareLinks.Link open(@Nullable String token) {
        return links.open(token == null ? "" : token).orElseThrow(JobLookup::notShared);
    }

    private JobResponse job(ShareLinks.Link link) {
        return runner.describe(JobLookup.shared(store, link.job()));
    }
}

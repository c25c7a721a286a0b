package io.throughputoptimizer.web;

import io.throughputoptimizer.api.job.JobResponse;
import io.throughputoptimizer.api.job.JobResponse.JobListResponse;
import io.throughputoptimizer.api.request.SubmittedRequest;
import io.throughputoptimizer.api.result.ResultPart;
import io.throughputoptimizer.job.JobEvents;
import io.throughputoptimizer.job.JobRunner;
import io.throughputoptimizer.job.JobStore;
import io.throughputoptimizer.job.OptimizationJob;
import io.throughputoptimizer.job.Origin;
import io.throughputoptimizer.job.Page;
import io.throughputoptimizer.job.Submission;
import io.throughputoptimizer.quota.CallerQuota;
import io.throughputoptimizer.security.Caller;
import io.throughputoptimizer.web.bound.HttpLimits;
import io.throughputoptimizer.web.description.Reported;
import io.throughputoptimizer.web.parameter.IdempotencyKey;
import io.throughputoptimizer.web.parameter.JobQuery;
import io.throughputoptimizer.web.parameter.ParameterValue;
import io.throughputoptimizer.web.parameter.WaitPreference;
import io.throughputoptimizer.web.problem.ProblemException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/// Optimizations: submit, wait for, list and remove.
@RestController
@RequestMapping(path = "/api/v1/optimizations", produces = MediaType.APPLICATION_JSON_VALUE)
class OptimizationController {
    private final RequestValidation judge;
    private final JobStore store;
    private final JobRunner runner;
    private final JobEvents<OptimizationJob.Standing> events;
    private final HttpLimits limits;
    private final EphemeralSearches unstored;
    private final CallerQuota waiting;

    OptimizationController(
            RequestValidation judge,
            JobStore store,
            JobRunner runner,
            JobEvents<OptimizationJob.Standing> events,
            HttpLimits limits,
            EphemeralSearches unstored,
            @Qualifier("waiting") CallerQuota waiting) {
        this.judge = judge;
        this.store = store;
        this.runner = runner;
        this.events = events;
        this.limits = limits;
        this.unstored = unstored;
        this.waiting = waiting;
    }

    @Reported
    @PostMapping(consumes = {MediaType.APPLICATION_JSON_VALUE, MediaType.APPLICATION_YAML_VALUE})
    ResponseEntity<JobResponse> submit(
            @RequestBody SubmittedRequest asked,
            @RequestHeader(name = "Prefer", required = false) @Nullable String prefer,
            @RequestHeader(name = IdempotencyKey.HEADER, required = false) @Nullable String idempotencyKey,
            @RequestParam(name = "store", defaultValue = "true") String stored,
            @RequestParam(required = false) @Nullable String include)
            throws InterruptedException {
        String key = IdempotencyKey.check(idempotencyKey);
        boolean stores = ParameterValue.isTrue("store", stored);
        IncludedParts included = IncludedParts.ofRequest(include);
        RequestValidation.Judged judged = judge.judge(asked, included.defaults());
        Origin origin = new Origin(Caller.current().owner(), key, Caller.currentId());
        if (!stores) {
            WaitPreference patience = WaitPreference.orLongest(prefer, limits.longestWait());
            JobResponse answer = unstored.withLaunch(judged, patience);
            return ResponseEntity.ok()
                    .header(WaitPreference.APPLIED, patience.applied())
                    .body(answer.with(included.parts()));
        }
        // A preference may be passed over: whoever waits with too many requests already is answered at once.
        Optional<WaitPreference> wait =
                WaitPreference.in(prefer, limits.longestWait()).filter(_ -> waiting.take(origin.callerId()));
        try {
            OptimizationJob job = submitAndWait(judged, origin, wait);
            return answer(JobLookup.withResult(store, job), wait, included.parts());
        } finally {
            wait.ifPresent(_ -> waiting.giveBack(origin.callerId()));
        }
    }

    private OptimizationJob submitAndWait(RequestValidation.Judged judged, Origin origin, Optional<WaitPreference> wait)
            throws InterruptedException {
        long deadline = System.nanoTime()
                + wait.map(WaitPreference::duration).orElse(Duration.ZERO).toNanos();
        OptimizationJob job = accepted(submit(judged, origin, wait));
        if (wait.isPresent() && !job.state().isFinished()) {
            events.awaitFinish(job.id(), Duration.ofNanos(deadline - System.nanoTime()));
        }
        return job;
    }

    private Submission<OptimizationJob> submit(
            RequestValidation.Judged judged, Origin origin, Optional<WaitPreference> wait) throws InterruptedException {
        return wait.isPresent()
                        && wait.get().seconds() > 0
                        && limits.promptTime().isPositive()
                ? runner.submitAndRun(judged.request(), origin, wait.get().duration())
                : runner.submit(judged.request(), origin);
    }

    private OptimizationJob accepted(Submission<OptimizationJob> submission) {
        return switch (submission) {
            case Submission.Accepted<OptimizationJob> accepted -> accepted.job();
            case Submission.Known<OptimizationJob> known -> known.job();
            case Submission.KeyTaken<OptimizationJob> _ -> throw ProblemException.keyReused();
            case Submission.QueueFull<OptimizationJob> full ->
                throw ProblemException.queueFull(
                        full, full.expectedWait() == null ? limits.retryAfter() : full.expectedWait());
        };
    }

    private ResponseEntity<JobResponse> answer(
            OptimizationJob job, Optional<WaitPreference> wait, Set<ResultPart> included) {
        boolean waited = wait.isPresent() && job.state().isFinished();
        ResponseEntity.BodyBuilder answer = ResponseEntity.status(waited ? HttpStatus.OK : HttpStatus.ACCEPTED)
                .location(URI.create("/api/v1/optimizations/" + job.id()));
        wait.ifPresent(preference -> answer.header(WaitPreference.APPLIED, preference.applied()));
        if (!waited) {
            // There is nothing to make a report of yet.
            answer.contentType(MediaType.APPLICATION_JSON);
        }
        return answer.body(runner.describe(job).with(included));
    }

    @GetMapping
    JobListResponse list(
            @RequestParam(required = false) @Nullable List<String> status,
            @RequestParam(defaultValue = "false") String starred,
            @RequestParam(defaultValue = "") String q,
            @RequestParam(defaultValue = JobQuery.DEFAULT_PAGE) String limit,
            @RequestParam(required = false) @Nullable String cursor) {
        JobQuery query = JobQuery.of(status, starred, q, limit, cursor);
        JobStore.Filter filter = new JobStore.Filter(query.statuses(), query.starred(), query.words());
        Page<OptimizationJob> page = store.list(filter, Caller.current().onlyOwner(), query.before(), query.limit());
        return new JobListResponse(page.entries().stream().map(runner::describe).toList(), page.cursor());
    }

    @GetMapping("/{id}")
    JobResponse get(@PathVariable String id, @RequestParam(required = false) @Nullable String include) {
        Set<ResultPart> included = IncludedParts.ofResult(include);
        return runner.describe(find(id)).with(included);
    }

    @PostMapping("/{id}/cancel")
    ResponseEntity<JobResponse> cancel(@PathVariable String id) {
        boolean cancels = runner.cancel(JobLookup.findToEnd(store, id).id());
        return ResponseEntity.status(cancels ? HttpStatus.ACCEPTED : HttpStatus.OK)
                .body(runner.describe(JobLookup.findWithoutResult(store, id)));
    }

    @DeleteMapping("/{id}")
    ResponseEntity<Void> delete(@PathVariable String id) {
        OptimizationJob job = JobLookup.findToEnd(store, id);
        if (!job.state().isFinished()) {
            throw ProblemException.stillRunning("The optimization");
        }
        runner.remove(job.id());
        return ResponseEntity.noContent().build();
    }

    private OptimizationJob find(String id) {
        return JobLookup.find(store, id);
    }
}

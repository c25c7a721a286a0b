package io.throughputoptimizer.web;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.sweep.SweepRequest.SubmittedSweep;
import io.throughputoptimizer.api.sweep.SweepResponse;
import io.throughputoptimizer.api.sweep.SweepResponse.SweepListResponse;
import io.throughputoptimizer.api.wire.RequestValidator;
import io.throughputoptimizer.job.JobEvents;
import io.throughputoptimizer.job.Origin;
import io.throughputoptimizer.job.Page;
import io.throughputoptimizer.job.Submission;
import io.throughputoptimizer.quota.CallerQuota;
import io.throughputoptimizer.security.Caller;
import io.throughputoptimizer.sweep.Sweep;
import io.throughputoptimizer.sweep.SweepRunner;
import io.throughputoptimizer.sweep.SweepStore;
import io.throughputoptimizer.web.OptimizationLabelController.LabelRequest;
import io.throughputoptimizer.web.bound.HttpLimits;
import io.throughputoptimizer.web.parameter.IdempotencyKey;
import io.throughputoptimizer.web.parameter.JobQuery;
import io.throughputoptimizer.web.parameter.WaitPreference;
import io.throughputoptimizer.web.problem.ProblemException;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.net.URI;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/// Sweeps: submit, follow, list, cancel and remove.
@RestController
@RequestMapping(path = SweepController.PATH)
class SweepController {
    static final String PATH = "/api/v1/sweeps";

    private final RequestValidator validator;
    private final SweepRunner runner;
    private final SweepStore store;
    private final SweepLookup lookup;
    private final JobEvents<Sweep.Standing> events;
    private final EventStreams streams;
    private final HttpLimits limits;
    private final CallerQuota waiting;

    SweepController(
            RequestValidator validator,
            SweepRunner runner,
            SweepStore store,
            SweepLookup lookup,
            JobEvents<Sweep.Standing> events,
            EventStreams streams,
            HttpLimits limits,
            @Qualifier("waiting") CallerQuota waiting) {
        this.validator = validator;
        this.runner = runner;
        this.store = store;
        this.lookup = lookup;
        this.events = events;
        this.streams = streams;
        this.limits = limits;
        this.waiting = waiting;
    }

    @PostMapping(
            consumes = {MediaType.APPLICATION_JSON_VALUE, MediaType.APPLICATION_YAML_VALUE},
            produces = MediaType.APPLICATION_JSON_VALUE)
    ResponseEntity<SweepResponse> submit(
            @RequestBody SubmittedSweep asked,
            @RequestHeader(name = "Prefer", required = false) @Nullable String prefer,
            @RequestHeader(name = IdempotencyKey.HEADER, required = false) @Nullable String idempotencyKey)
            throws InterruptedException {
        Origin origin = new Origin(Caller.current().owner(), IdempotencyKey.check(idempotencyKey), Caller.currentId());
        validator.check(asked.request());
        Sweep sweep = accepted(runner.submit(asked, origin));
        Optional<WaitPreference> wait =
                WaitPreference.in(prefer, limits.longestWait()).filter(_ -> waiting.take(origin.callerId()));
        if (wait.isPresent()) {
            try {
                events.awaitFinish(sweep.id(), wait.get().duration());
            } finally {
                waiting.giveBack(origin.callerId());
            }
        }
        Sweep now = store.find(sweep.id()).orElse(sweep);
        ResponseEntity.BodyBuilder answer = ResponseEntity.status(
                        wait.isPresent() && now.isFinished() ? HttpStatus.OK : HttpStatus.ACCEPTED)
                .location(URI.create(PATH + "/" + now.id()));
        wait.ifPresent(preference -> answer.header(WaitPreference.APPLIED, preference.applied()));
        return answer.body(lookup.described(now, asked.json()));
    }

    private Sweep accepted(Submission<Sweep> submission) {
        return switch (submission) {
            case Submission.Accepted<Sweep> accepted -> accepted.job();
            case Submission.Known<Sweep> known -> known.job();
            case Submission.KeyTaken<Sweep> _ -> throw ProblemException.keyReused();
            case Submission.QueueFull<Sweep> full -> throw ProblemException.sweepsFull(full, limits.retryAfter());
        };
    }

    @GetMapping(produces = MediaType.APPLICATION_JSON_VALUE)
    SweepListResponse list(
            @RequestParam(defaultValue = JobQuery.DEFAULT_PAGE) String limit,
            @RequestParam(required = false) @Nullable String cursor) {
        int most = JobQuery.limit(limit);
        UUID before = JobQuery.before(cursor);
        Page<Sweep> page = store.list(Caller.current().onlyOwner(), before, most);
        return new SweepListResponse(
                page.entries().stream().map(Sweep::response).toList(), page.cursor());
    }

    @GetMapping(path = "/{id}", produces = MediaType.APPLICATION_JSON_VALUE)
    SweepResponse get(@PathVariable String id) {
        Sweep sweep = lookup.find(id);
        String request = lookup.request(sweep);
        return lookup.described(sweep, request);
    }

    @PatchMapping(
            path = "/{id}",
            consumes = {MediaType.APPLICATION_JSON_VALUE, MediaType.APPLICATION_YAML_VALUE},
            produces = MediaType.APPLICATION_JSON_VALUE)
    SweepResponse rename(@PathVariable String id, @RequestBody NameRequest request) {
        UUID known = lookup.findToEnd(id).id();
        validator.check(request);
        store.rename(known, request.name().strip());
        return lookup.find(id).response();
    }

    /// A new name of a sweep.
    @Schema(name = "SweepNameRequest", description = "Name of a sweep.")
    public record NameRequest(
            @Schema(
                    description = "Name without surrounding blanks. An empty string removes the name.",
                    example = "H100 against H200")
            @NotNull
            @Size(max = LabelRequest.LONGEST_NAME, message = "{request.name.length}")
            @Pattern(regexp = LabelRequest.WRITTEN, message = "{request.label}")
            String name) {}

    @PostMapping(path = "/{id}/cancel", produces = MediaType.APPLICATION_JSON_VALUE)
    ResponseEntity<SweepResponse> cancel(@PathVariable String id) {
        boolean cancels = runner.cancel(lookup.findToEnd(id).id());
        return ResponseEntity.status(cancels ? HttpStatus.ACCEPTED : HttpStatus.OK)
                .body(lookup.find(id).response());
    }

    @DeleteMapping(path = "/{id}", produces = MediaType.APPLICATION_JSON_VALUE)
    ResponseEntity<Void> delete(@PathVariable String id) {
        Sweep sweep = lookup.findToEnd(id);
        if (!sweep.isFinished()) {
            throw ProblemException.stillRunning("The sweep");
        }
        runner.remove(sweep.id());
        return ResponseEntity.noContent().build();
    }

    @GetMapping(path = "/{id}/events", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    ResponseEntity<SseEmitter> follow(@PathVariable String id) {
        UUID known = lookup.find(id).id();
        return streams.open(new EventStreams.Followed<>(
                known, events, () -> store.find(known).isPresent(), standing -> standing));
    }

    /// Answers the headers of a stream without opening one.
    @Operation(hidden = true)
    @RequestMapping(path = "/{id}/events", method = RequestMethod.HEAD, produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    ResponseEntity<Void> look(@PathVariable String id) {
        lookup.find(id);
        return EventStreams.head();
    }
}

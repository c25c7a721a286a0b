package io.throughputoptimizer.web;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import io.throughputoptimizer.job.JobEvents;
import io.throughputoptimizer.job.JobRunner;
import io.throughputoptimizer.job.JobStanding;
import io.throughputoptimizer.job.JobStore;
import io.throughputoptimizer.security.Caller;
import io.throughputoptimizer.security.Permit;
import io.throughputoptimizer.security.StreamShares;
import io.throughputoptimizer.share.Sharer;
import io.throughputoptimizer.web.description.OpenApiConfiguration;
import io.throughputoptimizer.web.description.UnknownNameResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/// Progress of optimizations as it happens, whichever replica runs them.
@RestController
@Tag(name = OpenApiConfiguration.OPTIMIZATIONS)
@RequestMapping("/api/v1/optimizations/{id}/events")
class EventController {
    private static final long UNLIMITED = 0;

    /// How long a stream may outlive the key that opened it, once the revocation is known here.
    private static final Duration LONGEST_TRUST = Duration.ofSeconds(5);

    /// Times that a stream has spoken when it knows that nobody listens: the first goes unanswered.
    private static final int UNHEARD = 2;

    /// Asks nginx to pass events on as they come.
    private static final String UNBUFFERED = "X-Accel-Buffering";

    private final JobStore store;
    private final JobRunner runner;
    private final JobEvents events;
    private final StreamShares shares;
    /// How often a silent stream says that it lives, and notices a caller who is gone.
    private final Duration keepAlive;
    /// How often the caller's key is looked at.
    private final Duration trust;
    private final AtomicInteger streams = new AtomicInteger();

    EventController(
            JobStore store,
            JobRunner runner,
            JobEvents events,
            StreamShares shares,
            HttpLimits limits,
            MeterRegistry meters) {
        this.keepAlive = limits.keepAlive();
        this.trust = keepAlive.compareTo(LONGEST_TRUST) < 0 ? keepAlive : LONGEST_TRUST;
        this.store = store;
        this.runner = runner;
        this.events = events;
        this.shares = shares;
        Gauge.builder("optimizer.events.streams", streams, AtomicInteger::get)
                .description("Callers who follow an optimization on this replica.")
                .register(meters);
    }

    /// Who follows, and by which key.
    private record Follower(Sharer sharer, Permit permit) {}

    @Operation(
            operationId = "followOptimization",
            summary = "Follow an optimization",
            description =
                    "Server-sent events: `progress` now and whenever something changes, and a last `finished`; the"
                            + " data of both is how the job stands. A stream that ends without `finished` was ended by a stop"
                            + " of the service, or because the caller's key was revoked or expired: connect again.")
    @ApiResponse(
            responseCode = "200",
            description = "The stream.",
            content =
                    @Content(
                            mediaType = MediaType.TEXT_EVENT_STREAM_VALUE,
                            schema = @Schema(implementation = JobStanding.class)))
    @UnknownNameResponse
    @GetMapping(produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    ResponseEntity<SseEmitter> follow(@Parameter(description = "Id of the job.") @PathVariable String id) {
        UUID known = JobLookup.findWithoutResult(store, id).id();
        Sharer sharer = Caller.currentSharer();
        Permit permit = Permit.current();
        if (!shares.take(sharer)) {
            throw ProblemException.tooManyStreams(keepAlive.multipliedBy(UNHEARD));
        }
        SseEmitter stream = new SseEmitter(UNLIMITED);
        Thread.ofVirtual().name("events-" + known).start(() -> tell(known, stream, new Follower(sharer, permit)));
        return ResponseEntity.ok().header(UNBUFFERED, "no").body(stream);
    }

    /// What a stream would begin with. A stream that nobody reads would go on until its job ends.
    @Operation(hidden = true)
    @RequestMapping(method = RequestMethod.HEAD, produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    ResponseEntity<Void> look(@PathVariable String id) {
        JobLookup.findWithoutResult(store, id);
        return ResponseEntity.ok()
                .header(UNBUFFERED, "no")
                .contentType(MediaType.TEXT_EVENT_STREAM)
                .build();
    }

    private void tell(UUID id, SseEmitter stream, Follower follower) {
        streams.incrementAndGet();
        try {
            tellUntilEnd(id, stream, follower);
            stream.complete();
        } catch (IOException | IllegalStateException _) {
            // The caller is gone, and Tomcat knows.
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } finally {
            streams.decrementAndGet();
        }
    }

    /// Gives the caller's place back before the caller can know that the stream has ended.
    private void tellUntilEnd(UUID id, SseEmitter stream, Follower follower) throws IOException, InterruptedException {
        try {
            JobStanding last = null;
            long spokeAt = System.nanoTime();
            long checkedAt = spokeAt;
            do {
                Duration silence = left(spokeAt, keepAlive);
                Duration trusted = left(checkedAt, trust);
                Optional<JobStanding> next =
                        events.awaitChange(id, last, silence.compareTo(trusted) < 0 ? silence : trusted);
                if (left(checkedAt, trust).isZero()) {
                    if (!follower.permit().isValid()) {
                        return;
                    }
                    checkedAt = System.nanoTime();
                }
                if (next.isPresent()) {
                    last = next.get();
                    tell(last, stream);
                    spokeAt = System.nanoTime();
                } else if (events.isClosed() || store.findWithoutResult(id).isEmpty()) {
                    return;
                } else if (left(spokeAt, keepAlive).isZero()) {
                    stream.send(SseEmitter.event().comment("nothing new"));
                    spokeAt = System.nanoTime();
                }
            } while (last == null || !last.status().isFinished());
        } finally {
            shares.giveBack(follower.sharer());
        }
    }

    private static Duration left(long sinceNanos, Duration span) {
        Duration left = span.minusNanos(System.nanoTime() - sinceNanos);
        return left.isNegative() ? Duration.ZERO : left;
    }

    private void tell(JobStanding standing, SseEmitter stream) throws IOException {
        String name = standing.status().isFinished() ? "finished" : "progress";
        stream.send(SseEmitter.event().name(name).data(runner.describe(standing), MediaType.APPLICATION_JSON));
    }
}

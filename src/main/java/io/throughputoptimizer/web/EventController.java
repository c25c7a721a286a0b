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
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/// Progress of optimizations as it happens, whichever replica runs them.
@RestController
@Tag(name = OpenApiConfiguration.OPTIMIZATIONS)
@RequestMapping("/api/v1/optimizations/{id}/events")
class EventController {
    private static final long UNLIMITED = 0;

    /// Asks nginx to pass events on as they come.
    private static final String UNBUFFERED = "X-Accel-Buffering";

    private final JobStore store;
    private final JobRunner runner;
    private final JobEvents events;
    private final StreamShares shares;
    /// How often a silent stream says that it lives, and notices a caller who is gone or has no key any more.
    private final Duration keepAlive;
    private final AtomicInteger streams = new AtomicInteger();

    EventController(
            JobStore store,
            JobRunner runner,
            JobEvents events,
            StreamShares shares,
            HttpLimits limits,
            MeterRegistry meters) {
        this.keepAlive = limits.keepAlive();
        this.store = store;
        this.runner = runner;
        this.events = events;
        this.shares = shares;
        Gauge.builder("optimizer.events.streams", streams, AtomicInteger::get)
                .description("Callers who follow an optimization on this replica.")
                .register(meters);
    }

    /// Who follows, and by which key.
    private record Follower(Caller caller, Permit permit) {}

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
        Caller caller = Caller.current();
        Permit permit = Permit.current();
        if (!shares.take(caller)) {
            throw ProblemException.tooManyStreams(keepAlive);
        }
        SseEmitter stream = new SseEmitter(UNLIMITED);
        Thread.ofVirtual().name("events-" + known).start(() -> tell(known, stream, new Follower(caller, permit)));
        return ResponseEntity.ok().header(UNBUFFERED, "no").body(stream);
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
            long checkedAt = System.nanoTime();
            do {
                last = tellNext(id, last, stream);
                if (System.nanoTime() - checkedAt >= keepAlive.toNanos()) {
                    if (!follower.permit().isValid()) {
                        return;
                    }
                    checkedAt = System.nanoTime();
                }
            } while (last != null && !last.status().isFinished());
        } finally {
            shares.giveBack(follower.caller());
        }
    }

    /// @return how the job stands; null if there is nothing to tell any more
    private @Nullable JobStanding tellNext(UUID id, @Nullable JobStanding last, SseEmitter stream)
            throws IOException, InterruptedException {
        Optional<JobStanding> next = events.awaitChange(id, last, keepAlive);
        if (next.isPresent()) {
            String name = next.get().status().isFinished() ? "finished" : "progress";
            stream.send(SseEmitter.event().name(name).data(runner.describe(next.get()), MediaType.APPLICATION_JSON));
            return next.get();
        }
        if (events.isClosed() || store.findWithoutResult(id).isEmpty()) {
            return null;
        }
        stream.send(SseEmitter.event().comment("nothing new"));
        return last;
    }
}

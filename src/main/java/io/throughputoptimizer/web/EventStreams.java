package io.throughputoptimizer.web;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.throughputoptimizer.job.JobEvents;
import io.throughputoptimizer.quota.CallerId;
import io.throughputoptimizer.quota.CallerQuota;
import io.throughputoptimizer.security.Caller;
import io.throughputoptimizer.security.Permit;
import io.throughputoptimizer.web.bound.HttpLimits;
import io.throughputoptimizer.web.problem.ProblemException;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/// Tells callers how what they follow stands, as it happens, whichever replica works on it. Thread-safe.
@Component
final class EventStreams {
    private static final long UNLIMITED = 0;

    /// Maximum time for which a stream outlives its revoked key, once the revocation is known here.
    private static final Duration LONGEST_TRUST = Duration.ofSeconds(5);

    /// Keep-alive messages after which a stream detects a closed connection: the first has no answer.
    private static final int UNHEARD = 2;

    /// Asks nginx to pass events on as they come.
    private static final String UNBUFFERED = "X-Accel-Buffering";

    private final CallerQuota places;
    /// Interval at which a silent stream sends a sign of life and notices a caller who is gone.
    private final Duration keepAlive;
    /// Interval of checks of the caller's key.
    private final Duration trust;
    private final AtomicInteger streams = new AtomicInteger();

    EventStreams(@Qualifier("streams") CallerQuota places, HttpLimits limits, MeterRegistry meters) {
        this.keepAlive = limits.keepAlive();
        this.trust = keepAlive.compareTo(LONGEST_TRUST) < 0 ? keepAlive : LONGEST_TRUST;
        this.places = places;
        Gauge.builder("optimizer.events.streams", streams, AtomicInteger::get)
                .description("Callers who follow an optimization or a sweep on this replica.")
                .register(meters);
    }

    /// The subject of a stream.
    ///
    /// @param known whether the subject still exists
    /// @param described adds to a standing the facts that only this process has
    record Followed<S extends JobEvents.Standing>(
            UUID id, JobEvents<S> events, BooleanSupplier known, UnaryOperator<S> described) {}

    /// Caller who follows, and the key.
    private record Follower(CallerId callerId, Permit permit) {}

    <S extends JobEvents.Standing> ResponseEntity<SseEmitter> open(Followed<S> followed) {
        Follower follower = new Follower(Caller.currentId(), Permit.current());
        if (!places.take(follower.callerId)) {
            throw ProblemException.tooManyStreams(keepAlive.multipliedBy(UNHEARD));
        }
        SseEmitter stream = new SseEmitter(UNLIMITED);
        Thread.ofVirtual().name("events-" + followed.id).start(() -> tell(followed, stream, follower));
        return ResponseEntity.ok().header(UNBUFFERED, "no").body(stream);
    }

    /// Answers the headers of a stream without opening one.
    static ResponseEntity<Void> head() {
        return ResponseEntity.ok()
                .header(UNBUFFERED, "no")
                .contentType(MediaType.TEXT_EVENT_STREAM)
                .build();
    }

    private <S extends JobEvents.Standing> void tell(Followed<S> followed, SseEmitter stream, Follower follower) {
        streams.incrementAndGet();
        try {
            tellUntilEnd(followed, stream, follower);
            stream.complete();
        } catch (IOException | IllegalStateException _) {
            // The caller is gone, and Tomcat knows.
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } finally {
            streams.decrementAndGet();
        }
    }

    /// Releases the caller's slot before sending the final event.
    private <S extends JobEvents.Standing> void tellUntilEnd(Followed<S> followed, SseEmitter stream, Follower follower)
            throws IOException, InterruptedException {
        try {
            S last = null;
            long spokeAt = System.nanoTime();
            long checkedAt = spokeAt;
            do {
                Duration silence = left(spokeAt, keepAlive);
                Duration trusted = left(checkedAt, trust);
                Optional<S> next = followed.events.awaitChange(
                        followed.id, last, silence.compareTo(trusted) < 0 ? silence : trusted);
                if (left(checkedAt, trust).isZero()) {
                    if (!follower.permit.isValid()) {
                        return;
                    }
                    checkedAt = System.nanoTime();
                }
                if (next.isPresent()) {
                    last = next.get();
                    tell(followed, last, stream);
                    spokeAt = System.nanoTime();
                } else if (followed.events.isClosed() || !followed.known.getAsBoolean()) {
                    return;
                } else if (left(spokeAt, keepAlive).isZero()) {
                    stream.send(SseEmitter.event().comment("nothing new"));
                    spokeAt = System.nanoTime();
                }
            } while (last == null || !last.status().isFinished());
        } finally {
            places.giveBack(follower.callerId);
        }
    }

    private static Duration left(long sinceNanos, Duration span) {
        Duration left = span.minusNanos(System.nanoTime() - sinceNanos);
        return left.isNegative() ? Duration.ZERO : left;
    }

    private static <S extends JobEvents.Standing> void tell(Followed<S> followed, S standing, SseEmitter stream)
            throws IOException {
        String name = standing.status().isFinished() ? "finished" : "progress";
        stream.send(SseEmitter.event().name(name).data(followed.described.apply(standing), MediaType.APPLICATION_JSON));
    }
}

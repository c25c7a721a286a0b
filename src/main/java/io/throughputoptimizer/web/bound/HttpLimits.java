package io.throughputoptimizer.web.bound;

import java.time.Duration;
import org.springframework.util.unit.DataSize;

/// How much one caller may ask for.
///
/// @param longestBody of a request
/// @param longestWithModel of a request that may bring a configuration of a model along
/// @param allBodies of the bodies that are held at a time, of all callers together
/// @param longestTrace of a trace
/// @param longestWait that `Prefer: wait` may ask for
/// @param mostWaiting requests that may wait for jobs at the same time, and as many event streams, of all callers
/// @param keepAlive after which a silent event stream says that it lives, and the key of each is looked at again
/// @param promptTime of processors that a search may take whose result is not stored; none if all go through the queue
/// @param retryAfter advice to a caller who is turned away, because the queue is full or the database does not answer
public record HttpLimits(
        DataSize longestBody,
        DataSize longestWithModel,
        DataSize allBodies,
        DataSize longestTrace,
        Duration longestWait,
        int mostWaiting,
        Duration keepAlive,
        Duration promptTime,
        Duration retryAfter) {}

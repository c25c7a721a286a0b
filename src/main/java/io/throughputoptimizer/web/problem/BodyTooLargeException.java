package io.throughputoptimizer.web.problem;

import org.springframework.util.unit.DataSize;

/// A request body is longer than the service takes.
public final class BodyTooLargeException extends RuntimeException {
    public BodyTooLargeException(DataSize longest) {
        super("The request body is longer than " + longest.toBytes() + " bytes.");
    }
}

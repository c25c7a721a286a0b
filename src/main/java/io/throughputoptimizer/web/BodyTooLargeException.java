package io.throughputoptimizer.web;

import org.springframework.util.unit.DataSize;

/// A request body is longer than the service takes.
final class BodyTooLargeException extends RuntimeException {
    BodyTooLargeException(DataSize longest) {
        super("The request body is longer than " + longest.toBytes() + " bytes.");
    }
}

package io.throughputoptimizer.api.trace;

import io.throughputoptimizer.api.problem.InvalidRequestException;
import io.throughputoptimizer.api.problem.Violation;
import java.util.List;

/// A line of a trace breaks a rule, and with it the whole trace.
final class BrokenTrace {
    private BrokenTrace() {}

    /// @param line counted from 1
    /// @param fault value and rule
    static InvalidRequestException at(long line, String fault) {
        return new InvalidRequestException(List.of(new Violation("", "line " + line + " " + fault)));
    }
}

package io.throughputoptimizer.api.problem;

/// A rule that a request breaks.
///
/// @param pointer member that breaks it, as a JSON pointer (RFC 6901) into the request; empty for the whole
/// @param message the value and the rule, for people
public record Violation(String pointer, String message) {

    /// Returns the violation seen from an object that holds this one at `prefix`.
    public Violation under(String prefix) {
        return new Violation(prefix + pointer, message);
    }
}

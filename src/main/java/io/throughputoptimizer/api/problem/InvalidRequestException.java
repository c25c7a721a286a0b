package io.throughputoptimizer.api.problem;

import java.util.Comparator;
import java.util.List;

/// A request breaks at least one rule.
public final class InvalidRequestException extends RuntimeException {
    private final List<Violation> violations;

    public InvalidRequestException(List<Violation> violations) {
        super(violations.toString());
        this.violations = violations.stream()
                .sorted(Comparator.comparing(Violation::pointer).thenComparing(Violation::message))
                .distinct()
                .toList();
    }

    public InvalidRequestException(String pointer, String message) {
        this(List.of(new Violation(pointer, message)));
    }

    /// The broken rules, ordered by pointer.
    public List<Violation> violations() {
        return violations;
    }
}

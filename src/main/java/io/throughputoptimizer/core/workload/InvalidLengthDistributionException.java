package io.throughputoptimizer.core.workload;

/// A length distribution that breaks a rule.
public final class InvalidLengthDistributionException extends IllegalArgumentException {
    private final transient LengthViolation violation;

    InvalidLengthDistributionException(LengthViolation violation) {
        super(violation.message());
        this.violation = violation;
    }

    /// Returns the violated rule with its bin.
    public LengthViolation violation() {
        return violation;
    }
}

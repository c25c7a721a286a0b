package io.throughputoptimizer.catalog;

import java.util.Objects;

/// Thrown if a configuration cannot be fetched from its source.
public final class ModelSourceException extends RuntimeException {
    private final boolean passing;

    private ModelSourceException(String message, boolean passing) {
        super(message);
        this.passing = passing;
    }

    /// Creates a transient failure, worth a retry.
    static ModelSourceException passing(String message) {
        return new ModelSourceException(message, true);
    }

    /// Creates a permanent failure.
    static ModelSourceException lasting(String message) {
        return new ModelSourceException(message, false);
    }

    /// Returns whether a retry could succeed.
    public boolean isPassing() {
        return passing;
    }

    /// Returns the reason.
    public String reason() {
        return Objects.requireNonNull(getMessage());
    }
}

package io.throughputoptimizer.catalog;

import java.util.Objects;

/// A configuration cannot be had from where it is looked for.
public final class ModelSourceException extends RuntimeException {
    private final boolean passing;

    private ModelSourceException(String message, boolean passing) {
        super(message);
        this.passing = passing;
    }

    /// It may be had at another time.
    static ModelSourceException passing(String message) {
        return new ModelSourceException(message, true);
    }

    /// It will not be had as it is.
    static ModelSourceException lasting(String message) {
        return new ModelSourceException(message, false);
    }

    /// Whether it is worth trying again.
    public boolean isPassing() {
        return passing;
    }

    /// What is wrong.
    public String reason() {
        return Objects.requireNonNull(getMessage());
    }
}

package io.throughputoptimizer.launch;

/// Thrown if an engine cannot run a row, or the row does not exist.
public final class CannotLaunchException extends RuntimeException {
    private final transient Subject subject;

    /// Part of the request that cannot be launched.
    public enum Subject {
        /// The engine does not support it.
        ENGINE,
        /// The result has no such row.
        RANK,
        /// The result has no such device.
        DEVICE,
        /// The requested context is shorter than the requests of the result.
        CONTEXT
    }

    CannotLaunchException(Subject subject, String reason) {
        super(reason);
        this.subject = subject;
    }

    public Subject subject() {
        return subject;
    }
}

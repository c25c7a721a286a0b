package io.throughputoptimizer.launch;

/// An engine cannot run a row as it is, or there is no such row.
public final class CannotLaunchException extends RuntimeException {
    private final transient Subject subject;

    /// What stands in the way.
    public enum Subject {
        /// The engine has no way to do it.
        ENGINE,
        /// The result has no such row.
        RANK,
        /// The result has no such device.
        DEVICE,
        /// Longest requests that are asked for are shorter than those of the result.
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

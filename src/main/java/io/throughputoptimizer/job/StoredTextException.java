package io.throughputoptimizer.job;

/// Thrown if the stored data of a job cannot be read: it is damaged, or longer than this process can hold.
public final class StoredTextException extends RuntimeException {
    /// @param message the reason, also shown to callers
    StoredTextException(String message) {
        super(message);
    }

    StoredTextException(String message, Throwable cause) {
        super(message, cause);
    }
}

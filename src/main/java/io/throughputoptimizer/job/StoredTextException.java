package io.throughputoptimizer.job;

/// What is stored of a job cannot be read: it is damaged, or longer than this process may hold.
public final class StoredTextException extends RuntimeException {
    /// @param message what is the matter, for callers too
    StoredTextException(String message) {
        super(message);
    }

    StoredTextException(String message, Throwable cause) {
        super(message, cause);
    }
}

package io.throughputoptimizer.core.serving;

/// How much memory of this process the evaluation of one batch size may take.
@FunctionalInterface
public interface MemoryAllowance {
    /// As much as there is.
    MemoryAllowance UNLIMITED = bytes -> {};

    /// Says how much is held at this moment; fails when it is too much.
    void require(long bytes);
}

package io.throughputoptimizer.sweep;

/// The outcome of submitting a sweep.
public sealed interface SweepSubmission {

    /// A newly accepted sweep.
    record Accepted(Sweep sweep) implements SweepSubmission {}

    /// An earlier submission of this sweep with this idempotency key.
    record Known(Sweep sweep) implements SweepSubmission {}

    /// The idempotency key belongs to another sweep.
    record KeyTaken() implements SweepSubmission {}

    /// The queue has no room for another sweep of the caller.
    ///
    /// @param own unfinished sweeps of the caller
    /// @param unfinished unfinished sweeps of all callers
    /// @param most maximum unfinished sweeps
    record QueueFull(int own, int unfinished, int most) implements SweepSubmission {}
}

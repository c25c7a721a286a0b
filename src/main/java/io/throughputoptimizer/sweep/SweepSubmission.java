package io.throughputoptimizer.sweep;

/// The outcome of submitting a sweep.
public sealed interface SweepSubmission {

    /// It is worked off.
    record Accepted(Sweep sweep) implements SweepSubmission {}

    /// An earlier submission of this sweep with this idempotency key.
    record Known(Sweep sweep) implements SweepSubmission {}

    /// The idempotency key belongs to another sweep.
    record KeyTaken() implements SweepSubmission {}

    /// No more sweeps of the caller can wait.
    ///
    /// @param own unfinished sweeps of the caller
    /// @param unfinished unfinished sweeps of all callers
    /// @param most maximum unfinished sweeps
    record QueueFull(int own, int unfinished, int most) implements SweepSubmission {}
}

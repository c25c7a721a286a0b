package io.throughputoptimizer.sweep;

/// The outcome of submitting a sweep.
public sealed interface SweepSubmission {

    /// The sweep is accepted and runs.
    record Accepted(Sweep sweep) implements SweepSubmission {}

    /// An earlier submission of this sweep with this idempotency key.
    record Known(Sweep sweep) implements SweepSubmission {}

    /// The idempotency key belongs to another sweep.
    record KeyTaken() implements SweepSubmission {}

    /// The caller has the maximum number of unfinished sweeps.
    ///
    /// @param own unfinished sweeps of the caller
    /// @param unfinished unfinished sweeps of all callers
    /// @param most maximum unfinished sweeps
    record QueueFull(int own, int unfinished, int most) implements SweepSubmission {}
}

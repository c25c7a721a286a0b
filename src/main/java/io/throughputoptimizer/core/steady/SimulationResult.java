package io.throughputoptimizer.core.steady;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// What the requests of a simulation saw, in milliseconds.
///
/// @param ttft from sending to the first token, front end included
/// @param requestLatency from sending to the last token, front end included
/// @param generation of the tokens after the first; absent if no request has any
/// @param timeline for a chart
/// @param turns what the cache did for turns of conversations; absent where requests are no turns of any
/// @param sides what instances did where each does one phase; absent where they do both
public record SimulationResult(
        Distribution ttft,
        Distribution requestLatency,
        @Nullable Generation generation,
        Span span,
        Effort effort,
        List<Interval> timeline,
        @Nullable Turns turns,
        @Nullable Sides sides) {

    /// Of the second half of the requests, when the cache has filled.
    ///
    /// @param hitRate share of the tokens of all prompts that was found
    /// @param found share of the turns after the first that found the one before
    /// @param contextTokens of a request that decodes, in the mean of all steps
    public record Turns(double hitRate, double found, double contextTokens) {}

    /// Instances that prefill and instances that decode, over the whole simulation.
    ///
    /// @param prefillBusy share of the time in which a prefill rank computes a prompt, in the mean of the ranks
    /// @param prefillWaitMillis of a request for its prefill rank, in the mean
    /// @param transferMillis of its cache, in the mean
    /// @param decodeWaitMillis from there until it decodes, in the mean
    /// @param decodeBusy share of the time in which a decode rank decodes, in the mean of the ranks
    /// @param decoding requests of a decode rank that decodes, in the mean of that time
    public record Sides(
            double prefillBusy,
            double prefillWaitMillis,
            double transferMillis,
            double decodeWaitMillis,
            double decodeBusy,
            double decoding) {}

    /// @param tpot time per output token, a mean of each request: `(last - first) / (osl - 1)`
    /// @param meanGapMillis mean time between two tokens of a request, over all tokens
    /// @param meanStepMillis mean time between two decode steps of a request, over all steps; the same where a step
    ///     yields one token
    public record Generation(Distribution tpot, double meanGapMillis, double meanStepMillis) {}

    /// @param lastSendingMillis when the last request was sent
    /// @param makespanMillis when the last token of all came
    /// @param outputTokens of all requests
    public record Span(double lastSendingMillis, double makespanMillis, long outputTokens) {

        public double outputTokensPerSecond() {
            return 1000.0 * outputTokens / makespanMillis;
        }
    }

    /// @param evaluations steps that were priced
    public record Effort(int requests, long evaluations) {}

    /// One interval of a simulation.
    ///
    /// @param startMillis from the start of the simulation
    /// @param running requests that run, in the mean
    /// @param waiting requests that have been sent and do not run, in the mean
    /// @param outputTokensPerSecond in the mean
    public record Interval(
            double startMillis, double endMillis, double running, double waiting, double outputTokensPerSecond) {}
}

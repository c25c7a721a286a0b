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
public record SimulationResult(
        Distribution ttft,
        Distribution requestLatency,
        @Nullable Generation generation,
        Span span,
        Effort effort,
        List<Interval> timeline,
        @Nullable Turns turns) {

    /// Of the second half of the requests, when the cache has filled.
    ///
    /// @param hitRate share of the tokens of all prompts that was found
    /// @param found share of the turns after the first that found the one before
    /// @param contextTokens of a request that decodes, in the mean of all steps
    public record Turns(double hitRate, double found, double contextTokens) {}

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

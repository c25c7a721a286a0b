package io.throughputoptimizer.core.load;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// Latencies and throughput of a simulation, in milliseconds.
///
/// @param ttft TTFT from sending, front end included
/// @param requestLatency end-to-end latency from sending, front end included
/// @param generation times of the tokens after the first; absent if no request has any
/// @param timeline intervals for a chart
/// @param turns cache statistics of conversation turns; absent for independent requests
/// @param sides statistics of each phase; absent for aggregated instances
public record SimulationResult(
        Distribution ttft,
        Distribution requestLatency,
        @Nullable Generation generation,
        Span span,
        Effort effort,
        List<Interval> timeline,
        @Nullable Turns turns,
        @Nullable Sides sides) {

    /// Cache statistics of the second half of the requests, when the cache has filled.
    ///
    /// @param hitRate cached share of all prompt tokens
    /// @param found share of the turns after the first that hit the cache
    /// @param contextTokens mean context of a decoding request over all steps
    public record Turns(double hitRate, double found, double contextTokens) {}

    /// Statistics of prefill and decode instances over the whole simulation.
    ///
    /// @param prefillBusy mean busy share of a prefill rank
    /// @param prefillWaitMillis mean wait of a request for its prefill rank
    /// @param transferMillis mean KV transfer time
    /// @param decodeWaitMillis mean wait from the transfer to decode
    /// @param decodeBusy mean busy share of a decode rank
    /// @param decoding mean batch size of a busy decode rank
    public record Sides(
            double prefillBusy,
            double prefillWaitMillis,
            double transferMillis,
            double decodeWaitMillis,
            double decodeBusy,
            double decoding) {}

    /// Times between tokens.
    ///
    /// @param tpot TPOT, a mean of each request: `(last - first) / (osl - 1)`
    /// @param meanGapMillis mean time between two tokens of a request, over all tokens
    /// @param meanStepMillis mean time between two decode steps of a request, over all steps; equal to
    ///     `meanGapMillis` if a step yields one token
    public record Generation(Distribution tpot, double meanGapMillis, double meanStepMillis) {}

    /// Duration and output of the simulation.
    ///
    /// @param makespanMillis time of the last token
    /// @param outputTokens output tokens of all requests
    public record Span(double makespanMillis, long outputTokens) {

        public double outputTokensPerSecond() {
            return 1000.0 * outputTokens / makespanMillis;
        }
    }

    /// Effort of the simulation.
    ///
    /// @param evaluations number of priced steps
    public record Effort(int requests, long evaluations) {}

    /// One interval of a simulation.
    ///
    /// @param startMillis start, from the start of the simulation
    /// @param running mean running requests
    /// @param waiting mean requests that are sent but not running
    /// @param outputTokensPerSecond mean throughput
    public record Interval(
            double startMillis, double endMillis, double running, double waiting, double outputTokensPerSecond) {}
}

package io.throughputoptimizer.core.steady;

/// One rank in its steady state.
///
/// @param concurrency requests that clients have outstanding
/// @param outputTokens mean of a request
public record SteadyFigures(double concurrency, double outputTokens, Steps steps, Ttft ttft, double tpotMillis)
        implements LawOutcome.Figures {

    /// Requests a second that the time of the steps suffices for: `1000 b / (b P + osl D)`, as the rank computes the
    /// prompt of each request that runs, and `osl` steps of them all.
    public double sustainedPerSecond() {
        return 1000 * steps.running / (steps.running * steps.prefillMillis + outputTokens * steps.decodeMillis);
    }

    /// What the rank does.
    ///
    /// @param running requests that run at once; the rest waits outside
    /// @param decodeMillis of a step in which they all decode
    /// @param prefillMillis of one prompt
    /// @param utilisation share of the time that goes to prompts
    /// @param queueMillis that a prompt waits for prompts before it
    public record Steps(
            double running, double decodeMillis, double prefillMillis, double utilisation, double queueMillis) {}
}

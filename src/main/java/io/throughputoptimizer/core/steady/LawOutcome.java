package io.throughputoptimizer.core.steady;

/// What a law says about one concurrency: figures, or that not even one request fits.
public sealed interface LawOutcome {

    /// Not one request fits into the KV cache of a rank.
    ///
    /// @param kvTokens tokens that the cache holds
    /// @param requestTokens tokens that one request takes
    record OutOfMemory(double kvTokens, double requestTokens) implements LawOutcome {}

    /// What a client sees.
    sealed interface Figures extends LawOutcome permits SteadyFigures, DisaggregatedFigures {
        Ttft ttft();

        /// Mean time per output token after the first.
        double tpotMillis();

        /// Requests that clients have outstanding.
        double concurrency();

        /// Mean of a request.
        double outputTokens();

        /// Part of the time to the first token that the caller knows: what the law says of the rest may be wrong.
        default double knownMillis() {
            return 0;
        }

        /// `ttft + osl tpot`, of a request in the mean.
        default double cycleMillis() {
            return ttft().benchmarkMillis() + outputTokens() * tpotMillis();
        }

        default double requestsPerSecond() {
            return 1000 * concurrency() / cycleMillis();
        }

        default double outputTokensPerSecond() {
            return 1000 * concurrency() * outputTokens() / cycleMillis();
        }
    }

    /// The mean time to the first token, in milliseconds: each of the three is a mean, over different requests.
    ///
    /// @param benchmarkMillis over all waves, the opening one included: what a benchmark prints
    /// @param burstMillis over the requests that open the load all at once
    /// @param settledMillis over those after them: what users of a service see that has run for long
    record Ttft(double benchmarkMillis, double burstMillis, double settledMillis) {}
}

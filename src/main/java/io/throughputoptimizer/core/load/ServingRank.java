package io.throughputoptimizer.core.load;

/// One attention data parallel rank with its own engine, which serves its share of the requests independently.
///
/// @param kvTokens capacity of its KV cache, in tokens; infinity without a known limit, 0 or less if the
///     weights leave no memory
/// @param use cache use of a request
public record ServingRank(StepTimes step, double kvTokens, EngineSettings engine, CacheUse use) {
    /// Returns the maximum batch size: `min(K / (isl + 0.75 osl), max_num_seqs)`, fractions included.
    public double mostRunning(MeanRequest request) {
        return Math.min(capacity(request), engine.scheduling().maxRunning());
    }

    /// Returns the number of mean requests that the cache holds.
    public double capacity(MeanRequest request) {
        return kvTokens / taken(request);
    }

    /// Returns the mean cache tokens of a request.
    double taken(MeanRequest request) {
        return request.cached(use);
    }

    /// Returns the costs of steps that prefill one prompt each, without waiting.
    ///
    /// Prompts of a mixed step share the step gap of its decode part.
    MeanRequest.Prompts prompts(MeanRequest request) {
        double gap = prefillGapMillis();
        return request.prompts((tokens, pairs) -> step.prefill(tokens, pairs) + gap);
    }

    /// Returns the host time of a step over prompts alone.
    public double prefillGapMillis() {
        return engine.scheduling().policy() == EngineSettings.Policy.ALTERNATE ? engine.stepGapMillis() : 0;
    }

    /// Returns the time per token of `running` decoding requests halfway through their outputs: the time of a
    /// step over the tokens that it yields.
    public double decodeMillis(double running, MeanRequest request) {
        return (step.decode(running, running * request.halfwayTokens()) + engine.stepGapMillis())
                / step.tokensPerStep();
    }

    /// Step times of one rank, in milliseconds. Each step has two parts, because everything except attention
    /// depends on the number of tokens alone, and simulations meet the same numbers repeatedly. Numbers of requests
    /// and tokens may be fractional. Thread-safe.
    public interface StepTimes {
        /// Returns the time of a decode step outside attention.
        ///
        /// @param requests requests that get their tokens
        double decodeOutsideAttention(double requests);

        /// Returns the attention time of a decode step.
        ///
        /// @param context cached tokens, summed over the requests
        double decodeAttention(double requests, double context);

        /// Returns the time of a prefill step outside attention; one row of logits.
        double prefillOutsideAttention(double tokens);

        /// Returns the attention time of a prefill step.
        ///
        /// @param pairs causal pairs of query and key: `s s / 2` for a prompt of s tokens
        double prefillAttention(double tokens, double pairs);

        /// Returns the mean tokens that a decode step yields per request; more than 1 with drafts.
        default double tokensPerStep() {
            return 1;
        }

        /// Returns the tokens that a decode step computes per request: the next one and its drafts.
        default int tokensComputed() {
            return 1;
        }

        /// Returns the time of one decode step.
        default double decode(double requests, double context) {
            return decodeOutsideAttention(requests) + decodeAttention(requests, context);
        }

        /// Returns the time of one prefill step.
        default double prefill(double tokens, double pairs) {
            return prefillOutsideAttention(tokens) + prefillAttention(tokens, pairs);
        }
    }
}

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
}

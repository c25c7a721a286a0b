package io.throughputoptimizer.core.steady;

/// One attention data parallel rank with an engine on it: it serves its share of the requests by itself.
///
/// @param kvTokens tokens that its KV cache holds; infinity where nobody knows a limit, 0 or less where the weights
///     leave no room
/// @param use what a request takes of them
public record ServingRank(StepTimes step, double kvTokens, EngineSettings engine, CacheUse use) {
    /// Whose requests take nothing but their tokens.
    public ServingRank(StepTimes step, double kvTokens, EngineSettings engine) {
        this(step, kvTokens, engine, CacheUse.TOKENS);
    }

    /// Most requests that run at once: `min(K / (isl + 0.75 osl), max_num_seqs)`, fractions included.
    public double mostRunning(MeanRequest request) {
        return Math.min(capacity(request), engine.scheduling().maxRunning());
    }

    /// Requests that the cache holds, at the size that they have in the mean.
    public double capacity(MeanRequest request) {
        return kvTokens / taken(request);
    }

    /// Tokens of cache that a request takes in the mean.
    double taken(MeanRequest request) {
        return request.cached(use);
    }

    /// Of steps that prefill one prompt each, without waiting.
    ///
    /// Prompts of a mixed step ride on a decode step, whose gap is counted there.
    MeanRequest.Prompts prompts(MeanRequest request) {
        double gap = prefillGapMillis();
        return request.prompts((tokens, pairs) -> step.prefill(tokens, pairs) + gap);
    }

    /// Time of the host that a step over prompts alone takes.
    public double prefillGapMillis() {
        return engine.scheduling().policy() == EngineSettings.Policy.ALTERNATE ? engine.stepGapMillis() : 0;
    }

    /// Of a token of each of that many requests that decode, each half way through its output: a step
    /// over the tokens that it yields.
    public double decodeMillis(double running, MeanRequest request) {
        return (step.decode(running, running * request.halfwayTokens()) + engine.stepGapMillis())
                / step.tokensPerStep();
    }
}

package io.throughputoptimizer.core.serving;

/// The time when the requests of a prefill phase are done.
public enum Completion {
    /// All with the phase.
    WITH_PHASE {
        @Override
        boolean looksAtEachRequest() {
            return false;
        }

        @Override
        double ttftMillis(PrefillTimeline timeline) {
            return timeline.endMillis();
        }

        @Override
        double tokensPerSecond(long concurrency, double millis, int inputTokens) {
            return millis > 0 ? concurrency / millis * 1000 * inputTokens : 0;
        }
    },

    /// Each with its last pass: TTFT is the mean over them.
    OF_EACH_REQUEST {
        @Override
        boolean looksAtEachRequest() {
            return true;
        }

        @Override
        double ttftMillis(PrefillTimeline timeline) {
            return timeline.meanCompletionMillis();
        }

        @Override
        double tokensPerSecond(long concurrency, double millis, int inputTokens) {
            return millis > 0 ? concurrency * inputTokens / millis * 1000 : 0;
        }
    },

    /// Each with its last pass, under a load that lasts: clients ask again at once, and a benchmark asks
    /// [Accounting#WAVES] times as many requests as are outstanding. Those that open it are done as they are one by
    /// one, all others wait for a whole round of the rest: `TTFT = mean / W + (1 - 1/W) end`.
    OF_LASTING_LOAD {
        @Override
        boolean looksAtEachRequest() {
            return true;
        }

        @Override
        double ttftMillis(PrefillTimeline timeline) {
            double opening = 1 / Accounting.WAVES;
            return opening * timeline.meanCompletionMillis() + (1 - opening) * timeline.endMillis();
        }

        @Override
        double tokensPerSecond(long concurrency, double millis, int inputTokens) {
            return OF_EACH_REQUEST.tokensPerSecond(concurrency, millis, inputTokens);
        }
    };

    /// Returns whether TTFT depends on the completion time of each request.
    abstract boolean looksAtEachRequest();

    /// TTFT in ms of the phase.
    abstract double ttftMillis(PrefillTimeline timeline);

    /// Prompt tokens per second of `concurrency` requests of `inputTokens` that take `millis`; 0 when they take
    /// no time.
    abstract double tokensPerSecond(long concurrency, double millis, int inputTokens);
}

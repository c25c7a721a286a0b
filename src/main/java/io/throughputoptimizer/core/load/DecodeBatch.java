package io.throughputoptimizer.core.load;

/// Decode batch of a simulated rank. Steps that differ only in the context length take the mean of the first
/// and the last step, which is exact if a step's time is linear in the context.
final class DecodeBatch {
    private final StepPrices prices;
    private final RequestTimes requests;
    private final CompletionQueue completions;

    private int size;
    /// Cached tokens of all requests.
    private double context;
    /// Tokens that one step yields over all requests.
    private double stepTokens;

    private long steps;

    DecodeBatch(StepPrices prices, RequestTimes requests) {
        this.prices = prices;
        this.requests = requests;
        this.completions = new CompletionQueue();
    }

    int size() {
        return size;
    }

    double stepTokens() {
        return stepTokens;
    }

    /// Returns the mean cached tokens over the last `taken` steps.
    double contextOfLast(long taken) {
        return context - stepTokens * (taken - 1) / 2;
    }

    /// Adds a request that decodes from the next step on.
    void add(int request) {
        size++;
        context += requests.input(request);
        stepTokens += requests.tokensPerStep(request);
        completions.add(steps + requests.steps(request), request);
    }

    /// Returns the steps until the first request gets its last token.
    long stepsToLastToken() {
        return completions.firstStep() - steps;
    }

    /// Returns the time of one step that also computes prompt tokens.
    double mixedMillis(long tokens, double pairs) {
        return prices.mixed(size, context + stepTokens, tokens, pairs);
    }

    /// Returns the time of `count` decode steps of these requests.
    double runMillis(long count) {
        double first = prices.decode(size, context + stepTokens);
        if (count == 1) {
            return first;
        }
        double last = prices.decode(size, context + stepTokens * count);
        return count * (first + last) / 2;
    }

    /// Returns the fewest steps, at most `most`, that last at least `millis`.
    long stepsUntil(double millis, long most) {
        long low = 1;
        long high = most;
        while (low < high) {
            long middle = (low + high) / 2;
            if (runMillis(middle) >= millis) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    /// Advances all requests by `count` steps.
    void decoded(long count) {
        steps += count;
        context += stepTokens * count;
    }

    /// Returns whether a request got its last token in the last step.
    boolean hasEnded() {
        return completions.firstStep() == steps;
    }

    /// Removes and returns a request that got its last token.
    int removeEnded() {
        int request = completions.removeFirst();
        size--;
        context -= requests.input(request) + requests.decodeTokens(request);
        stepTokens -= requests.tokensPerStep(request);
        return request;
    }
}

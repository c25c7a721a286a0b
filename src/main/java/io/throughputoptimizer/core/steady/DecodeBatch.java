package io.throughputoptimizer.core.steady;

/// The requests that a rank decodes together. Steps that differ in nothing but the length of the context take the mean
/// of the first and the last of them each, which is exact where a step's time is linear in the context.
final class DecodeBatch {
    private final StepPrices prices;
    private final RequestTimes requests;
    private final CompletionQueue completions;

    private int size;
    /// Tokens that the requests have cached.
    private double context;
    /// Tokens that a step gives them in sum.
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

    /// Tokens cached in the mean of the steps that were the last to be taken.
    double contextOfLast(long taken) {
        return context - stepTokens * (taken - 1) / 2;
    }

    /// A request decodes from the next step on.
    void add(int request) {
        size++;
        context += requests.input(request);
        stepTokens += requests.tokensPerStep(request);
        completions.add(steps + requests.steps(request), request);
    }

    /// Steps until one of them gets its last token.
    long stepsToLastToken() {
        return completions.firstStep() - steps;
    }

    /// One step that computes prompts besides.
    double mixedMillis(long tokens, double pairs) {
        return prices.mixed(size, context + stepTokens, tokens, pairs);
    }

    /// So many steps of these requests alone.
    double runMillis(long count) {
        double first = prices.decode(size, context + stepTokens);
        double last = prices.decode(size, context + stepTokens * count);
        return count * (first + last) / 2;
    }

    /// The fewest steps, at most `most`, that last as long as an arrival is away.
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

    /// Steps that all of them took.
    void decoded(long count) {
        steps += count;
        context += stepTokens * count;
    }

    /// Whether a request got its last token in the last step.
    boolean hasEnded() {
        return completions.firstStep() == steps;
    }

    /// The one that did.
    int removeEnded() {
        int request = completions.removeFirst();
        size--;
        context -= requests.input(request) + requests.decodeTokens(request);
        stepTokens -= requests.tokensPerStep(request);
        return request;
    }
}

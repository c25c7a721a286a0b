package io.throughputoptimizer.core.steady;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// The requests of a simulation: their lengths, and when they were sent and got their first and last token.
final class RequestTimes {
    /// A quotient that is this share above a whole number is that number.
    private static final double ROUNDING = 1e-12;

    private final int[] inputs;
    private final int[] outputs;
    /// Tokens of prompts that lie in the cache.
    private final int[] found;

    private final double[] sent;
    /// Where steps that decode begin.
    private final double[] decoding;

    private final double[] first;
    private final double[] last;
    private final double tokensPerStep;
    private final FirstToken firstToken;

    /// Which step gives a request its first token.
    enum FirstToken {
        /// The last one of its prompt.
        OF_THE_PROMPT,
        /// The first one that decodes, as where prompts are computed elsewhere.
        OF_DECODE
    }

    /// @param tokensPerStep that a decode step yields in the mean
    RequestTimes(RequestLengths lengths, int count, double tokensPerStep, FirstToken firstToken) {
        this.tokensPerStep = tokensPerStep;
        this.firstToken = firstToken;
        inputs = new int[count];
        outputs = new int[count];
        Arrays.setAll(inputs, lengths::input);
        Arrays.setAll(outputs, lengths::output);
        found = new int[count];
        sent = new double[count];
        decoding = new double[count];
        first = new double[count];
        last = new double[count];
    }

    int count() {
        return sent.length;
    }

    int input(int request) {
        return inputs[request];
    }

    /// Tokens of its prompt that need not be computed.
    int found(int request) {
        return found[request];
    }

    void find(int request, int tokens) {
        found[request] = tokens;
    }

    int output(int request) {
        return outputs[request];
    }

    /// Input and output.
    long tokens(int request) {
        return (long) inputs[request] + outputs[request];
    }

    /// Tokens of its answer that decode steps yield.
    int decodeTokens(int request) {
        return firstToken == FirstToken.OF_DECODE ? outputs[request] : outputs[request] - 1;
    }

    /// Decode steps that a request takes: each yields the mean, of the last one only as much as is asked for.
    long steps(int request) {
        return (long) Math.ceil(decodeTokens(request) / tokensPerStep * (1 - ROUNDING));
    }

    /// Tokens of a request that each of its decode steps yields: the last one as much as the others, so that all of
    /// them are as many as are asked for.
    double tokensPerStep(int request) {
        return (double) decodeTokens(request) / steps(request);
    }

    double sent(int request) {
        return sent[request];
    }

    /// A request with a prompt of its own.
    void ask(int request, int inputTokens) {
        inputs[request] = inputTokens;
    }

    void sendAt(int request, double millis) {
        sent[request] = millis;
    }

    void sendAt(double[] millis) {
        System.arraycopy(millis, 0, sent, 0, sent.length);
    }

    /// A request whose first token comes of decode begins to.
    void decodesFrom(int request, double millis) {
        decoding[request] = millis;
    }

    void firstToken(int request, double millis) {
        first[request] = millis;
        if (firstToken == FirstToken.OF_THE_PROMPT) {
            decoding[request] = millis;
        }
    }

    void lastToken(int request, double millis) {
        last[request] = millis;
    }

    /// When a request got its last token.
    double answered(int request) {
        return last[request];
    }

    /// When the last of all came.
    double makespanMillis() {
        return Arrays.stream(last).max().orElseThrow();
    }

    /// @param dropped the first requests that the latencies leave out
    /// @param turns what the cache did for turns of conversations
    /// @param sides what instances did where each does one phase
    SimulationResult result(
            int dropped,
            double frontendMillis,
            long evaluations,
            Timeline timeline,
            SimulationResult.@Nullable Turns turns,
            SimulationResult.@Nullable Sides sides) {
        double[] ttft = IntStream.range(dropped, count())
                .mapToDouble(request -> first[request] - sent[request] + frontendMillis)
                .toArray();
        double[] tpot = IntStream.range(dropped, count())
                .filter(request -> outputs[request] > 1)
                .mapToDouble(request -> (last[request] - first[request]) / (outputs[request] - 1))
                .toArray();
        double[] whole = IntStream.range(dropped, count())
                .mapToDouble(request -> last[request] - sent[request] + frontendMillis)
                .toArray();
        double makespan = makespanMillis();
        return new SimulationResult(
                Distribution.of(ttft),
                Distribution.of(whole),
                tpot.length == 0 ? null : generation(Distribution.of(tpot), dropped),
                new SimulationResult.Span(
                        sent[count() - 1],
                        makespan,
                        Arrays.stream(outputs).asLongStream().sum()),
                new SimulationResult.Effort(count(), evaluations),
                timeline.intervals(makespan),
                turns,
                sides);
    }

    private SimulationResult.Generation generation(Distribution tpot, int dropped) {
        double millis = 0;
        double decodeMillis = 0;
        long gaps = 0;
        long steps = 0;
        for (int request = dropped; request < count(); request++) {
            millis += last[request] - first[request];
            decodeMillis += last[request] - decoding[request];
            gaps += outputs[request] - 1;
            steps += steps(request);
        }
        return new SimulationResult.Generation(tpot, millis / gaps, decodeMillis / steps);
    }
}

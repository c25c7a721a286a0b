package io.throughputoptimizer.core.load;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Requests of a simulation: their lengths, and the times of sending, first token and last token.
final class RequestTimes {
    /// Relative excess up to which a quotient counts as the whole number below it.
    private static final double ROUNDING = 1e-12;

    private final int[] inputs;
    private final int[] outputs;
    /// Cached prompt tokens.
    private final int[] found;

    private final double[] sent;
    /// Start of the decode steps.
    private final double[] decoding;

    private final double[] first;
    private final double[] last;
    private final double tokensPerStep;
    private final FirstToken firstToken;

    /// Step that yields the first token of a request.
    enum FirstToken {
        /// Last step of its prompt.
        OF_THE_PROMPT,
        /// First decode step, for prompts computed on other ranks.
        OF_DECODE
    }

    /// Creates requests.
    ///
    /// @param tokensPerStep mean tokens that a decode step yields
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

    /// Returns the cached prompt tokens of a request.
    int found(int request) {
        return found[request];
    }

    void find(int request, int tokens) {
        found[request] = tokens;
    }

    int output(int request) {
        return outputs[request];
    }

    /// Returns the input and output tokens of a request.
    long tokens(int request) {
        return (long) inputs[request] + outputs[request];
    }

    /// Returns the output tokens that decode steps yield.
    int decodeTokens(int request) {
        return firstToken == FirstToken.OF_DECODE ? outputs[request] : outputs[request] - 1;
    }

    /// Returns the decode steps of a request: each yields the mean number of tokens, the last one only the
    /// rest.
    long steps(int request) {
        return (long) Math.ceil(decodeTokens(request) / tokensPerStep * (1 - ROUNDING));
    }

    /// Returns the tokens per decode step of a request, equal over all its steps, so that they add up to the
    /// output.
    double tokensPerStep(int request) {
        return (double) decodeTokens(request) / steps(request);
    }

    double sent(int request) {
        return sent[request];
    }

    /// Sets the prompt tokens of a request.
    void ask(int request, int inputTokens) {
        inputs[request] = inputTokens;
    }

    void sendAt(int request, double millis) {
        sent[request] = millis;
    }

    void sendAt(double[] millis) {
        System.arraycopy(millis, 0, sent, 0, sent.length);
    }

    /// Sets the time from which a request decodes, if its first token comes from decode.
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

    /// Returns the time of the last token of a request.
    double answered(int request) {
        return last[request];
    }

    /// Returns the time of the last token of all requests.
    double makespanMillis() {
        return Arrays.stream(last).max().orElseThrow();
    }

    /// Returns the mean TTFT of requests `from` to `to`, exclusive.
    double meanTtft(int from, int to) {
        return IntStream.range(from, to)
                .mapToDouble(request -> first[request] - sent[request])
                .average()
                .orElseThrow();
    }

    /// Returns the result of the simulation.
    ///
    /// @param dropped number of first requests that the latencies leave out
    /// @param turns cache statistics of conversation turns
    /// @param sides statistics of the phases of a disaggregated deployment
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
                        makespan, Arrays.stream(outputs).asLongStream().sum()),
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

package io.throughputoptimizer.core.steady;

import java.util.Arrays;
import java.util.stream.IntStream;

/// The requests of a simulation: their lengths, and when they were sent and got their first and last token.
final class RequestTimes {
    private final int[] inputs;
    private final int[] outputs;
    private final double[] sent;
    private final double[] first;
    private final double[] last;

    RequestTimes(RequestLengths lengths, int count) {
        inputs = new int[count];
        outputs = new int[count];
        Arrays.setAll(inputs, lengths::input);
        Arrays.setAll(outputs, lengths::output);
        sent = new double[count];
        first = new double[count];
        last = new double[count];
    }

    int count() {
        return sent.length;
    }

    int input(int request) {
        return inputs[request];
    }

    int output(int request) {
        return outputs[request];
    }

    /// Input and output.
    long tokens(int request) {
        return (long) inputs[request] + outputs[request];
    }

    double sent(int request) {
        return sent[request];
    }

    void sendAt(int request, double millis) {
        sent[request] = millis;
    }

    void sendAt(double[] millis) {
        System.arraycopy(millis, 0, sent, 0, sent.length);
    }

    void firstToken(int request, double millis) {
        first[request] = millis;
    }

    void lastToken(int request, double millis) {
        last[request] = millis;
    }

    /// @param dropped the first requests that the latencies leave out
    SimulationResult result(int dropped, double frontendMillis, long evaluations, Timeline timeline) {
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
        double makespan = Arrays.stream(last).max().orElseThrow();
        return new SimulationResult(
                Distribution.of(ttft),
                Distribution.of(whole),
                tpot.length == 0 ? null : new SimulationResult.Generation(Distribution.of(tpot), meanGap(dropped)),
                new SimulationResult.Span(
                        sent[count() - 1],
                        makespan,
                        Arrays.stream(outputs).asLongStream().sum()),
                new SimulationResult.Effort(count(), evaluations),
                timeline.intervals(makespan));
    }

    private double meanGap(int dropped) {
        double millis = 0;
        long gaps = 0;
        for (int request = dropped; request < count(); request++) {
            millis += last[request] - first[request];
            gaps += outputs[request] - 1;
        }
        return millis / gaps;
    }
}

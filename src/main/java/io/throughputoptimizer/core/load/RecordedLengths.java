package io.throughputoptimizer.core.load;

import io.throughputoptimizer.core.workload.DecodeMix;
import io.throughputoptimizer.core.workload.LengthShare;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.stream.IntStream;

/// Lengths of recorded requests in their order, with their sending times if known. The sequence repeats after
/// the last request.
public final class RecordedLengths implements RequestLengths {
    private final int[] inputs;
    private final int[] outputs;
    private final List<Double> sentMillis;

    /// Creates recorded requests.
    ///
    /// @param inputs input tokens of each request, at least one request, each at least 1
    /// @param outputs output tokens of the same requests, each at least 1
    /// @param sentMillis sending times in ascending order; empty if unknown
    public RecordedLengths(int[] inputs, int[] outputs, List<Double> sentMillis) {
        if (!sentMillis.isEmpty() && sentMillis.size() != inputs.length) {
            throw new IllegalArgumentException(sentMillis.size() + " times of " + inputs.length + " requests");
        }
        if (inputs.length == 0
                || inputs.length != outputs.length
                || Arrays.stream(inputs).min().orElseThrow() < 1
                || Arrays.stream(outputs).min().orElseThrow() < 1) {
            throw new IllegalArgumentException(inputs.length + " inputs and " + outputs.length
                    + " outputs: as many of both, and each of at least 1 token, are needed");
        }
        this.inputs = inputs.clone();
        this.outputs = outputs.clone();
        this.sentMillis = List.copyOf(sentMillis);
    }

    /// Returns whether sending times are known.
    public boolean hasTimes() {
        return !sentMillis.isEmpty();
    }

    /// Returns the sending times, in ms after the first.
    List<Double> sentMillis() {
        return sentMillis.stream().map(millis -> millis - sentMillis.getFirst()).toList();
    }

    /// Returns every `step`-th request, starting with the first.
    RecordedLengths every(int step) {
        int[] kept = IntStream.iterate(0, one -> one < inputs.length, one -> one + step)
                .toArray();
        return new RecordedLengths(
                Arrays.stream(kept).map(one -> inputs[one]).toArray(),
                Arrays.stream(kept).map(one -> outputs[one]).toArray(),
                hasTimes() ? Arrays.stream(kept).mapToObj(sentMillis::get).toList() : List.of());
    }

    public int count() {
        return inputs.length;
    }

    @Override
    public int input(int request) {
        return inputs[request % inputs.length];
    }

    @Override
    public int output(int request) {
        return outputs[request % outputs.length];
    }

    @Override
    public int longestInput() {
        return Arrays.stream(inputs).max().orElseThrow();
    }

    @Override
    public int longestOutput() {
        return Arrays.stream(outputs).max().orElseThrow();
    }

    @Override
    public boolean areEqual() {
        return false;
    }

    @Override
    public OptionalInt namedInput() {
        return OptionalInt.empty();
    }

    @Override
    public OptionalInt namedOutput() {
        return OptionalInt.empty();
    }

    @Override
    public RecordedLengths withInput(int tokens) {
        int[] equal = new int[inputs.length];
        Arrays.fill(equal, tokens);
        return new RecordedLengths(equal, outputs, sentMillis);
    }

    @Override
    public MeanRequest mean(double prefixHitRate) {
        return MeanRequest.of(
                new MeanRequest.Mix(shares(), List.of(), DecodeMix.of(inputs, outputs)),
                Arrays.stream(outputs).average().orElseThrow(),
                prefixHitRate);
    }

    private List<LengthShare> shares() {
        Map<Integer, Integer> counts = new TreeMap<>();
        for (int tokens : inputs) {
            counts.merge(tokens, 1, Integer::sum);
        }
        return counts.entrySet().stream()
                .map(one -> new LengthShare(one.getKey(), (double) one.getValue() / inputs.length))
                .toList();
    }
}

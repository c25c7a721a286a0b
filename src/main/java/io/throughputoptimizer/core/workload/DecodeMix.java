package io.throughputoptimizer.core.workload;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/// Requests in a decode batch in the steady state.
///
/// A freed slot of a batch is refilled at once. Of the requests a share `w_i` has input `i` and, independent of
/// its input, a share `v_j` has output `j` of `o_j` tokens. Each step gives every slot the same number of
/// tokens, so a request holds its slot for a time in proportion to `o_j`, and a slot holds class `(i, j)` with
/// probability
///
/// `w_i v_j o_j / sum(v_j o_j)`
///
/// (rate times residence). The context of a request grows by the same amount each step from its input to input
/// and output, so it is uniform over its life; each class is represented by its midpoint, `input + o_j div 2 +
/// queryLength`, like a fixed length. That gives the exact mean time of a step if attention time is linear in
/// the context, and always the exact mean KV cache. Tokens in the prefix cache are part of the context too.
///
/// @param classes classes by ascending context; their ratios add up to 1
/// @param prefixCacheHitRate share of the input found in the prefix cache
public record DecodeMix(List<SlotClass> classes, double prefixCacheHitRate) {
    /// Maximum number of classes; beyond it neighbors are merged, which keeps the mean context.
    private static final int MOST = 256;

    /// Maximum number of inputs, and of outputs, that are combined if there are more than [#MOST] pairs.
    private static final int MOST_LENGTHS = 64;

    private static final Comparator<SlotClass> BY_CONTEXT =
            Comparator.comparingDouble(SlotClass::contextTokens).thenComparingDouble(SlotClass::inputTokens);

    /// Requests of equal or similar context, with their mean lengths.
    ///
    /// @param slotRatio share of the batch slots that hold such a request
    public record SlotClass(double inputTokens, double outputTokens, double contextTokens, double slotRatio) {

        private static SlotClass pair(SlotClass input, SlotClass output, int queryLength) {
            return new SlotClass(
                    input.inputTokens,
                    output.outputTokens,
                    output.contextTokens + input.contextTokens + queryLength,
                    input.slotRatio * output.slotRatio);
        }

        private static SlotClass joined(List<SlotClass> parts) {
            double ratio = 0;
            double input = 0;
            double output = 0;
            double context = 0;
            for (SlotClass part : parts) {
                ratio += part.slotRatio;
                input += part.slotRatio * part.inputTokens;
                output += part.slotRatio * part.outputTokens;
                context += part.slotRatio * part.contextTokens;
            }
            return new SlotClass(input / ratio, output / ratio, context / ratio, ratio);
        }
    }

    public DecodeMix {
        classes = List.copyOf(classes);
    }

    /// Returns the mix of a workload.
    ///
    /// @param queryLength new tokens of each request in a step
    public static DecodeMix of(Workload workload, int queryLength) {
        return of(
                inputs(workload.lengths()),
                outputs(workload.outputs().lengths()),
                queryLength,
                workload.prefixCacheHitRate());
    }

    /// Returns the mix of independent inputs and outputs, without the new tokens of a step.
    public static DecodeMix of(List<LengthShare> inputs, List<LengthShare> outputs) {
        return of(inputs(inputs), outputs(outputs), 0, 0);
    }

    /// Returns the mix of completed requests, each input paired with its own output.
    ///
    /// @param inputs input tokens of each request
    /// @param outputs output tokens of the same requests
    public static DecodeMix of(int[] inputs, int[] outputs) {
        double sum = Arrays.stream(outputs).asLongStream().sum();
        List<SlotClass> all = IntStream.range(0, inputs.length)
                .mapToObj(one -> {
                    int halfway = outputs[one] / 2;
                    return new SlotClass(inputs[one], outputs[one], (double) inputs[one] + halfway, outputs[one] / sum);
                })
                .sorted(BY_CONTEXT)
                .toList();
        return new DecodeMix(joined(all, MOST), 0);
    }

    private static DecodeMix of(
            List<SlotClass> inputs, List<SlotClass> outputs, int queryLength, double prefixCacheHitRate) {
        boolean many = (long) inputs.size() * outputs.size() > MOST;
        List<SlotClass> pairs = new ArrayList<>();
        for (SlotClass input : many ? joined(inputs, MOST_LENGTHS) : inputs) {
            for (SlotClass output : many ? joined(outputs, MOST_LENGTHS) : outputs) {
                pairs.add(SlotClass.pair(input, output, queryLength));
            }
        }
        pairs.sort(BY_CONTEXT);
        return new DecodeMix(many ? joined(pairs, MOST) : pairs, prefixCacheHitRate);
    }

    private static List<SlotClass> inputs(Lengths lengths) {
        return switch (lengths) {
            case Lengths.Fixed(int tokens) -> List.of(new SlotClass(tokens, 0, tokens, 1));
            case Lengths.Mixed(LengthDistribution distribution) -> inputs(distribution.shares());
        };
    }

    private static List<SlotClass> inputs(List<LengthShare> lengths) {
        return lengths.stream()
                .map(length -> new SlotClass(length.tokens(), 0, length.tokens(), length.requestRatio()))
                .toList();
    }

    private static List<SlotClass> outputs(List<LengthShare> lengths) {
        double mean = LengthShare.mean(lengths);
        return lengths.stream().map(length -> output(length, mean)).toList();
    }

    private static SlotClass output(LengthShare length, double mean) {
        int halfway = length.tokens() / 2;
        return new SlotClass(0, length.tokens(), halfway, length.requestRatio() * length.tokens() / mean);
    }

    private static List<SlotClass> joined(List<SlotClass> classes, long most) {
        return Neighbours.joined(classes, most, SlotClass::slotRatio, SlotClass::joined);
    }

    /// Returns the mean context of a request in a batch.
    public double meanContextTokens() {
        return mean(SlotClass::contextTokens);
    }

    /// Returns the slot-weighted mean of a figure over the requests in a batch.
    public double mean(ToDoubleFunction<SlotClass> figure) {
        return classes.stream()
                .mapToDouble(one -> one.slotRatio() * figure.applyAsDouble(one))
                .sum();
    }

    /// Divides the requests of a batch over the classes by the largest remainder ([LargestRemainder], longer
    /// contexts first). If a batch is too small to hold one request of each class, neighbors in context are
    /// merged until each has a whole request: no class is dropped, and the mean context stays.
    public List<LengthSamples> allocate(long requests) {
        List<SlotClass> parts = joined(classes, requests);
        long[] samples = LargestRemainder.allocate(
                requests,
                parts.stream().mapToDouble(SlotClass::slotRatio).toArray(),
                parts.stream().mapToLong(DecodeMix::context).toArray());
        return IntStream.range(0, samples.length)
                .filter(i -> samples[i] > 0)
                .mapToObj(i -> samples(parts.get(i), samples[i]))
                .toList();
    }

    private LengthSamples samples(SlotClass part, long count) {
        int input = (int) Math.rint(part.inputTokens());
        int query = Math.max(1, PrefixCache.uncachedTokens(input, prefixCacheHitRate));
        return new LengthSamples(
                new RepresentativeLength(input, query, part.slotRatio()),
                new LengthSamples.Decoding((int) Math.rint(part.outputTokens()), context(part)),
                count);
    }

    private static long context(SlotClass part) {
        return (long) Math.rint(part.contextTokens());
    }
}

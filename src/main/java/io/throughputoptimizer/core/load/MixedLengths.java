package io.throughputoptimizer.core.load;

import io.throughputoptimizer.core.workload.DecodeMix;
import io.throughputoptimizer.core.workload.LengthShare;
import io.throughputoptimizer.core.workload.OutputLengths;
import java.util.List;
import java.util.OptionalInt;

/// Independent input and output lengths with given shares: a deterministic replacement for independent draws.
/// In any long run of requests each length has its share; positions are those of [SpreadLengths].
///
/// @param inputs input lengths in ascending order, with shares of the requests that add up to 1
/// @param outputs output lengths in ascending order, with shares of the requests that add up to 1
/// @param longestInput most tokens of any prompt
/// @param longestOutput most tokens of any output
public record MixedLengths(List<LengthShare> inputs, List<LengthShare> outputs, int longestInput, int longestOutput)
        implements RequestLengths {
    public MixedLengths {
        inputs = List.copyOf(inputs);
        outputs = List.copyOf(outputs);
    }

    static MixedLengths of(List<LengthShare> inputs, int longestInput, OutputLengths outputs) {
        return new MixedLengths(
                inputs, outputs.lengths(), longestInput, outputs.sole().orElse(outputs.longest()));
    }

    @Override
    public int input(int request) {
        return at(inputs, SpreadLengths.inputPosition(request));
    }

    @Override
    public int output(int request) {
        return at(outputs, SpreadLengths.outputPosition(request));
    }

    @Override
    public boolean areEqual() {
        return false;
    }

    @Override
    public OptionalInt namedInput() {
        return sole(inputs);
    }

    @Override
    public OptionalInt namedOutput() {
        return sole(outputs);
    }

    @Override
    public MeanRequest mean(double prefixHitRate) {
        return MeanRequest.of(
                new MeanRequest.Mix(inputs, List.of(), DecodeMix.of(inputs, outputs)),
                LengthShare.mean(outputs),
                prefixHitRate);
    }

    @Override
    public MixedLengths withInput(int tokens) {
        return new MixedLengths(List.of(new LengthShare(tokens, 1)), outputs, tokens, longestOutput);
    }

    private static OptionalInt sole(List<LengthShare> lengths) {
        return lengths.size() == 1 ? OptionalInt.of(lengths.getFirst().tokens()) : OptionalInt.empty();
    }

    private static int at(List<LengthShare> lengths, double position) {
        double below = 0;
        for (LengthShare length : lengths) {
            below += length.requestRatio();
            if (position < below) {
                return length.tokens();
            }
        }
        return lengths.getLast().tokens();
    }
}

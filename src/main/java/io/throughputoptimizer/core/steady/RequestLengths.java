package io.throughputoptimizer.core.steady;

import io.throughputoptimizer.core.workload.Conversation;
import io.throughputoptimizer.core.workload.LengthShare;
import io.throughputoptimizer.core.workload.Lengths;
import io.throughputoptimizer.core.workload.Workload;
import java.util.List;
import java.util.OptionalInt;

/// How long the requests of a load are. Request `i = 0, 1, ...` has the same lengths whenever it is asked for.
public sealed interface RequestLengths permits SpreadLengths, MixedLengths, RecordedLengths, TurnLengths {
    /// Prompt of a request, in tokens.
    int input(int request);

    /// Output of a request, in tokens.
    int output(int request);

    /// Prompt of the longest request.
    int longestInput();

    /// Output of the longest request.
    int longestOutput();

    /// Whether all requests are alike, so that those of a closed loop would stay in step.
    boolean areEqual();

    /// The input that names all of them: the longest of those that are spread up to it; empty where each has its own.
    OptionalInt namedInput();

    /// The output that names all of them, likewise.
    OptionalInt namedOutput();

    /// The same with prompts of that length, spread as before if they are.
    RequestLengths withInput(int tokens);

    /// What a law counts with.
    ///
    /// @param prefixHitRate share of each prompt that lies in the cache already
    MeanRequest mean(double prefixHitRate);

    /// Those of a workload, a single bin as the length that it stands for.
    ///
    /// @param ratio shortest as a share of the longest, where inputs and outputs have one length each
    static RequestLengths of(Workload workload, double ratio) {
        Conversation conversation = workload.conversation();
        if (conversation != null) {
            return new TurnLengths(conversation);
        }
        Workload asked = workload.withoutSoleBin();
        OptionalInt output = asked.outputs().sole();
        return switch (asked.lengths()) {
            case Lengths.Fixed(int input) when output.isPresent() -> new SpreadLengths(input, output.getAsInt(), ratio);
            case Lengths.Fixed(int input) ->
                MixedLengths.of(List.of(new LengthShare(input, 1)), input, asked.outputs());
            case Lengths.Mixed mixed ->
                MixedLengths.of(mixed.distribution().shares(), mixed.longest(), asked.outputs());
        };
    }
}

package io.throughputoptimizer.core.load;

import io.throughputoptimizer.core.workload.Conversation;
import io.throughputoptimizer.core.workload.LengthShare;
import io.throughputoptimizer.core.workload.Lengths;
import io.throughputoptimizer.core.workload.Workload;
import java.util.List;
import java.util.OptionalInt;

/// Lengths of the requests of a load. Request `i = 0, 1, ...` always has the same lengths.
public sealed interface RequestLengths permits SpreadLengths, MixedLengths, RecordedLengths, TurnLengths {
    /// Returns the prompt tokens of a request.
    int input(int request);

    /// Returns the output tokens of a request.
    int output(int request);

    /// Returns the prompt tokens of the longest request.
    int longestInput();

    /// Returns the output tokens of the longest request.
    int longestOutput();

    /// Returns whether all requests are equal, so that those of a closed loop would stay in step.
    boolean areEqual();

    /// Returns the input that represents all requests: the longest if they are spread up to it; empty if they
    /// differ otherwise.
    OptionalInt namedInput();

    /// Returns the output that represents all requests, likewise.
    OptionalInt namedOutput();

    /// Returns a copy with another prompt length, spread as before.
    RequestLengths withInput(int tokens);

    /// Returns the mean request of a steady-state law.
    ///
    /// @param prefixHitRate cached share of each prompt
    MeanRequest mean(double prefixHitRate);

    /// Returns the lengths of a workload; a single bin counts as its representative length.
    ///
    /// @param ratio shortest length as a share of the longest, if inputs and outputs have one length each
    static RequestLengths of(Workload workload, double ratio) {
        Conversation conversation = workload.conversation();
        if (conversation != null) {
            return new TurnLengths(conversation, PrefixCacheRetention.PROMPT_AND_ANSWER);
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

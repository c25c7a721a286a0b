package io.throughputoptimizer.core.forward.attention;

/// What decides, besides the deployment, which operators attention has; the same for all passes of models in which it
/// does
/// not show.
///
/// @param oneToken whether a single token is computed: it shows when heads are rotated in part
/// @param recurrent whether the gated delta rule goes on from earlier states token by token; else it works on chunks
/// @param sharesContext whether decode context parallelism acts: ranks attend to parts of a sequence each
public record AttentionTraits(boolean oneToken, boolean recurrent, boolean sharesContext) {
    public static final AttentionTraits NONE = new AttentionTraits(false, false, false);
}

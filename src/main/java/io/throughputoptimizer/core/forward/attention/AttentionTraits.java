package io.throughputoptimizer.core.forward.attention;

/// What decides, besides the deployment, which operators attention has; the same for all passes of models in which it
/// does not show.
///
/// @param oneToken whether a single token is computed: it shows when heads are rotated in part
/// @param recurrent whether the gated delta rule goes on from earlier states token by token; else it works on chunks
/// @param sharesContext whether decode context parallelism acts: ranks attend to parts of a sequence each
/// @param window how the tokens lie to the window, where entries before it are compressed
public record AttentionTraits(boolean oneToken, boolean recurrent, boolean sharesContext, Window window) {
    public static final AttentionTraits NONE = new AttentionTraits(false, false, false, Window.NONE);

    /// How the tokens of a pass lie to a window.
    public enum Window {
        /// There is none that shows.
        NONE,
        /// Requests decode: the window is in the cache.
        CACHED,
        /// It holds all tokens of the pass.
        WITHIN,
        /// They fill it several times and no more.
        WHOLE,
        /// They are more than it holds, and no multiple of it.
        BROKEN
    }
}

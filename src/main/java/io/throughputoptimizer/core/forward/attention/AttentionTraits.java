package io.throughputoptimizer.core.forward.attention;

/// The properties of a pass that, with the deployment, decide the operators of attention. Constant for models
/// whose attention does not depend on them.
///
/// @param oneToken whether a single token is computed; matters if heads are rotated in part
/// @param recurrent whether the gated delta rule continues earlier states token by token; else it works on chunks
/// @param sharesContext whether decode context parallelism acts: each rank attends to part of a sequence
/// @param window position of the tokens relative to the window, if entries before it are compressed
public record AttentionTraits(boolean oneToken, boolean recurrent, boolean sharesContext, Window window) {
    public static final AttentionTraits NONE = new AttentionTraits(false, false, false, Window.NONE);

    /// The position of a pass's tokens relative to a window.
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

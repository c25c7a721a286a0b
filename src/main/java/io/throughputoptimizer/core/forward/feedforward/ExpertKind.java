package io.throughputoptimizer.core.forward.feedforward;

/// What decides, besides the deployment, which operators the experts of a rank have.
///
/// @param evenTokens whether the tokens divide evenly over the tensor parallel ranks, where each takes its part
/// @param idleExperts whether some experts of the rank have no tokens, where that shows: when compiled, with expert
///     parallelism
/// @param grouped whether its experts run in grouped products; else one by one
/// @param fuller its experts with one token more than the others get from a rank
/// @param lesser the others
public record ExpertKind(boolean evenTokens, boolean idleExperts, boolean grouped, Part fuller, Part lesser) {

    /// Experts with the same number of tokens, one by one.
    public enum Part {
        /// None, or without tokens.
        ABSENT,
        EXACT,
        /// Their tokens are padded.
        PADDED
    }
}

package io.throughputoptimizer.core.forward.feedforward;

/// The properties that, with the deployment, decide the operators of a rank's experts.
///
/// @param evenTokens whether tokens divide evenly over the tensor parallel ranks
/// @param idleExperts whether some experts of the rank have no tokens; set only if compiled, with expert
///     parallelism
/// @param grouped whether experts run in grouped products; else one by one
/// @param fuller experts that get one token more from each rank than the others
/// @param lesser the other experts
public record ExpertKind(boolean evenTokens, boolean idleExperts, boolean grouped, Part fuller, Part lesser) {

    /// Experts with the same number of tokens, one by one.
    public enum Part {
        /// No experts, or experts without tokens.
        ABSENT,
        EXACT,
        /// Their tokens are padded.
        PADDED
    }
}

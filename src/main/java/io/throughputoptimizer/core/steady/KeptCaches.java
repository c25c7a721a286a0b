package io.throughputoptimizer.core.steady;

/// What the caches of conversations come to under a lasting load: of a rank, or of prefill and decode workers together.
///
/// @param found share of the turns after the first that find what the turn before has left
/// @param foundTokens share of all that these could find, in tokens: the same where longer turns are not forgotten
/// sooner
/// @param hitRate share of all tokens of prompts that need not be computed
/// @param conversations that are open at once: those whose request is outstanding, and those whose user thinks
/// @param neededTokens of cache of a rank that the latter would find again; of a prefill rank those too whose answer is
///     generated elsewhere
/// @param roomTokens of cache of that rank which requests that run leave to them, and to what nobody will ask for again
public record KeptCaches(
        double found,
        double foundTokens,
        double hitRate,
        double conversations,
        double neededTokens,
        double roomTokens) {}

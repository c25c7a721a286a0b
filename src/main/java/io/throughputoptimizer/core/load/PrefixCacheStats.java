package io.throughputoptimizer.core.load;

/// Prefix cache statistics of conversations in the steady state: of a rank, or of prefill and decode ranks
/// together.
///
/// @param found share of the turns after the first that hit the cache
/// @param foundTokens hit share in tokens, relative to all reusable tokens; equal to `found` unless longer
///     turns are evicted sooner
/// @param hitRate cached share of all prompt tokens
/// @param conversations open conversations: those with a request in flight, and those in think time
/// @param neededTokens reusable cache tokens of a rank for conversations in think time; for a prefill rank also
///     for those whose output is generated elsewhere
/// @param roomTokens cache tokens of that rank that running requests leave to reusable and dead entries
public record PrefixCacheStats(
        double found,
        double foundTokens,
        double hitRate,
        double conversations,
        double neededTokens,
        double roomTokens) {}

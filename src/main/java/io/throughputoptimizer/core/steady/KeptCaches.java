package io.throughputoptimizer.core.steady;

/// What the caches of conversations come to on a rank under a lasting load.
///
/// @param found share of the turns after the first that find what the turn before has left
/// @param hitRate share of all tokens of prompts that need not be computed
/// @param conversations that are open at once: those whose request is outstanding, and those whose user thinks
/// @param neededTokens of cache that the latter would find again
/// @param roomTokens of cache that requests which run leave to them, and to what nobody will ask for again
public record KeptCaches(double found, double hitRate, double conversations, double neededTokens, double roomTokens) {}

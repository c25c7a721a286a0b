package io.throughputoptimizer.core.fleet;

import io.throughputoptimizer.core.fleet.FleetRow.Steps;

/// Prefill instances that feed decode instances, at their best concurrency.
///
/// @param at what they deliver there
/// @param steps what a decode step and a prompt consist of
/// @param cacheTokens that the KV cache of a decode rank holds
public record PairRow(PairPoint at, Steps steps, double cacheTokens) implements ServedRow {}

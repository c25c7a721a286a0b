package io.throughputoptimizer.core.serving;

import io.throughputoptimizer.core.forward.ForwardEstimate;
import org.jspecify.annotations.Nullable;

/// Waves in which an aggregated instance prefills its requests, one after another.
///
/// @param size requests of a full wave, `W`
/// @param fullWaves number of them, `n`
/// @param rest requests of the last wave, `r`, 0 when the full ones leave none
/// @param full pass of a full wave, priced even if none runs
/// @param remainder pass of the last wave; absent when there is none
record PrefillWaves(
        long size,
        long fullWaves,
        long rest,
        ForwardEstimate full,
        @Nullable ForwardEstimate remainder) {

    /// Time in ms that all waves take, one after another: `n P + R`.
    double totalMillis() {
        return fullWaves * full.latencyMillis() + (remainder == null ? 0 : remainder.latencyMillis());
    }

    /// Mean over all requests of the time until their wave is done: `(W P (1 + n) n / 2 + (n P + R) r) / (n W + r)`
    /// in ms.
    double meanCompletionMillis() {
        double fullMillis = full.latencyMillis();
        double restMillis = remainder == null ? 0 : remainder.latencyMillis();
        double sum = size * fullMillis * (1 + fullWaves) * fullWaves / 2 + (fullWaves * fullMillis + restMillis) * rest;
        return sum / (fullWaves * size + rest);
    }

    /// The pass that leaves least memory among those that run.
    ForwardEstimate tightest() {
        if (remainder == null) {
            return full;
        }
        if (fullWaves == 0) {
            return remainder;
        }
        return remainder.memory().availableBytes() < full.memory().availableBytes() ? remainder : full;
    }
}

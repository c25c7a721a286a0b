package io.throughputoptimizer.core.measured;

import io.throughputoptimizer.core.silicon.SiliconDeployment;

/// A point with what it consists of.
public sealed interface ServedRow permits MeasuredRow, PairRow {
    ServedPoint at();

    /// What a decode step and a prompt consist of.
    MeasuredRow.Steps steps();

    /// Tokens that the KV cache of a rank which decodes holds.
    double cacheTokens();

    /// An instance that decodes.
    default SiliconDeployment decoding() {
        return switch (at()) {
            case MeasuredPoint point -> point.deployment();
            case PairPoint point -> point.decode();
        };
    }
}

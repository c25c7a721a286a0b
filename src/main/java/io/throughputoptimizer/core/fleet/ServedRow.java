package io.throughputoptimizer.core.fleet;

import io.throughputoptimizer.core.silicon.SiliconDeployment;

/// A point with what it consists of.
public sealed interface ServedRow permits FleetRow, PairRow {
    ServedPoint at();

    /// What a decode step and a prompt consist of.
    FleetRow.Steps steps();

    /// Tokens that the KV cache of a rank which decodes holds.
    double cacheTokens();

    /// An instance that decodes.
    default SiliconDeployment decoding() {
        return switch (at()) {
            case FleetPoint point -> point.deployment();
            case PairPoint point -> point.decode();
        };
    }
}

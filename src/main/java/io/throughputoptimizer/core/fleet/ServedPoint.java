package io.throughputoptimizer.core.fleet;

import io.throughputoptimizer.core.search.Goal.Delivered;
import io.throughputoptimizer.core.silicon.Bands;
import io.throughputoptimizer.core.steady.LawOutcome.Figures;

/// What a deployment delivers at one concurrency, whatever its instances do.
public sealed interface ServedPoint permits FleetPoint, PairPoint {
    Bands bands();

    /// The mean that a benchmark prints.
    Uncertain ttftMillis();

    Uncertain ttftBurstMillis();

    Uncertain ttftSettledMillis();

    Uncertain tpotMillis();

    /// A step in which all that run decode.
    Uncertain decodeMillis();

    /// One prompt.
    Uncertain prefillMillis();

    /// Of the deployment.
    Uncertain tokensPerSecond();

    Uncertain tokensPerSecondPerDevice();

    /// Of the deployment.
    Uncertain requestsPerSecond();

    /// Of one rank of replicas, of all instances of a pair.
    Figures figures();

    Arrangement arrangement();

    /// Devices that work.
    int devices();

    /// What a goal looks at.
    ///
    /// @param device name of the kind of device
    default Delivered delivered(String device) {
        double rate = tokensPerSecond().value();
        return new Delivered(
                device,
                rate,
                tokensPerSecondPerDevice().value(),
                devices() / rate,
                tpotMillis().value());
    }

    /// Requests that a rank which decodes runs at once.
    double running();
}

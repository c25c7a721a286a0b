package io.throughputoptimizer.core.measured;

import io.throughputoptimizer.core.search.Objective;
import io.throughputoptimizer.core.search.Objective.Delivered;
import io.throughputoptimizer.core.silicon.Bands;
import io.throughputoptimizer.core.steady.LawOutcome.Figures;
import java.util.Optional;
import java.util.OptionalDouble;

/// What a deployment delivers at one concurrency, whatever its instances do.
public sealed interface ServedPoint permits MeasuredPoint, PairPoint {
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

    /// What a objective looks at.
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

    /// What it achieves of a objective, as uncertain as the throughput or the TPOT that it is made of; empty where it
    /// is
    /// infinite.
    ///
    /// @param device name of the kind of device
    default Optional<Uncertain> achieved(Objective objective, String device) {
        OptionalDouble value = objective.value(delivered(device));
        return value.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        switch (objective) {
                            case Objective.TokensPerSecond() -> tokensPerSecond();
                            case Objective.TokensPerSecondPerDevice() -> tokensPerSecondPerDevice();
                            case Objective.TokensPerSecondPerUser(var _) ->
                                tpotMillis().inverse(value.getAsDouble());
                            case Objective.CostPerMillionTokens _ ->
                                tokensPerSecondPerDevice().inverse(value.getAsDouble());
                        });
    }

    /// Requests that a rank which decodes runs at once.
    double running();
}

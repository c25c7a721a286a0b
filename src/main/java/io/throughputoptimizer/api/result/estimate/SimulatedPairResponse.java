package io.throughputoptimizer.api.result.estimate;

import static java.util.Objects.requireNonNull;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.result.figure.ParallelResponse;
import io.throughputoptimizer.core.load.SimulationResult.Sides;
import io.throughputoptimizer.core.replica.SimulatedDeployment.Outcome;
import io.throughputoptimizer.core.replica.SimulatedPair;
import org.jspecify.annotations.Nullable;

/// Figures of simulated instances in disaggregated serving.
@Schema(name = "SimulatedPairsFigures")
public record SimulatedPairResponse(InstancesResponse prefill, InstancesResponse decode, double kvTransferMs) {

    /// Figures of the instances of one phase.
    @Schema(name = "SimulatedInstancesFigures")
    public record InstancesResponse(
            String device,
            ParallelResponse parallel,
            int instances,
            double busy,
            double waitMs,
            @Nullable Double running) {

        private static InstancesResponse of(
                SimulatedPair.Side side, double busy, double waitMillis, @Nullable Double running) {
            return new InstancesResponse(
                    side.device(),
                    ParallelResponse.from(side.deployment()),
                    side.instances(),
                    busy,
                    waitMillis,
                    running);
        }
    }

    static SimulatedPairResponse of(SimulatedPair pair, Outcome outcome) {
        Sides sides = requireNonNull(outcome.result().sides());
        return new SimulatedPairResponse(
                InstancesResponse.of(pair.prefill(), sides.prefillBusy(), sides.prefillWaitMillis(), null),
                InstancesResponse.of(pair.decode(), sides.decodeBusy(), sides.decodeWaitMillis(), sides.decoding()),
                sides.transferMillis());
    }
}

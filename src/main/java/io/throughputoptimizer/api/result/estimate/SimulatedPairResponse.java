package io.throughputoptimizer.api.result.estimate;

import static java.util.Objects.requireNonNull;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.result.figure.ParallelResponse;
import io.throughputoptimizer.core.load.SimulationResult.Sides;
import io.throughputoptimizer.core.replica.SimulatedDeployment.Outcome;
import io.throughputoptimizer.core.replica.SimulatedPair;
import org.jspecify.annotations.Nullable;

/// Figures of simulated instances in disaggregated serving.
@Schema(name = "SimulatedPairsFigures", description = "Load of prefill and decode instances over the whole simulation.")
public record SimulatedPairResponse(
        @Schema(description = "Instances that compute prompts.")
        InstancesResponse prefill,

        @Schema(description = "Instances that generate.") InstancesResponse decode,

        @Schema(description = "Time that the cache of a request takes from prefill to decode, in ms, in the mean.")
        double kvTransferMs) {

    /// Figures of the instances of one phase.
    @Schema(name = "SimulatedInstancesFigures", description = "Load of equal instances of one phase.")
    public record InstancesResponse(
            @Schema(description = "Kind of device.", example = "H100_SXM")
            String device,

            @Schema(description = "Parallel layout of an instance.")
            ParallelResponse parallel,

            @Schema(description = "Instances.", example = "2")
            int instances,

            @Schema(
                    description = "Share of the time in which a rank works, in the mean of the ranks.",
                    example = "0.71")
            double busy,

            @Schema(description = "Time that a request waits for these instances, in ms, in the mean.")
            double waitMs,

            @Schema(
                    description = "Mean running requests of a rank while it decodes. Absent for prefill, which"
                            + " processes one prompt at a time.")
            @Nullable
            Double running) {

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

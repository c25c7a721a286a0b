package io.throughputoptimizer.api.result;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.result.estimate.SimulatedSpread;
import io.throughputoptimizer.api.result.figure.BandResponse;
import io.throughputoptimizer.api.result.figure.StatisticsResponse;
import io.throughputoptimizer.core.calibrated.CalibratedProblem;
import io.throughputoptimizer.core.calibrated.CalibratedRow;
import io.throughputoptimizer.core.kernels.Bands;
import io.throughputoptimizer.core.load.SimulationResult;
import io.throughputoptimizer.core.load.Traffic;
import io.throughputoptimizer.core.replica.SimulatedDeployment.Outcome;
import io.throughputoptimizer.core.workload.Limits;
import org.jspecify.annotations.Nullable;

/// Latencies that clients of a row saw in a simulation.
@Schema(
        name = "RowSimulation",
        description = "Latencies and throughput that clients see in a simulation of one rank, at the row's"
                + " concurrency or at `traffic.request_rate`.")
public record RowSimulationResponse(
        @Schema(description = "Time to the first token.") StatisticsResponse ttftMs,

        @Schema(description = "Time per output token after the first; absent if requests have one output token.")
        @Nullable
        StatisticsResponse tpotMs,

        @Schema(
                description = "End-to-end latency. Its prediction intervals split each value like the means."
                        + " Requires `slo.e2e_latency_ms`.")
        @Nullable
        StatisticsResponse e2eLatencyMs,

        @Schema(description = "Output tokens per second of all replicas.")
        double tokensPerS,

        @Schema(description = "Prediction interval of `tokens_per_s`.") @Nullable
        BandResponse tokensPerSBand,

        @Schema(description = "Range of `tokens_per_s` on an Ascend device.") @Nullable
        BandResponse tokensPerSRange,

        @Schema(
                description = "Time in ms over which clients spread their second requests evenly, so that equal"
                        + " requests get out of step: the latency of one request in the model. Absent if lengths"
                        + " differ, or with a request rate.")
        @Nullable
        Double staggerMs,

        @Schema(description = "Requests that were simulated.")
        int requests,

        @Schema(description = "Steps that were priced; equal ones are skipped.")
        long evaluations) {

    static @Nullable RowSimulationResponse from(CalibratedRow row, CalibratedProblem problem) {
        Outcome outcome = row.simulation();
        if (outcome == null) {
            return null;
        }
        SimulationResult result = outcome.result();
        Bands bands = outcome.bands();
        SimulationResult.Generation generation = result.generation();
        int ranks = row.at().instances().shares();
        double tokensPerS = ranks * result.span().outputTokensPerSecond();
        double output = problem.demand().traffic().mean().outputTokens();
        Limits limits = problem.demand().limits();
        return new RowSimulationResponse(
                StatisticsResponse.from(SimulatedSpread.ttft(outcome), limits.percentile(), limits.ttftMillis()),
                generation == null
                        ? null
                        : StatisticsResponse.from(
                                SimulatedSpread.tpot(outcome), limits.percentile(), limits.tpotMillis()),
                limits.requestLatencyMillis() == null
                        ? null
                        : StatisticsResponse.from(
                                SimulatedSpread.requestLatency(outcome),
                                limits.percentile(),
                                limits.requestLatencyMillis()),
                tokensPerS,
                BandResponse.from(bands.ofThroughput(
                        tokensPerS,
                        result.ttft().mean(),
                        generation == null ? 0 : generation.meanGapMillis() * output)),
                SimulatedSpread.range(outcome, one -> ranks * one.span().outputTokensPerSecond()),
                staggerMillis(row, problem.demand().traffic()),
                result.effort().requests(),
                result.effort().evaluations());
    }

    private static @Nullable Double staggerMillis(CalibratedRow row, Traffic traffic) {
        return traffic.staggered() && traffic.rate() == null
                ? row.at().figures().staggerMillis()
                : null;
    }
}

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
@Schema(name = "RowSimulation")
public record RowSimulationResponse(
        StatisticsResponse ttftMs,
        @Nullable StatisticsResponse tpotMs,
        @Nullable StatisticsResponse e2eLatencyMs,
        double tokensPerS,
        @Nullable BandResponse tokensPerSBand,
        @Nullable BandResponse tokensPerSRange,
        @Nullable Double staggerMs,
        int requests,
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

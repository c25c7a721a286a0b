package io.throughputoptimizer.api.result.estimate;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonValue;
import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.reading.SimulationReader.Simulation;
import io.throughputoptimizer.api.request.EngineRequest;
import io.throughputoptimizer.api.request.SimulationRequest;
import io.throughputoptimizer.api.result.figure.BandResponse;
import io.throughputoptimizer.api.result.figure.CalibrationResponse;
import io.throughputoptimizer.api.result.figure.ParallelResponse;
import io.throughputoptimizer.api.result.figure.StatisticsResponse;
import io.throughputoptimizer.core.kernels.Bands;
import io.throughputoptimizer.core.kernels.CalibratedDeployment;
import io.throughputoptimizer.core.kernels.Speculation;
import io.throughputoptimizer.core.load.SimulationResult;
import io.throughputoptimizer.core.load.SimulationResult.Generation;
import io.throughputoptimizer.core.load.SimulationResult.Interval;
import io.throughputoptimizer.core.replica.SimulatedDeployment;
import io.throughputoptimizer.core.replica.SimulatedDeployment.Outcome;
import io.throughputoptimizer.core.replica.SimulatedPair;
import io.throughputoptimizer.core.replica.SimulatedReplicas;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Latencies and throughput of a simulated deployment.
@Schema(name = "Simulation")
public record SimulationResponse(
        StatisticsResponse ttftMs,
        @Nullable StatisticsResponse tpotMs,
        @Nullable StatisticsResponse e2eLatencyMs,
        @Nullable Double itlMeanMs,
        @Nullable Double stepMeanMs,
        @Nullable DraftsResponse speculation,
        @Nullable BandResponse itlMeanMsBand,
        @Nullable BandResponse itlMeanMsRange,
        double tokensPerS,
        @Nullable BandResponse tokensPerSBand,
        @Nullable BandResponse tokensPerSRange,
        double bandCoverage,
        List<String> flags,
        @Nullable Integer replicas,
        @Nullable ParallelResponse parallel,
        @Nullable SimulatedPairResponse pair,
        EngineRequest engine,
        @Nullable Double staggerMs,
        @Nullable SimulatedTurnsResponse turns,
        int requests,
        long evaluations,
        CalibrationResponse calibration,
        List<IntervalResponse> timeline) {

    /// Figures of the prefix cache.
    @Schema(name = "SimulatedTurns")
    public record SimulatedTurnsResponse(double hitRate, double turnsFound, double contextTokens) {

        private static @Nullable SimulatedTurnsResponse of(SimulationResult.@Nullable Turns turns) {
            return turns == null
                    ? null
                    : new SimulatedTurnsResponse(turns.hitRate(), turns.found(), turns.contextTokens());
        }
    }

    /// Draft tokens of decode steps.
    @Schema(name = "DraftsOfSimulation")
    public record DraftsResponse(int numDraftTokens, double acceptanceLength) {

        private static @Nullable DraftsResponse of(CalibratedDeployment deployment) {
            Speculation speculation = deployment.speculation();
            return speculation == null || !speculation.drafting()
                    ? null
                    : new DraftsResponse(speculation.drafts(), speculation.accepted());
        }
    }

    /// A part of the simulated time.
    @Schema(name = "SimulatedInterval")
    public record IntervalResponse(double startMs, double endMs, double running, double waiting, double tokensPerS) {

        private static IntervalResponse from(Interval interval, int ranks) {
            return new IntervalResponse(
                    interval.startMillis(),
                    interval.endMillis(),
                    ranks * interval.running(),
                    ranks * interval.waiting(),
                    ranks * interval.outputTokensPerSecond());
        }
    }

    public static SimulationResponse from(Simulation simulation, Outcome outcome) {
        SimulationResult result = outcome.result();
        Bands bands = outcome.bands();
        SimulatedDeployment simulated = simulation.simulated();
        int ranks = simulated.shares();
        SimulatedReplicas replicas = simulated instanceof SimulatedReplicas equal ? equal : null;
        Generation generation = result.generation();
        Double gap = generation == null ? null : generation.meanGapMillis();
        double tokensPerS = ranks * result.span().outputTokensPerSecond();
        DraftsResponse drafts = DraftsResponse.of(simulated.decoding());
        return new SimulationResponse(
                StatisticsResponse.from(SimulatedSpread.ttft(outcome), simulation.percentiles()),
                generation == null
                        ? null
                        : StatisticsResponse.from(SimulatedSpread.tpot(outcome), simulation.percentiles()),
                StatisticsResponse.from(SimulatedSpread.requestLatency(outcome), simulation.percentiles()),
                gap,
                generation == null || drafts == null ? null : generation.meanStepMillis(),
                drafts,
                gap == null ? null : BandResponse.from(bands.ofTpotStatistic(gap)),
                gap == null
                        ? null
                        : SimulatedSpread.range(
                                outcome, one -> requireNonNull(one.generation()).meanGapMillis()),
                tokensPerS,
                BandResponse.from(bands.ofThroughput(
                        tokensPerS,
                        result.ttft().mean(),
                        gap == null ? 0 : gap * simulated.traffic().mean().outputTokens())),
                SimulatedSpread.range(outcome, one -> ranks * one.span().outputTokensPerSecond()),
                simulation.coverage().share(),
                CalibratedEstimateResponse.labels(bands.flags()),
                replicas == null ? null : replicas.replicas(),
                replicas == null ? null : ParallelResponse.from(replicas.deployment()),
                simulated instanceof SimulatedPair pair ? SimulatedPairResponse.of(pair, outcome) : null,
                simulation.engine(),
                simulated.staggerMillis().stream().boxed().findFirst().orElse(null),
                SimulatedTurnsResponse.of(result.turns()),
                result.effort().requests(),
                result.effort().evaluations(),
                CalibrationResponse.from(
                        simulated.calibrations(), simulated.decoding().engine(), outcome.unexpectedUses()),
                result.timeline().stream()
                        .map(interval -> IntervalResponse.from(interval, ranks))
                        .toList());
    }

    /// A simulation and what was asked.
    ///
    /// @param request request, repeated in reports; not sent
    public record AnsweredSimulation(
            SimulationRequest request, @JsonValue SimulationResponse answer) {}
}

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
@Schema(
        name = "Simulation",
        description = "Latencies and throughput that clients of the simulated deployment see. One rank is"
                + " simulated, because all ranks of replicas have the same load; of a `pair` all ranks.")
public record SimulationResponse(
        @Schema(description = "Time to the first token.") StatisticsResponse ttftMs,

        @Schema(
                description = "Time per output token after the first, a mean of each request; absent if requests have"
                        + " one output token.")
        @Nullable
        StatisticsResponse tpotMs,

        @Schema(description = "Time from sending to the last token.") @Nullable
        StatisticsResponse e2eLatencyMs,

        @Schema(description = "Mean time between two tokens of a request, over all tokens, in ms.") @Nullable
        Double itlMeanMs,

        @Schema(
                description = "Mean time between two decode steps of a request, over all steps, in ms; with"
                        + " `speculation`, whose steps yield several tokens.")
        @Nullable
        Double stepMeanMs,

        @Schema(description = "Draft tokens and yield of a decode step. Requires `speculation` with draft tokens.")
        @Nullable
        DraftsResponse speculation,

        @Schema(description = "Prediction interval of `itl_mean_ms`.") @Nullable
        BandResponse itlMeanMsBand,

        @Schema(description = "Range of `itl_mean_ms` on an Ascend device.") @Nullable
        BandResponse itlMeanMsRange,

        @Schema(description = "Output tokens per second of all replicas, from the first sending to the last token.")
        double tokensPerS,

        @Schema(description = "Prediction interval of `tokens_per_s`.") @Nullable
        BandResponse tokensPerSBand,

        @Schema(description = "Range of `tokens_per_s` on an Ascend device.") @Nullable
        BandResponse tokensPerSRange,

        @Schema(description = "Share of measured figures that a band holds.", example = "0.9")
        double bandCoverage,

        @Schema(description = CalibratedEstimateResponse.FLAGS)
        List<String> flags,

        @Schema(description = "Replicas of the layout; absent with `pair`.") @Nullable
        Integer replicas,

        @Schema(description = "Parallel layout of a replica. Absent with `pair`.") @Nullable
        ParallelResponse parallel,

        @Schema(description = "Load of prefill and decode instances. Requires `pair`.") @Nullable
        SimulatedPairResponse pair,

        @Schema(description = "The engine, with all values that the request leaves to it.")
        EngineRequest engine,

        @Schema(
                description = "Time in ms over which clients spread their second requests evenly: the latency of"
                        + " one request in the model. Requires `traffic.staggered`.")
        @Nullable
        Double staggerMs,

        @Schema(
                description = "Prefix cache hits of conversation turns, in the second half of the requests, when"
                        + " the cache has filled. Requires `workload.conversation`.")
        @Nullable
        SimulatedTurnsResponse turns,

        @Schema(description = "Requests that were simulated at one rank; of a `pair` at all.")
        int requests,

        @Schema(description = "Steps that were priced; equal ones are skipped.")
        long evaluations,

        @Schema(description = "Basis of the figures.") CalibrationResponse calibration,

        @Schema(
                description = "Activity of all ranks over time, in at most 128 intervals. Throughput is as certain"
                        + " as `tokens_per_s`.")
        List<IntervalResponse> timeline) {

    /// Figures of the prefix cache.
    @Schema(name = "SimulatedTurns", description = "Prefix cache hits of conversation turns.")
    public record SimulatedTurnsResponse(
            @Schema(description = "Share of all tokens of prompts that were found in the cache.", example = "0.87")
            double hitRate,

            @Schema(description = "Share of the turns after the first that found the turn before.", example = "0.93")
            double turnsFound,

            @Schema(description = "Context of a request that decodes, in tokens, in the mean of all steps.")
            double contextTokens) {

        private static @Nullable SimulatedTurnsResponse of(SimulationResult.@Nullable Turns turns) {
            return turns == null
                    ? null
                    : new SimulatedTurnsResponse(turns.hitRate(), turns.found(), turns.contextTokens());
        }
    }

    /// Draft tokens of decode steps.
    @Schema(name = "DraftsOfSimulation", description = "Draft tokens and yield of a decode step.")
    public record DraftsResponse(
            @Schema(description = "Tokens drafted in a step.", example = "3")
            int numDraftTokens,

            @Schema(
                    description =
                            "Mean tokens per step, as requested. Percentiles ignore the randomness of acceptance.",
                    example = "2.6")
            double acceptanceLength) {

        private static @Nullable DraftsResponse of(CalibratedDeployment deployment) {
            Speculation speculation = deployment.speculation();
            return speculation == null || !speculation.drafting()
                    ? null
                    : new DraftsResponse(speculation.drafts(), speculation.accepted());
        }
    }

    /// A part of the simulated time.
    @Schema(name = "SimulatedInterval", description = "A part of the simulated time; means over it, of all ranks.")
    public record IntervalResponse(
            @Schema(description = "Start in ms.") double startMs,
            @Schema(description = "End in ms.") double endMs,

            @Schema(description = "Requests that run: those that are prefilled or decode.")
            double running,

            @Schema(description = "Requests that wait, or whose cache moves.")
            double waiting,

            @Schema(description = "Output tokens per second.")
            double tokensPerS) {

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

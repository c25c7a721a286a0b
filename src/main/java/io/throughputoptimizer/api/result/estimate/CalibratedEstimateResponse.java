package io.throughputoptimizer.api.result.estimate;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.reading.EstimateReader.CalibratedPass;
import io.throughputoptimizer.api.request.EngineRequest;
import io.throughputoptimizer.api.result.figure.AssumptionResponse;
import io.throughputoptimizer.api.result.figure.BandResponse;
import io.throughputoptimizer.api.result.figure.CalibrationResponse;
import io.throughputoptimizer.api.result.figure.ParallelResponse;
import io.throughputoptimizer.api.result.figure.RankMemoryResponse;
import io.throughputoptimizer.api.result.figure.SpeculationResponse;
import io.throughputoptimizer.core.kernels.Flag;
import io.throughputoptimizer.core.kernels.OperatorClass;
import io.throughputoptimizer.core.kernels.OperatorTime;
import io.throughputoptimizer.core.kernels.PassEstimate;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Cost of one forward pass in the calibrated model, with its uncertainty.
@Schema(name = "CalibratedEstimate", description = "What one forward pass costs on one rank by measured kernels.")
public record CalibratedEstimateResponse(
        @Schema(
                description =
                        "Sum of all operator times, of `engine.step_gap_ms` and of `speculation.requests_ms`, in ms.")
        double latencyMs,

        @Schema(
                description = "Where the latency may lie: the errors of TPOT for decode, those of TTFT for prefill."
                        + " Absent when it is uncalibrated.")
        @Nullable
        BandResponse latencyMsBand,

        @Schema(
                description = "On an Ascend device, whose kernels were measured by single launches: the latency without"
                        + " and with them. It has no coverage.")
        @Nullable
        BandResponse latencyMsRange,

        @Schema(
                description = "With `speculation`: the step over the tokens that it yields, in ms. What a user sees a"
                        + " token where nobody prefills.")
        @Nullable
        Double tokenMs,

        @Schema(description = "What the step drafts and takes, with `speculation`.") @Nullable
        SpeculationResponse speculation,

        @Schema(description = "Share of measured figures that a band holds.", example = "0.9")
        double bandCoverage,

        @Schema(description = FLAGS) List<String> flags,

        @Schema(description = "How the devices are split.") ParallelResponse parallel,

        @Schema(description = "The engine, with all values that the request leaves to it.")
        EngineRequest engine,

        @Schema(description = "Where the memory of a rank goes.")
        RankMemoryResponse memory,

        @Schema(description = "Where the time of the operators goes.")
        KernelSharesResponse breakdown,

        @Schema(description = "Operators in the order of their first execution.")
        List<KernelResponse> operators,

        @Schema(description = "What the figures are based on.")
        CalibrationResponse calibration,

        @Schema(description = "What the figures assume of the server.")
        List<AssumptionResponse> assumptions)
        implements PricedPassResponse {
    static final String FLAGS = "Why the figures are less certain than their bands were measured to be, which are wider"
            + " for it: `device` without measured serving figures; kernels of a `family`; `capacity` of the KV cache;"
            + " `layout` with attention data parallelism beside tp; `extrapolated` lengths, requests or ranks;"
            + " `one_wave`. `uncalibrated`: there is no band.";

    /// An operator of the pass.
    @Schema(name = "KernelTime", description = "An operator of the pass, which is one kernel.")
    public record KernelResponse(
            @Schema(description = "What it computes.", example = "gate_up")
            String name,

            @Schema(
                    description = "What its time counts as.",
                    allowableValues = {"gemm", "attention", "experts", "communication", "elementwise"})
            @JsonProperty("class")
            String kind,

            @Schema(description = "Layers that run it.") int calls,

            @Schema(description = "Time of all calls, in microseconds.")
            double totalUs,

            @Schema(
                    description = "What its price is based on: `own` measurements of the backend, those of all backends"
                            + " `pooled`, or less (see `calibration.bases`).",
                    allowableValues = {"own", "pooled", "special", "family", "inter-node", "none"})
            String basis) {

        private static KernelResponse from(OperatorTime operator) {
            return new KernelResponse(
                    operator.name(),
                    operator.kind().label(),
                    operator.calls(),
                    operator.totalMicroseconds(),
                    operator.use().basis().label());
        }
    }

    /// Shares of the time, by kind of kernel.
    @Schema(name = "KernelShares", description = "Where time goes, in percent.")
    public record KernelSharesResponse(
            @Schema(description = "Products with weights.") double gemm,
            @Schema(description = "Attention.") double attention,
            @Schema(description = "Routed experts.") double experts,
            @Schema(description = "Collectives.") double communication,

            @Schema(description = "Whatever only moves bytes.")
            double elementwise) {

        private static KernelSharesResponse from(List<OperatorTime> operators) {
            return new KernelSharesResponse(
                    percent(operators, OperatorClass.GEMM),
                    percent(operators, OperatorClass.ATTENTION),
                    percent(operators, OperatorClass.EXPERTS),
                    percent(operators, OperatorClass.COMMUNICATION),
                    percent(operators, OperatorClass.ELEMENTWISE));
        }

        private static double percent(List<OperatorTime> operators, OperatorClass kind) {
            return 100
                    * micros(operators.stream()
                            .filter(operator -> operator.kind() == kind)
                            .toList())
                    / micros(operators);
        }

        private static double micros(List<OperatorTime> operators) {
            return operators.stream()
                    .mapToDouble(OperatorTime::totalMicroseconds)
                    .sum();
        }
    }

    public static CalibratedEstimateResponse from(CalibratedPass pass) {
        PassEstimate estimate = PassEstimate.of(
                pass.deployment(), pass.pass(), pass.cacheTokens() / pass.pass().context(), pass.coverage());
        SpeculationResponse speculation =
                SpeculationResponse.of(pass.deployment().speculation(), estimate.parts(), estimate.latencyMillis());
        return new CalibratedEstimateResponse(
                estimate.latencyMillis(),
                BandResponse.from(estimate.band()),
                BandResponse.from(estimate.range()),
                speculation == null ? null : estimate.latencyMillis() / speculation.acceptanceLength(),
                speculation,
                pass.coverage().share(),
                labels(estimate.bands().flags()),
                ParallelResponse.from(pass.deployment()),
                pass.engine(),
                RankMemoryResponse.from(
                        pass.deployment().calibration().peaks().memoryBytes(),
                        pass.memory(),
                        pass.cacheTokens(),
                        pass.pass().requests(),
                        pass.pass().context()),
                KernelSharesResponse.from(estimate.operators()),
                estimate.operators().stream().map(KernelResponse::from).toList(),
                CalibrationResponse.from(pass.deployment(), estimate.unexpectedUses()),
                AssumedOfPass.of(pass));
    }

    /// Names of flags, in the order in which they are declared.
    static List<String> labels(Collection<Flag> flags) {
        return flags.stream().sorted().map(Flag::label).toList();
    }
}

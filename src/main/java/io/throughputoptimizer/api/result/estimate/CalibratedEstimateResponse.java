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
@Schema(
        name = "CalibratedEstimate",
        description = "Time and memory of one forward pass on one rank, by measured kernels.")
public record CalibratedEstimateResponse(
        @Schema(
                description =
                        "Sum of all operator times, of `engine.step_gap_ms` and of `speculation.requests_ms`, in ms.")
        double latencyMs,

        @Schema(
                description = "Prediction interval of the latency: errors of TPOT in decode, of TTFT in prefill."
                        + " Absent if uncalibrated.")
        @Nullable
        BandResponse latencyMsBand,

        @Schema(
                description = "On an Ascend device, whose kernels were measured by single launches: the latency without"
                        + " and with them. It has no coverage.")
        @Nullable
        BandResponse latencyMsRange,

        @Schema(
                description = "Time of a step in ms divided by the tokens it yields: the user's time per token"
                        + " without prefill. Requires `speculation`.")
        @Nullable
        Double tokenMs,

        @Schema(description = "Draft tokens of the step. Requires `speculation`.") @Nullable
        SpeculationResponse speculation,

        @Schema(description = "Share of measured figures that a band holds.", example = "0.9")
        double bandCoverage,

        @Schema(description = FLAGS) List<String> flags,

        @Schema(description = "Parallel layout.") ParallelResponse parallel,

        @Schema(description = "The engine, with all values that the request leaves to it.")
        EngineRequest engine,

        @Schema(description = "Memory of a rank by use.") RankMemoryResponse memory,

        @Schema(description = "Time of the operators by kind.")
        KernelSharesResponse breakdown,

        @Schema(description = "Operators in the order of their first execution.")
        List<KernelResponse> operators,

        @Schema(description = "Basis of the figures.") CalibrationResponse calibration,

        @Schema(description = "Assumptions about the server.")
        List<AssumptionResponse> assumptions)
        implements PricedPassResponse {
    static final String FLAGS = "Uncertainty flags; each widens the prediction intervals. `device`: no measured"
            + " serving figures. `family`: kernels of another device or backend, or unmeasured"
            + " attention. `capacity`: KV cache nearly full. `layout`: attention data parallelism"
            + " combined with TP. `extrapolated`: lengths, requests or ranks outside the measured"
            + " range. `one_wave`: too few waves for a steady state. `uncalibrated`: no prediction"
            + " interval.";

    /// An operator of the pass.
    @Schema(name = "KernelTime", description = "An operator of the pass, which is one kernel.")
    public record KernelResponse(
            @Schema(description = "Name of the operator.", example = "gate_up")
            String name,

            @Schema(
                    description = "Category of the kernel's time.",
                    allowableValues = {"gemm", "attention", "experts", "communication", "elementwise"})
            @JsonProperty("class")
            String kind,

            @Schema(description = "Layers that run it.") int calls,

            @Schema(description = "Time of all calls, in microseconds.")
            double totalUs,

            @Schema(
                    description = "Basis of the kernel's time: the backend's `own` measurements, those of all backends"
                            + " `pooled`, or less; see `calibration.bases`.",
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
    @Schema(name = "KernelShares", description = "Time by kind of kernel, in percent.")
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

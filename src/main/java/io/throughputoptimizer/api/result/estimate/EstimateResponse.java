package io.throughputoptimizer.api.result.estimate;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.result.figure.AssumptionResponse;
import io.throughputoptimizer.api.result.figure.BreakdownResponse;
import io.throughputoptimizer.api.result.figure.CheckpointResponse;
import io.throughputoptimizer.api.result.figure.LinearAttentionRule;
import io.throughputoptimizer.api.result.figure.MemoryResponse;
import io.throughputoptimizer.core.cost.OperatorCost;
import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.forward.ForwardEstimate;
import io.throughputoptimizer.core.forward.ForwardShape;
import io.throughputoptimizer.core.forward.PricedPass;
import io.throughputoptimizer.core.forward.PricedPass.PricedOperator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Cost of one forward pass in the analytic model.
@Schema(name = "Estimate", description = "Time and memory of one forward pass on its slowest rank.")
public record EstimateResponse(
        @Schema(description = "Sum of all operator times, in ms.")
        double latencyMs,

        @Schema(description = "Memory by use.") MemoryResponse memory,

        @Schema(description = "Time by kind, in ms. Excludes static costs, so the sum is below the latency.")
        BreakdownResponse breakdownMs,

        @Schema(description = "Operators that take time, in order of first execution; equal ones together.")
        List<OperatorResponse> operators,

        @Schema(
                description = "Processing of tokens by linear attention: in chunks, or token by token from each"
                        + " request's state. Absent for models without linear attention.")
        @Nullable
        LinearAttentionRule linearAttention,

        @Schema(description = "Quantization of the checkpoint. Requires `quantization.checkpoint`.") @Nullable
        CheckpointResponse checkpointQuantization,

        @Schema(description = "Assumptions about the server.")
        List<AssumptionResponse> assumptions,

        @Schema(description = "Warnings about the figures, one clause each. Absent if there are none.") @Nullable
        List<String> warnings)
        implements PricedPassResponse {

    /// Equal operators of a pass.
    @Schema(name = "OperatorCost", description = "Equal operators of a pass.")
    public record OperatorResponse(
            @Schema(description = "Name of the operator.", example = "tensor_cast.static_quant_linear.default")
            String name,

            @Schema(description = "Number of calls in the pass.")
            long calls,

            @Schema(description = "Time of all calls, in microseconds.")
            double totalUs,

            @Schema(
                    description = "Dominant part of its time.",
                    allowableValues = {"memory", "communication", "compute"})
            String bound,

            @Schema(description = "Tensors read, with their types.", example = "[\"[3500, 5120]:int8\"]")
            List<String> shapes) {
        private static final double MICROS_PER_SECOND = 1e6;

        private OperatorResponse plus(PricedOperator other) {
            return new OperatorResponse(
                    name, calls + other.calls(), totalUs + micros(other.cost(), other.calls()), bound, shapes);
        }

        private static OperatorResponse none(Kind kind) {
            return new OperatorResponse(kind.name, 0, 0, kind.bound, kind.shapes);
        }

        private static double micros(OperatorCost cost, long calls) {
            return cost.seconds() * calls * MICROS_PER_SECOND;
        }
    }

    /// Properties in which equal operators agree.
    private record Kind(String name, List<String> shapes, String bound) {
        private static Kind of(PricedOperator priced) {
            return new Kind(
                    priced.name(),
                    priced.inputs(),
                    WireFormat.name(priced.cost().bound()));
        }
    }

    /// @param ofCheckpoint whether linear layers are quantized as the checkpoint is
    /// @param ownProfile whether the request brings the device along
    public static EstimateResponse from(
            PricedPass pass, ForwardShape shape, Deployment deployment, boolean ofCheckpoint, boolean ownProfile) {
        Map<Kind, OperatorResponse> operators = new LinkedHashMap<>();
        for (PricedOperator priced : pass.operators()) {
            operators.compute(
                    Kind.of(priced), (kind, sum) -> (sum == null ? OperatorResponse.none(kind) : sum).plus(priced));
        }
        ForwardEstimate estimate = pass.estimate();
        return new EstimateResponse(
                estimate.latencyMillis(),
                MemoryResponse.withCachePerToken(estimate.memory(), deployment),
                BreakdownResponse.millis(estimate.breakdown()),
                List.copyOf(operators.values()),
                LinearAttentionRule.of(pass, deployment.model()),
                ofCheckpoint ? CheckpointResponse.from(deployment.model()) : null,
                AssumedOfPass.of(deployment),
                AssumedOfPass.warnings(deployment, shape, ownProfile));
    }
}

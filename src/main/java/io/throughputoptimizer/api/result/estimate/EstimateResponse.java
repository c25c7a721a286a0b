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
@Schema(name = "Estimate")
public record EstimateResponse(
        double latencyMs,
        MemoryResponse memory,
        BreakdownResponse breakdownMs,
        List<OperatorResponse> operators,
        @Nullable LinearAttentionRule linearAttention,
        @Nullable CheckpointResponse checkpointQuantization,
        List<AssumptionResponse> assumptions,
        @Nullable List<String> warnings)
        implements PricedPassResponse {

    /// Equal operators of a pass.
    @Schema(name = "OperatorCost")
    public record OperatorResponse(
            String name,
            long calls,
            double totalUs,

            @Schema(allowableValues = {"memory", "communication", "compute"})
            String bound,

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

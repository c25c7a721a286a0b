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
@Schema(name = "CalibratedEstimate")
public record CalibratedEstimateResponse(
        double latencyMs,
        @Nullable BandResponse latencyMsBand,
        @Nullable BandResponse latencyMsRange,
        @Nullable Double tokenMs,
        @Nullable SpeculationResponse speculation,
        double bandCoverage,
        List<String> flags,
        ParallelResponse parallel,
        EngineRequest engine,
        RankMemoryResponse memory,
        KernelSharesResponse breakdown,
        List<KernelResponse> operators,
        CalibrationResponse calibration,
        List<AssumptionResponse> assumptions)
        implements PricedPassResponse {

    /// An operator of the pass.
    @Schema(name = "KernelTime")
    public record KernelResponse(
            String name,

            @Schema(allowableValues = {"gemm", "attention", "experts", "communication", "elementwise"})
            @JsonProperty("class")
            String kind,

            int calls,
            double totalUs,

            @Schema(allowableValues = {"own", "pooled", "special", "family", "inter-node", "none"})
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
    @Schema(name = "KernelShares")
    public record KernelSharesResponse(
            double gemm, double attention, double experts, double communication, double elementwise) {

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

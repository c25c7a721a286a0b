package io.throughputoptimizer.api.result.figure;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.core.cost.BoundBreakdown;
import io.throughputoptimizer.core.cost.BoundShares;
import io.throughputoptimizer.core.kernels.OperatorClass;
import io.throughputoptimizer.core.kernels.OperatorTime;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Time by kind of operation, in percent or ms: each operator counts with its dominant part only.
@Schema(name = "Breakdown")
public record BreakdownResponse(
        @Nullable Double memory,
        double communication,
        @Nullable Double computeMma,
        @Nullable Double computeGp,
        @Nullable Double gemm,
        @Nullable Double attention,
        @Nullable Double experts,
        @Nullable Double elementwise) {
    private static final double MILLIS_PER_SECOND = 1000;

    /// Creates the breakdown of cost model `analytic`.
    public BreakdownResponse(double memory, double communication, double computeMma, double computeGp) {
        this(memory, communication, computeMma, computeGp, null, null, null, null);
    }

    /// Returns the breakdown of calibrated kernels.
    public static BreakdownResponse percent(List<OperatorTime> operators) {
        return new BreakdownResponse(
                null,
                percent(operators, OperatorClass.COMMUNICATION),
                null,
                null,
                percent(operators, OperatorClass.GEMM),
                percent(operators, OperatorClass.ATTENTION),
                percent(operators, OperatorClass.EXPERTS),
                percent(operators, OperatorClass.ELEMENTWISE));
    }

    private static double percent(List<OperatorTime> operators, OperatorClass kind) {
        double ofKind = micros(operators.stream().filter(operator -> operator.kind() == kind));
        return 100 * ofKind / micros(operators.stream());
    }

    private static double micros(Stream<OperatorTime> operators) {
        return operators.mapToDouble(OperatorTime::totalMicroseconds).sum();
    }

    public static @Nullable BreakdownResponse percent(@Nullable BoundShares shares) {
        return shares == null
                ? null
                : new BreakdownResponse(shares.memory(), shares.communication(), shares.matrix(), shares.general());
    }

    public static BreakdownResponse millis(BoundBreakdown breakdown) {
        return new BreakdownResponse(
                breakdown.memorySeconds() * MILLIS_PER_SECOND,
                breakdown.communicationSeconds() * MILLIS_PER_SECOND,
                breakdown.matrixSeconds() * MILLIS_PER_SECOND,
                breakdown.generalSeconds() * MILLIS_PER_SECOND);
    }
}

package io.throughputoptimizer.api.request;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.Bounds;
import io.throughputoptimizer.api.OneOrMore;
import io.throughputoptimizer.api.problem.Violation;
import io.throughputoptimizer.api.wire.Composite;
import io.throughputoptimizer.core.forward.MemoryFootprint;
import io.throughputoptimizer.core.search.OptimizationProblem;
import io.throughputoptimizer.core.serving.DraftAcceptance;
import jakarta.validation.Valid;
import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.DecimalMin;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.PositiveOrZero;
import jakarta.validation.constraints.Size;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Execution options of instances, as a request states them.
@Schema(name = "Serving")
public record ServingRequest(
        @Schema(defaultValue = "false") Boolean compile,

        @Schema(defaultValue = "10.0") @PositiveOrZero @DecimalMax(Bounds.AMOUNT)
        Double reservedMemoryGb,

        @Schema(defaultValue = "0.0") @PositiveOrZero @DecimalMax(Bounds.AMOUNT)
        Double servingCostMs,

        @Schema(defaultValue = "0") @OneOrMore @Size(min = 1, max = Bounds.LIST)
        List<@NotNull @Min(0) @Max(ServingRequest.MAX_MTP_TOKENS) Integer> numMtpTokens,

        @Size(max = Bounds.LIST) @Nullable List<@NotNull @DecimalMin("0") @DecimalMax("1") Double> mtpAcceptanceRate,
        @Valid @Nullable AcceptanceRequest mtpAcceptance,
        @Schema(defaultValue = "false") @Nullable Boolean sharedExpertTp,
        @Schema(defaultValue = "false") @Nullable Boolean matmulAllreduce)
        implements Composite {
    public static final int MAX_MTP_TOKENS = 9;
    static final double DEFAULT_RESERVED_MEMORY_GB = 10.0;
    private static final List<Integer> NO_MTP_TOKENS = List.of(0);
    private static final List<Double> DEFAULT_ACCEPTANCE = List.of(0.9, 0.6, 0.4, 0.2);

    static final ServingRequest DEFAULT =
            new ServingRequest(false, DEFAULT_RESERVED_MEMORY_GB, 0.0, NO_MTP_TOKENS, null, null, null, null);

    public ServingRequest {
        compile = requireNonNullElse(compile, false);
        reservedMemoryGb = requireNonNullElse(reservedMemoryGb, DEFAULT_RESERVED_MEMORY_GB);
        servingCostMs = requireNonNullElse(servingCostMs, 0.0);
        numMtpTokens = requireNonNullElse(numMtpTokens, NO_MTP_TOKENS);
        mtpAcceptanceRate =
                mtpAcceptance == null ? requireNonNullElse(mtpAcceptanceRate, DEFAULT_ACCEPTANCE) : mtpAcceptanceRate;
        sharedExpertTp = Boolean.TRUE.equals(sharedExpertTp) ? sharedExpertTp : null;
        matmulAllreduce = Boolean.TRUE.equals(matmulAllreduce) ? matmulAllreduce : null;
    }

    /// Returns the violations of fused reductions in a compiled or eager graph: msmodeling ignores the option
    /// in one of them, so the service rejects it there.
    static List<Violation> fusionBroken(@Nullable Boolean fused, @Nullable Boolean compile) {
        return Boolean.TRUE.equals(fused) && !Boolean.TRUE.equals(compile)
                ? List.of(new Violation(
                        "/matmul_allreduce", "requires serving.compile true. Set compile to true or remove it"))
                : List.of();
    }

    @Override
    public List<Violation> inconsistencies() {
        List<Violation> broken = new ArrayList<>(fusionBroken(matmulAllreduce, compile));
        if (mtpAcceptance != null) {
            mtpAcceptance.broken(numMtpTokens).forEach(violation -> broken.add(violation.under("/mtp_acceptance")));
            if (mtpAcceptanceRate != null) {
                broken.add(
                        new Violation("/mtp_acceptance_rate", "must not be combined with mtp_acceptance. Remove one"));
            }
        }
        return broken;
    }

    /// Describes the draft tokens of decode steps.
    public String drafts() {
        List<Integer> drafts = numMtpTokens.stream().distinct().toList();
        if (mtpAcceptance != null) {
            return mtpAcceptance.words(drafts);
        }
        return drafts.stream().allMatch(tokens -> tokens == 0)
                ? AcceptanceRequest.NO_DRAFTS
                : drafts.stream().map(String::valueOf).collect(Collectors.joining(" or ")) + " draft tokens a step";
    }

    private DraftAcceptance acceptance() {
        return mtpAcceptance == null
                ? new DraftAcceptance.ByPosition(requireNonNull(mtpAcceptanceRate))
                : mtpAcceptance.toAcceptance(numMtpTokens);
    }

    /// Returns whether shared experts are split over tensor parallel ranks.
    public boolean splitsSharedExperts() {
        return sharedExpertTp != null;
    }

    /// Returns whether a product and the reduction of its results over ranks are one operator.
    public boolean fusesReductions() {
        return matmulAllreduce != null;
    }

    public OptimizationProblem.Serving toServing() {
        return new OptimizationProblem.Serving(
                compile,
                reservedMemoryGb * MemoryFootprint.GIB,
                servingCostMs,
                acceptance(),
                splitsSharedExperts(),
                fusesReductions());
    }
}

package io.throughputoptimizer.api.result.figure;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.core.deployment.AttentionQuantization;
import io.throughputoptimizer.core.deployment.LinearQuantization;
import io.throughputoptimizer.core.deployment.QuantizationScheme;
import io.throughputoptimizer.core.kernels.InstanceForm;
import io.throughputoptimizer.core.kernels.Speculation;
import io.throughputoptimizer.core.search.space.Candidate;
import io.throughputoptimizer.core.search.space.Candidate.Trait;
import io.throughputoptimizer.core.serving.DraftAcceptance;
import org.jspecify.annotations.Nullable;

/// Values of a configuration for each field that the request gives several values.
@Schema(name = "Variant", description = "Values of the fields for which the request has several values.")
public record VariantResponse(
        @Schema(
                description = "Value of `serving.num_mtp_tokens`, or of `speculation.num_draft_tokens` with"
                        + " `cost_model: calibrated`. Present with one value too, for `calibrated` and with"
                        + " `serving.mtp_acceptance`.")
        @Nullable
        Integer numMtpTokens,

        @Schema(
                description = "Mean tokens of a decode step by `serving.mtp_acceptance`; the step takes `tpot_ms`"
                        + " times this number. Absent without it.",
                example = "2.6")
        @Nullable
        Double acceptanceLength,

        @Schema(description = "Value of `search.max_batched_tokens`. Absent in decode, where it has no effect.")
        @Nullable
        Integer maxBatchedTokens,

        @Schema(description = "Value of `quantization.linear`.") @Nullable
        LinearQuantization linear,

        @Schema(description = "Value of `quantization.non_expert_linear`. Present with one value too.") @Nullable
        LinearQuantization nonExpertLinear,

        @Schema(description = "Value of `quantization.attention`.") @Nullable
        AttentionQuantization attention) {

    private static final VariantResponse NOTHING = new VariantResponse(null, null, null, null, null, null);

    /// Returns null for instances without drafts if the request does not vary drafts.
    static @Nullable VariantResponse from(InstanceForm form) {
        Speculation speculation = form.speculation();
        return speculation == null ? null : new VariantResponse(speculation.drafts(), null, null, null, null, null);
    }

    /// Returns null for candidates that differ by layout only; decode context parallelism belongs to the
    /// layout.
    static @Nullable VariantResponse from(Candidate candidate) {
        QuantizationScheme quantization = candidate.deployment().quantization();
        Double accepted = accepted(candidate);
        VariantResponse variant = new VariantResponse(
                candidate.has(Trait.DRAFT_TOKENS) || accepted != null ? candidate.draftTokens() : null,
                accepted,
                candidate.has(Trait.TOKEN_BUDGET) ? candidate.terms().maxBatchedTokens() : null,
                candidate.has(Trait.LINEAR_QUANTIZATION) ? quantization.linear() : null,
                candidate.has(Trait.NON_EXPERT_QUANTIZATION) ? quantization.nonExpertLinear() : null,
                candidate.has(Trait.CACHE_QUANTIZATION) ? quantization.attention() : null);
        return variant.equals(NOTHING) ? null : variant;
    }

    private static @Nullable Double accepted(Candidate candidate) {
        return candidate.draftTokens() > 0 && candidate.terms().acceptance() instanceof DraftAcceptance.ByCount seen
                ? seen.tokensPerStep(candidate.draftTokens())
                : null;
    }
}

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
@Schema(
        name = "Variant",
        description = "What this configuration has of each member that the request gives several values of.")
public record VariantResponse(
        @Schema(
                description =
                        "Of `serving.num_mtp_tokens`, with `serving.mtp_acceptance` also where that has one value; with cost"
                                + " model `calibrated` of `speculation.num_draft_tokens`, also where that has one value.")
        @Nullable
        Integer numMtpTokens,

        @Schema(
                description =
                        "Tokens that a decode step yields in the mean, as `serving.mtp_acceptance` says: a user waits for"
                                + " a step `tpot_ms` so many times; absent without it.",
                example = "2.6")
        @Nullable
        Double acceptanceLength,

        @Schema(description = "Of `search.max_batched_tokens`; absent in decode, which it does not matter to.")
        @Nullable
        Integer maxBatchedTokens,

        @Schema(description = "Of `quantization.linear`.") @Nullable
        LinearQuantization linear,

        @Schema(description = "Of `quantization.non_expert_linear`, also where that has one value.") @Nullable
        LinearQuantization nonExpertLinear,

        @Schema(description = "Of `quantization.attention`.") @Nullable
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

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
@Schema(name = "Variant")
public record VariantResponse(
        @Nullable Integer numMtpTokens,
        @Nullable Double acceptanceLength,
        @Nullable Integer maxBatchedTokens,
        @Nullable LinearQuantization linear,
        @Nullable LinearQuantization nonExpertLinear,
        @Nullable AttentionQuantization attention) {

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

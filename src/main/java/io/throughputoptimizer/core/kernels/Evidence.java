package io.throughputoptimizer.core.kernels;

import io.throughputoptimizer.core.model.AttentionSpec;
import io.throughputoptimizer.core.model.CompressedSpec;
import io.throughputoptimizer.core.model.HybridSpec;
import io.throughputoptimizer.core.model.ModelArchitecture;
import java.util.Comparator;

/// Servers whose measurements validate figures of a kind of attention.
enum Evidence {
    /// Servers of all engines.
    ALL_ENGINES,
    /// SGLang only, of a release older than the measured kernels.
    SGLANG,
    /// No server.
    NONE;

    /// Returns the evidence of the model's kind of attention with the least.
    static Evidence of(ModelArchitecture model) {
        return model.attentions().stream()
                .map(Evidence::of)
                .max(Comparator.naturalOrder())
                .orElse(ALL_ENGINES);
    }

    private static Evidence of(AttentionSpec attention) {
        return switch (attention) {
            case AttentionSpec.GroupedQuery _, HybridSpec _ -> ALL_ENGINES;
            case AttentionSpec.MultiHeadLatent latent -> latent.indexer() == null ? ALL_ENGINES : SGLANG;
            case AttentionSpec.GatedDelta delta -> delta.forgetsByChannel() ? NONE : SGLANG;
            case AttentionSpec.BlockSparse _, CompressedSpec _ -> NONE;
        };
    }

    /// Returns whether servers of that engine were measured.
    boolean covers(Engine engine) {
        return switch (this) {
            case ALL_ENGINES -> true;
            case SGLANG -> engine.isSglang();
            case NONE -> false;
        };
    }
}

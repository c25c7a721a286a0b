package io.throughputoptimizer.core.forward.decoder;

import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.deployment.PassAccounting;
import io.throughputoptimizer.core.model.AttentionSpec;
import io.throughputoptimizer.core.model.CompressedSpec;
import io.throughputoptimizer.core.model.HybridSpec;
import io.throughputoptimizer.core.model.HyperConnections;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.NormStyle;
import io.throughputoptimizer.core.model.SandwichNorms;
import java.util.List;

/// The conditions under which the memory of a pass without images is proved equal to the reference.
///
/// @param stacks layers of the pass
record MemoryProof(Deployment deployment, PassKind kind, List<DecoderBlocks.Stack> stacks) {

    /// Not measured are sliding windows, some ways to lay experts out, experts that are quantized otherwise
    /// than the rest, latent attention with a single dense layer before those with experts, and rotary
    /// factors that are computed: the measured passes of selected blocks are smaller than what towers hold
    /// beside them, and two kinds of factors (Gemma 3) are kept otherwise by 2 MB of 70. Drafts beside shared
    /// selections are 192 bytes off.
    boolean holds() {
        ModelArchitecture model = deployment.model();
        boolean singleLeading = model.cachesLatent()
                && !model.sharesSelections()
                && stacks.size() > 1
                && stacks.getFirst().layers() == 1;
        return !deployment.quantization().setsExpertsApart()
                && !singleLeading
                && !(model.sharesSelections() && kind.draftTokens() > 0)
                && !model.computesRotations()
                && !selectsEagerly()
                && !foldsNorms()
                && !splitsJoined()
                && !model.slides()
                && (!kind.traits().sharesContext() || isSharedContextMeasured())
                && (!fusesReductions() || isFusionMeasured())
                && !(model.connections() instanceof HyperConnections)
                && stacks.stream().allMatch(stack -> stack.layer().feedForward().isMemoryProved());
    }

    /// Eager passes of layers that all select for themselves (GLM-5) were never measured.
    private boolean selectsEagerly() {
        return !deployment.execution().compiled()
                && deployment.model().cachesLatent()
                && !deployment.model().sharesSelections();
    }

    /// Compiled, plain norms before and behind the parts of a layer (GLM-4) take 3.7 MB of 96 less than here.
    private boolean foldsNorms() {
        return deployment.execution().compiled()
                && deployment.model().norms() == NormStyle.PLAIN
                && deployment.model().connections() instanceof SandwichNorms norms
                && norms.before();
    }

    /// The reference leaves joined weights whole, and hands attention of a class that it copies no cache.
    private boolean splitsJoined() {
        ModelArchitecture model = deployment.model();
        return deployment.execution().accounting() == PassAccounting.STEADY
                && (model.joinsProjections() || model.projects(AttentionSpec.Projections.COPIED));
    }

    private boolean fusesReductions() {
        return deployment.execution().compiled() && deployment.execution().fusesReductions();
    }

    /// Products fused with the sums of their results were measured with grouped-query attention and without drafts.
    private boolean isFusionMeasured() {
        return kind.draftTokens() == 0
                && deployment.model().attentions().stream()
                        .allMatch(attention -> attention instanceof AttentionSpec.GroupedQuery);
    }

    /// With decode context parallelism compiled passes without drafts were measured, of grouped-query attention and of
    /// latent attention to all tokens of a cache that is not quantized.
    private boolean isSharedContextMeasured() {
        boolean quantizesCache = deployment.quantization().attention().isEnabled();
        return deployment.execution().compiled()
                && kind.draftTokens() == 0
                && deployment.model().attentions().stream().allMatch(attention -> switch (attention) {
                    case AttentionSpec.GroupedQuery _ -> true;
                    case AttentionSpec.GatedDelta _, AttentionSpec.BlockSparse _, HybridSpec _ -> false;
                    case AttentionSpec.MultiHeadLatent latent -> latent.indexer() == null && !quantizesCache;
                    case CompressedSpec _ -> false;
                });
    }
}

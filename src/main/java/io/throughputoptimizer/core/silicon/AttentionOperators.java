package io.throughputoptimizer.core.silicon;

import io.throughputoptimizer.core.model.AttentionSpec;
import io.throughputoptimizer.core.model.MeasuredAttention;
import io.throughputoptimizer.core.silicon.calibration.ProductType;
import io.throughputoptimizer.core.silicon.kernel.Collective;
import io.throughputoptimizer.core.silicon.kernel.DecodeAttention;
import io.throughputoptimizer.core.silicon.kernel.Heads;
import io.throughputoptimizer.core.silicon.kernel.Kernels.Priced;
import io.throughputoptimizer.core.silicon.kernel.LatentDecode;
import io.throughputoptimizer.core.silicon.kernel.LatentPrefill;
import io.throughputoptimizer.core.silicon.kernel.PrefillAttention;
import java.util.Map;

/// Operators of the attention half of layers that are alike up to the window of their attention.
final class AttentionOperators {
    private static final String ATTENTION = "attention";

    private final SiliconDeployment deployment;
    private final Phase phase;
    private final PassBuilder pass;
    private final ProductType type;
    private final double hidden;

    AttentionOperators(SiliconDeployment deployment, Phase phase, PassBuilder pass) {
        this.deployment = deployment;
        this.phase = phase;
        this.pass = pass;
        this.type = deployment.precision().scheme().attention();
        this.hidden = deployment.model().hiddenSize();
    }

    /// @param attention without its window
    /// @param layersByWindow how many layers see that many tokens; 0 for all
    void write(MeasuredAttention attention, Map<Integer, Integer> layersByWindow) {
        int layers =
                layersByWindow.values().stream().mapToInt(Integer::intValue).sum();
        pass.move("attention_norm", layers, 8 * hidden);
        pass.quantise("quantise_qkv", layers, type, hidden);
        double width = switch (attention) {
            case AttentionSpec.GroupedQuery grouped -> writeGrouped(grouped, layers, layersByWindow);
            case AttentionSpec.MultiHeadLatent latent -> writeLatent(latent, layers);
        };
        pass.quantise("quantise_o", layers, type, width);
        pass.linear("o", layers, type, hidden, width);
        pass.collective(
                "attention_all_reduce",
                layers,
                Collective.Kind.ALL_REDUCE,
                deployment.layout().tp(),
                2 * hidden);
        pass.move("mlp_norm", layers, 8 * hidden);
    }

    /// @return width of what the output projection reads
    private double writeGrouped(
            AttentionSpec.GroupedQuery attention, int layers, Map<Integer, Integer> layersByWindow) {
        Heads heads = RankHeads.of(attention, deployment.layout());
        double rotated = heads.query() + heads.keyValue();
        pass.linear("qkv", layers, type, (rotated + heads.keyValue()) * heads.size(), hidden);
        double norm = attention.headNorm() == AttentionSpec.HeadNorm.NONE ? 4 : 8;
        double cached = 2 * heads.keyValue() * (PassBuilder.ACTIVATION_BYTES + cacheBytes());
        pass.move("rope_cache", layers, (norm * rotated + cached) * heads.size());
        layersByWindow.forEach((window, count) -> {
            String name = window == 0 ? ATTENTION : "attention_window";
            double seen = window == 0 ? Double.POSITIVE_INFINITY : window;
            switch (phase) {
                case DECODE -> decodeAttention(name, count, heads, seen);
                case PREFILL -> prefillAttention(name, count, heads, seen);
            }
        });
        return heads.query() * heads.size();
    }

    private void decodeAttention(String name, int layers, Heads heads, double window) {
        String kind = (heads.areGrouped() ? "gqa/" : "mha/") + cacheLabel();
        Priced<DecodeAttention> priced = pass.kernels().decodeAttention(kind);
        DecodeAttention kernel = priced.kernel();
        pass.add(
                name,
                OperatorClass.ATTENTION,
                layers,
                priced.use(),
                (tokens, _, context) -> kernel.microseconds(tokens, Math.min(context, tokens * window), heads));
    }

    private void prefillAttention(String name, int layers, Heads heads, double window) {
        Priced<PrefillAttention> priced = pass.kernels().prefillAttention(deployment.prefillAttentionType());
        PrefillAttention kernel = priced.kernel();
        pass.add(
                name,
                OperatorClass.ATTENTION,
                layers,
                priced.use(),
                (tokens, _, pairs) -> kernel.microseconds(tokens, Math.min(pairs, tokens * window), heads));
    }

    /// @return width of what the output projection reads
    private double writeLatent(AttentionSpec.MultiHeadLatent attention, int layers) {
        AttentionSpec.LatentHead head = attention.head();
        double heads = RankHeads.of(attention, deployment.layout());
        double entry = attention.entryWidth();
        double queryRank = attention.queryRank();
        pass.linear("qkv_down", layers, type, queryRank + entry, hidden);
        pass.move("latent_norm", layers, 4 * (queryRank + attention.keyValueRank()));
        pass.quantise("quantise_q", layers, type, queryRank);
        pass.linear("q_up", layers, type, heads * head.query(), queryRank);
        double cached = entry * (PassBuilder.ACTIVATION_BYTES + cacheBytes());
        pass.move("rope_cache", layers, 4 * (heads + 1) * head.rotated() + cached);
        switch (phase) {
            case DECODE -> absorbedAttention(attention, layers, heads);
            case PREFILL -> expandedAttention(attention, layers, heads);
        }
        return heads * head.value();
    }

    /// Decode reads the cache as it is: what would expand it is multiplied into queries and results.
    private void absorbedAttention(AttentionSpec.MultiHeadLatent attention, int layers, double heads) {
        AttentionSpec.LatentHead head = attention.head();
        int rank = attention.keyValueRank();
        pass.linear("absorb_k", layers, ProductType.BFLOAT16, heads * rank, head.plain());
        Priced<LatentDecode> priced = pass.kernels().latentDecode(cacheLabel());
        LatentDecode kernel = priced.kernel();
        pass.add(
                ATTENTION,
                OperatorClass.ATTENTION,
                layers,
                priced.use(),
                (tokens, _, context) -> kernel.microseconds(tokens, context, heads));
        pass.linear("absorb_v", layers, ProductType.BFLOAT16, heads * head.value(), rank);
    }

    /// Prefill expands keys and values of all heads.
    private void expandedAttention(AttentionSpec.MultiHeadLatent attention, int layers, double heads) {
        AttentionSpec.LatentHead head = attention.head();
        pass.linear("kv_up", layers, type, heads * (head.plain() + head.value()), attention.keyValueRank());
        pass.move("assemble_k", layers, 4 * heads * head.query());
        Priced<LatentPrefill> priced = pass.kernels().latentPrefill("bf16/" + cacheLabel());
        LatentPrefill kernel = priced.kernel();
        pass.add(
                ATTENTION,
                OperatorClass.ATTENTION,
                layers,
                priced.use(),
                (tokens, _, pairs) -> kernel.microseconds(tokens, pairs, heads));
    }

    private double cacheBytes() {
        return deployment.precision().cache().bytes();
    }

    private String cacheLabel() {
        return deployment.precision().cache().kernelLabel();
    }
}

package io.throughputoptimizer.core.memory;

import static io.throughputoptimizer.core.memory.WeightFormat.BF16;
import static io.throughputoptimizer.core.memory.WeightFormat.MXFP4;

import io.throughputoptimizer.core.memory.EngineMemory.Mxfp4Kernel;
import io.throughputoptimizer.core.memory.MemoryModel.DeltaHeads;
import io.throughputoptimizer.core.memory.MemoryModel.Kind;
import io.throughputoptimizer.core.model.config.HuggingFaceConfig;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;

/// Weights of a rank by group, in bytes.
///
/// Symbols: hidden size `H`, padded vocabulary `V'`, head width `D`, heads of a rank `h`, KV heads of a rank `kv`,
/// and of gated delta nets `nk`, `nv` heads of width `dk`, `dv`. Each matrix is out x in.
final class RankWeights {
    private static final Set<String> WITH_ABSORBED = Set.of("vllm", "sglang", "vllm-ascend");

    private final ServedRank rank;
    private final MemoryModel model;
    private final double tp;
    private final double hidden;
    private final Map<WeightGroup, Double> bytes = new EnumMap<>(WeightGroup.class);

    private RankWeights(ServedRank rank) {
        this.rank = rank;
        this.model = rank.model();
        this.tp = rank.tp();
        this.hidden = model.hidden;
    }

    /// Returns the bytes of each group that has any.
    static Map<WeightGroup, Double> of(ServedRank rank) {
        RankWeights weights = new RankWeights(rank);
        weights.addAll();
        return weights.bytes;
    }

    private void add(WeightGroup group, double more) {
        if (more > 0) {
            bytes.merge(group, more, Double::sum);
        }
    }

    private void addAll() {
        double rows = model.paddedVocabulary() / tp;
        add(WeightGroup.EMBEDDING, 2 * rows * hidden);
        if (!model.tied) {
            add(WeightGroup.HEAD, rank.head().bytes(rows, hidden));
        }
        for (int layer = 0; layer < model.layers; layer++) {
            addLayer(layer, model.kinds.get(layer));
        }
        add(WeightGroup.ROPE, rope());
        HuggingFaceConfig tower = model.vision;
        if (tower != null && rank.settings().tower()) {
            add(WeightGroup.VISION, tower(tower, model.hidden) / tp);
        }
        if (rank.draftTokens() > 0 && model.draftLayers > 0) {
            addDrafting();
        }
    }

    /// `layers (one more layer with full attention + 4 H H)`
    private void addDrafting() {
        RankWeights layer = new RankWeights(rank);
        int last = model.layers - 1;
        layer.addLayer(last, model.delta ? Kind.FULL : model.kinds.get(last));
        double one =
                layer.bytes.values().stream().mapToDouble(Double::doubleValue).sum();
        add(WeightGroup.DRAFTING, model.draftLayers * (one + 4 * hidden * hidden));
    }

    private void addLayer(int layer, Kind kind) {
        add(WeightGroup.NORMS, 4 * hidden);
        switch (kind) {
            case NONE -> {}
            case COMPRESSED -> add(WeightGroup.ATTENTION, compressed(layer));
            case LINEAR -> add(WeightGroup.LINEAR_ATTENTION, linear(layer));
            case FULL, SLIDING, CHUNKED -> {
                if (model.latent) {
                    addLatent(layer);
                } else {
                    add(WeightGroup.ATTENTION, grouped(layer, kind));
                }
            }
        }
        boolean routed = model.hasExperts(layer);
        if (routed || model.denseWithExperts) {
            addExperts(layer);
        }
        if ((!routed || model.denseWithExperts) && model.networkWidth(layer) > 0) {
            add(WeightGroup.DENSE, network(rank.dense(layer), model.networkWidth(layer) / tp));
        }
    }

    /// Gate, if any, up and down.
    private double network(WeightFormat format, double width) {
        return (model.matrices() - 1) * format.bytes(width, hidden) + format.bytes(hidden, width);
    }

    /// q: `g h D x H`; k, v: `kv D x H`; o: `H x h D`; biases `2 (h + 2 kv) D`.
    private double grouped(int layer, Kind kind) {
        boolean wide = model.type.startsWith("gemma4") && kind == Kind.FULL;
        double width = wide ? model.whole("global_head_dim", model.headWidth) : model.headWidth;
        double cacheHeads = wide ? model.whole("num_global_key_value_heads", model.cacheHeads) : model.cacheHeads;
        boolean keysAreValues = wide && MemoryModel.flag(model.text, "attention_k_eq_v", false);
        double heads = model.heads / tp;
        double kv = Math.max(cacheHeads / tp, 1);
        double gate = MemoryModel.flag(model.text, "attn_output_gate", false) ? 2 : 1;
        double sum = rank.attention(layer, "self_attn.q_proj").bytes(gate * heads * width, hidden)
                + (keysAreValues ? 1 : 2)
                        * rank.attention(layer, "self_attn.k_proj").bytes(kv * width, hidden)
                + rank.attention(layer, "self_attn.o_proj").bytes(hidden, heads * width);
        if (model.biased) {
            sum += 2 * (heads + 2 * kv) * width + (model.type.equals("gpt_oss") ? 2 * hidden : 0);
        }
        return sum;
    }

    /// q_a: `q_lora x H`; q_b: `h (nope + rope) x q_lora`; kv_a: `(kv_lora + rope) x H`; kv_b: `h (nope + v) x
    /// kv_lora`;
    /// o: `H x h v`. Engines that absorb kv_b keep it in 16 bits once more.
    private void addLatent(int layer) {
        double query = model.whole("q_lora_rank", 0);
        double cached = model.positive("kv_lora_rank");
        double rope = model.positive("qk_rope_head_dim");
        double plain = model.positive("qk_nope_head_dim");
        double value = model.positive("v_head_dim");
        double heads = model.heads / tp;
        double sum = query > 0
                ? rank.attention(layer, "self_attn.q_a_proj").bytes(query, hidden)
                        + rank.attention(layer, "self_attn.q_b_proj").bytes(heads * (plain + rope), query)
                : rank.attention(layer, "self_attn.q_proj").bytes(heads * (plain + rope), hidden);
        sum += rank.attention(layer, "self_attn.kv_a_proj_with_mqa").bytes(cached + rope, hidden)
                + rank.attention(layer, "self_attn.kv_b_proj").bytes(heads * (plain + value), cached)
                + rank.attention(layer, "self_attn.o_proj").bytes(hidden, heads * value);
        if (model.indexed) {
            double indexHeads = model.positive("index_n_heads");
            double indexWidth = model.positive("index_head_dim");
            sum += rank.attention(layer, "self_attn.indexer.wq_b")
                            .bytes(indexHeads * indexWidth, query > 0 ? query : hidden)
                    + 2 * hidden * (indexWidth + indexHeads);
        }
        add(WeightGroup.ATTENTION, sum);
        if (WITH_ABSORBED.contains(rank.engine().backend())) {
            add(WeightGroup.ABSORBED, 2 * heads * cached * (plain + value));
        }
    }

    /// Attention of DeepSeek-V4, with compressors and index rows in 16 bits.
    private double compressed(int layer) {
        double query = model.positive("q_lora_rank");
        double outputs = model.positive("o_lora_rank");
        double groups = Math.max(model.positive("o_groups") / tp, 1);
        double heads = model.heads / tp * model.headWidth;
        WeightFormat format = rank.attention(layer, "self_attn.q_a_proj");
        double sum = format.bytes(query, hidden)
                + format.bytes(heads, query)
                + format.bytes(model.headWidth, hidden)
                + format.bytes(outputs, heads)
                + format.bytes(hidden, groups * outputs);
        return switch (model.ratio(layer)) {
            case 4 ->
                sum
                        + 2 * (2048 + 64 + 512) * hidden
                        + format.bytes(model.positive("index_n_heads") * model.positive("index_head_dim"), query);
            case 128 -> sum + 2 * 1024 * hidden;
            default -> sum;
        };
    }

    /// qkv: `(2 nk dk + nv dv) x H`; z: `nv dv x H`; out: `H x nv dv`; and gates, decays and a convolution of `c` taps.
    private double linear(int layer) {
        DeltaHeads delta = model.deltaHeads();
        double values = delta.values() * delta.valueWidth() / tp;
        double channels = delta.channels() / tp;
        long hybrid = model.linearParameters(layer);
        if (hybrid > 0) {
            return rank.attention(layer, "linear_attn.in_proj_qkv").bytes(hybrid / hidden / tp, hidden);
        }
        return rank.attention(layer, "linear_attn.in_proj_qkv").bytes(channels, hidden)
                + rank.attention(layer, "linear_attn.in_proj_z").bytes(values, hidden)
                + rank.attention(layer, "linear_attn.out_proj").bytes(hidden, values)
                + 4 * delta.values() / tp * hidden
                + 8 * delta.values() / tp
                + 2 * delta.kernel() * channels;
    }

    private void addExperts(int layer) {
        double count = (double) model.experts / rank.ep();
        double width = model.expertWidth / rank.moeTp();
        long latent = model.whole("moe_latent_size", 0);
        double outer = latent == 0 ? hidden : latent;
        WeightFormat format = rank.experts(layer);
        if (format.equals(MXFP4)) {
            Mxfp4Kernel kernel = rank.kernel();
            width = kernel.width(width);
            outer = kernel.hidden(outer);
        }
        double biases = model.type.equals("gpt_oss") ? 2 * (2 * width + outer) : 0;
        add(
                WeightGroup.EXPERTS,
                count * ((model.matrices() - 1) * format.bytes(width, outer) + format.bytes(outer, width) + biases));
        add(WeightGroup.ROUTER, BF16.bytes(model.experts + 2.0 * latent, hidden));
        if (model.sharedWidth > 0) {
            double shared = rank.dp() == 1 ? model.sharedWidth / tp : model.sharedWidth;
            add(WeightGroup.SHARED_EXPERTS, network(rank.shared(layer), shared));
        }
    }

    /// `2 rotary context factor`; of two kinds of rotation `2 D context` more.
    private double rope() {
        HuggingFaceConfig given = model.text.section("rope_scaling");
        HuggingFaceConfig scaling = given.keys().isEmpty() ? model.text.section("rope_parameters") : given;
        HuggingFaceConfig full = scaling.has("full_attention") ? scaling.section("full_attention") : scaling;
        String kind = full.has("rope_type")
                ? MemoryModel.string(full, "rope_type")
                : full.has("type") ? MemoryModel.string(full, "type") : "";
        double factor = kind.equals("linear") ? full.numberAt("factor").orElse(1.0) : 1;
        double sum = 2 * rotary(full) * model.maxPosition * factor;
        boolean localBase = model.text.isOn("rope_local_base_freq")
                || scaling.has("sliding_attention")
                || model.type.startsWith("gemma3");
        return model.kinds.contains(Kind.SLIDING) && localBase ? sum + 2 * model.headWidth * model.maxPosition : sum;
    }

    private long rotary(HuggingFaceConfig scaling) {
        if (model.type.startsWith("gemma4")) {
            return model.whole("global_head_dim", model.headWidth);
        }
        String partial = "partial_rotary_factor";
        double share = scaling.numberAt(partial)
                .filter(given -> given > 0)
                .or(() -> model.text.numberAt(partial))
                .filter(given -> given > 0)
                .orElse(1.0);
        return model.whole("qk_rope_head_dim", (long) (model.headWidth * share));
    }

    /// Bytes of a tower in 16 bits: `2 (n (4 h h + m h i) + projector)`, with `m` 3 for a gated network, else 2.
    private static double tower(HuggingFaceConfig tower, double hidden) {
        double width = size(tower, "hidden_size", "width", "embed_dim");
        double depth = size(tower, "depth", "num_hidden_layers", "layers");
        double inner = MemoryModel.whole(tower, "intermediate_size", 0);
        if (inner == 0) {
            double ratio =
                    tower.numberAt("mlp_ratio").filter(given -> given > 0).orElse(4.0);
            inner = Math.floor(width * ratio);
        }
        String type = tower.has("model_type") ? MemoryModel.string(tower, "model_type") : "";
        String activation = tower.has("hidden_act") ? MemoryModel.string(tower, "hidden_act") : "";
        boolean gated = Set.of("silu", "swiglu").contains(activation) || type.startsWith("gemma4");
        double side = MemoryModel.whole(tower, "spatial_merge_size", 1);
        double merged = side * side * width;
        double merger = merged * merged + merged * hidden;
        double blocks = depth * (4 * width * width + (gated ? 3 : 2) * width * inner);
        double projector = side > 1 ? merger : width * hidden;
        return 2 * (blocks + projector + tower.list("deepstack_visual_indexes").size() * merger);
    }

    private static double size(HuggingFaceConfig tower, String... keys) {
        for (String key : keys) {
            long value = MemoryModel.whole(tower, key, 0);
            if (value > 0) {
                return value;
            }
        }
        return 0;
    }
}

package io.throughputoptimizer.core.memory;

import static java.util.Objects.requireNonNull;

import io.throughputoptimizer.core.model.AttentionSpec;
import io.throughputoptimizer.core.model.CompressedSpec;
import io.throughputoptimizer.core.model.FeedForwardSpec;
import io.throughputoptimizer.core.model.GatedActivation;
import io.throughputoptimizer.core.model.HybridSpec;
import io.throughputoptimizer.core.model.LayerGroup;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.ModelDocument;
import io.throughputoptimizer.core.model.config.HuggingFaceConfig;
import io.throughputoptimizer.core.model.config.ModelConfigException;
import io.throughputoptimizer.core.model.family.ModelFamily;
import io.throughputoptimizer.core.model.stored.CheckpointFormats;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Facts of a `config.json` that the memory of a serving engine depends on.
///
/// Symbols: hidden size `H`, layers `L`, vocabulary `V`, width of the dense network `I` and of an expert `I_e`.
public final class MemoryModel {
    private static final Set<String> DELTA =
            Set.of("qwen3_next", "qwen3_5", "qwen3_5_moe", "qwen3_5_text", "qwen3_5_moe_text");
    /// Models whose layers, read by their family, decide the memory.
    private static final Set<String> HYBRID = Set.of("nemotron_h", "nemotron-nas", "kimi_linear", "lfm2", "lfm2_moe");

    private static final Set<String> TIED = Set.of("gemma", "gemma2", "gemma3", "gemma3_text", "gemma4", "gemma4_text");
    private static final Set<String> BIASED = Set.of("qwen2", "qwen2_moe", "gpt_oss");
    private static final Set<String> NOT_SPECIFIED = Set.of(
            "kimi_k3",
            "falcon_h1",
            "jamba",
            "zamba2",
            "bamba",
            "glm5_next",
            "deepseek_v41",
            "minimax_m3",
            "minimax_m1",
            "bailing_hybrid");
    private static final List<String> TEXT_SECTIONS = List.of(HuggingFaceConfig.TEXT, "llm_config", "language_config");
    private static final Set<String> WINDOWS_BY_PATTERN = Set.of("exaone4", "olmo3", "cohere2", "mimo_v2_flash");
    static final String EXPERTS = "mlp.experts.0.gate_proj";
    private static final List<String> MODULES = List.of(
            "self_attn.q_proj",
            "self_attn.k_proj",
            "self_attn.o_proj",
            "self_attn.q_a_proj",
            "self_attn.q_b_proj",
            "self_attn.kv_a_proj_with_mqa",
            "self_attn.kv_b_proj",
            "self_attn.indexer.wq_b",
            "linear_attn.in_proj_qkv",
            "linear_attn.in_proj_z",
            "linear_attn.out_proj",
            "mlp.gate_proj",
            EXPERTS,
            "mlp.shared_expert.gate_proj",
            "mlp.shared_experts.gate_proj");
    private static final int USUAL_PATTERN = 6;
    private static final int USUAL_CHUNK = 8192;
    private static final long ROWS_TOGETHER = 64;
    private static final int MOST_LAYERS = 10_000;

    /// Formats of a quantized checkpoint by module, for each layer; empty where it is not quantized.
    private final List<Map<String, WeightFormat>> stored;

    private final WeightFormat storedHead;
    private final boolean quantizesCache;
    private final boolean storesExpertsAlone;

    final HuggingFaceConfig text;
    final String type;
    final long hidden;
    final int layers;
    final long vocabulary;
    final long heads;
    final long cacheHeads;
    final long headWidth;
    final long intermediate;
    final boolean tied;
    final long maxPosition;
    final int window;
    final boolean latent;
    final boolean compressed;
    final boolean indexed;
    final boolean delta;
    final boolean biased;
    final long experts;
    final long expertsPerToken;
    final long expertWidth;
    final long denseWidth;
    final long sharedWidth;
    final int firstDense;
    final @Nullable HuggingFaceConfig vision;
    final int draftLayers;
    final boolean denseWithExperts;
    final List<Kind> kinds;
    /// Layers of a hybrid; empty for other models.
    private final List<LayerGroup> parts;

    /// Attention of a layer, as its cache is allocated.
    enum Kind {
        FULL,
        SLIDING,
        CHUNKED,
        LINEAR,
        COMPRESSED,
        /// No attention, and no cache.
        NONE
    }

    /// Model families with similar memory.
    public enum Family {
        DENSE,
        EXPERTS,
        /// Layers with windows or chunks.
        WINDOWS,
        GATED_DELTA_NETS,
        /// DeepSeek-V4.
        COMPRESSED
    }

    /// Returns the first family that applies, the most specific first.
    public Family family() {
        if (compressed) {
            return Family.COMPRESSED;
        } else if (delta) {
            return Family.GATED_DELTA_NETS;
        } else if (kinds.contains(Kind.SLIDING) || kinds.contains(Kind.CHUNKED)) {
            return Family.WINDOWS;
        }
        return experts > 0 ? Family.EXPERTS : Family.DENSE;
    }

    /// Reads a configuration.
    ///
    /// @throws ModelConfigException if a key is missing or makes no sense, or if memory of the model type is not
    ///     specified
    public static MemoryModel of(HuggingFaceConfig config) {
        return new MemoryModel(config);
    }

    /// Reads the configuration of a model, once.
    ///
    /// @throws ModelConfigException likewise
    public static MemoryModel of(ModelDocument document) {
        return document.read(MemoryModel.class, entries -> of(new HuggingFaceConfig(entries)));
    }

    private MemoryModel(HuggingFaceConfig config) {
        text = textOf(config);
        type = text.has("model_type")
                ? string(text, "model_type")
                : config.has("model_type") ? string(config, "model_type") : "";
        for (HuggingFaceConfig named : List.of(text, config)) {
            if (named.has("model_type") && NOT_SPECIFIED.contains(string(named, "model_type"))) {
                throw named.refused("model_type", "its memory on serving engines is not specified");
            }
        }
        boolean gemma3 = type.startsWith("gemma3");
        hidden = positive("hidden_size");
        ModelArchitecture hybrid = HYBRID.contains(type) ? ModelFamily.model("", config) : null;
        parts = hybrid == null
                ? List.of()
                : hybrid.groups().stream()
                        .flatMap(group -> Collections.nCopies(group.count(), group).stream())
                        .toList();
        AttentionSpec.@Nullable GroupedQuery grouped = grouped(parts);
        layers = hybrid == null ? text.count("num_hidden_layers", MOST_LAYERS) : hybrid.layers();
        vocabulary = gemma3 ? whole("vocab_size", 262_208) : positive("vocab_size");
        heads = gemma3 ? whole("num_attention_heads", 8) : positive("num_attention_heads");
        cacheHeads = grouped == null ? whole("num_key_value_heads", gemma3 ? 4 : heads) : grouped.keyValueHeads();
        headWidth = grouped == null ? whole("head_dim", gemma3 ? 256 : hidden / heads) : grouped.headSize();
        intermediate = whole(
                "intermediate_size",
                IntStream.range(0, parts.size())
                        .mapToLong(layer -> (long) networkWidth(layer))
                        .max()
                        .orElse(0));
        tied = flag(text, "tie_word_embeddings", flag(config, "tie_word_embeddings", TIED.contains(type)));
        maxPosition =
                hybrid == null ? whole("max_position_embeddings", gemma3 ? 131_072 : 8192) : hybrid.maxPositions();
        window = flag(text, "use_sliding_window", true) ? (int) whole("sliding_window", 0) : 0;
        latent = whole("kv_lora_rank", 0) > 0;
        compressed = type.equals("deepseek_v4");
        indexed = text.has("index_topk") && !compressed;
        delta = DELTA.contains(type) || parts.stream().anyMatch(part -> kind(part) == Kind.LINEAR);
        biased = flag(text, "attention_bias", BIASED.contains(type));
        boolean gemma4 = type.startsWith("gemma4");
        experts = gemma4 && !text.isOn("enable_moe_block")
                ? 0
                : first("num_experts", "n_routed_experts", "num_local_experts", "moe_num_experts");
        expertsPerToken = first("num_experts_per_tok", "num_experts_per_token", "top_k_experts", "moe_topk", "moe_k");
        long width = whole("moe_intermediate_size", 0);
        expertWidth = width == 0 ? intermediate : width;
        long dense = first("dense_intermediate_size", "intermediate_size_mlp");
        denseWidth = dense == 0 ? intermediate : dense;
        sharedWidth = sharedWidth();
        firstDense = (int) first("first_k_dense_replace", "moe_layer_start_index");
        vision = config.section("vision_config").keys().isEmpty() ? null : config.section("vision_config");
        draftLayers = (int) first("num_nextn_predict_layers", "mtp_num_hidden_layers");
        denseWithExperts = gemma4 && experts > 0;
        kinds = kinds();
        CheckpointFormats formats = CheckpointFormats.of(config).orElse(null);
        quantizesCache = formats != null && formats.quantizesCache();
        storesExpertsAlone = formats != null && formats.method().equals("mxfp4");
        storedHead = formats != null && formats.method().equals("compressed-tensors")
                ? format(formats, "lm_head")
                : WeightFormat.BF16;
        stored = formats == null ? List.of() : formats(formats);
    }

    private List<Map<String, WeightFormat>> formats(CheckpointFormats formats) {
        boolean expertsInFp4 =
                text.isText("expert_dtype") && string(text, "expert_dtype").equals("fp4");
        List<Map<String, WeightFormat>> found = new ArrayList<>();
        for (int layer = 0; layer < layers; layer++) {
            Map<String, WeightFormat> modules = new HashMap<>();
            for (String module : MODULES) {
                modules.put(module, format(formats, "layers." + layer + "." + module));
            }
            if (expertsInFp4) {
                modules.put(EXPERTS, WeightFormat.MXFP4);
            }
            found.add(modules);
        }
        return found;
    }

    private static WeightFormat format(CheckpointFormats formats, String module) {
        return formats.of(module).map(WeightFormat::of).orElse(WeightFormat.BF16);
    }

    private static HuggingFaceConfig textOf(HuggingFaceConfig config) {
        return TEXT_SECTIONS.stream()
                .map(config::section)
                .filter(section -> section.has("hidden_size"))
                .findFirst()
                .orElse(config);
    }

    private long sharedWidth() {
        long given = first(
                "shared_expert_intermediate_size", "shared_intermediate_size", "moe_shared_expert_intermediate_size");
        if (given > 0) {
            return given;
        }
        long counted = first("n_shared_experts", "num_shared_experts", "moe_num_shared_experts") * expertWidth;
        return counted == 0 && type.startsWith("llama4") ? intermediate : counted;
    }

    private static AttentionSpec.@Nullable GroupedQuery grouped(List<LayerGroup> parts) {
        return parts.stream()
                .map(LayerGroup::attention)
                .filter(AttentionSpec.GroupedQuery.class::isInstance)
                .map(AttentionSpec.GroupedQuery.class::cast)
                .findFirst()
                .orElse(null);
    }

    /// Returns the kind of a layer of a hybrid.
    private static Kind kind(LayerGroup part) {
        return switch (part.attention()) {
            case HybridSpec.Absent _ -> Kind.NONE;
            case AttentionSpec.GatedDelta _, HybridSpec.StateSpace _, HybridSpec.ShortConvolution _ -> Kind.LINEAR;
            case AttentionSpec.GroupedQuery _,
                    AttentionSpec.MultiHeadLatent _,
                    AttentionSpec.BlockSparse _,
                    CompressedSpec _ -> Kind.FULL;
        };
    }

    /// Returns the parameters of what a layer of a hybrid has in place of attention; 0 for gated delta nets.
    long linearParameters(int layer) {
        return parts.isEmpty() ? 0 : parts.get(layer).attention().parameterCount((int) hidden);
    }

    /// Returns the width of the dense network of a layer; 0 without one.
    double networkWidth(int layer) {
        if (!parts.isEmpty()) {
            return parts.get(layer).feedForward() instanceof FeedForwardSpec.Dense dense ? dense.intermediateSize() : 0;
        }
        return experts > 0 && !denseWithExperts ? denseWidth : intermediate;
    }

    /// Returns the matrices of a network: 3, or 2 without a gate.
    int matrices() {
        return type.equals("nemotron_h") ? GatedActivation.SQUARED_RELU.matrices() : GatedActivation.SILU.matrices();
    }

    private List<Kind> kinds() {
        if (!parts.isEmpty()) {
            return parts.stream().map(MemoryModel::kind).toList();
        }
        List<Kind> found = new ArrayList<>();
        List<?> listed = text.list("layer_types");
        for (int layer = 0; layer < layers; layer++) {
            if (compressed) {
                found.add(Kind.COMPRESSED);
            } else if (!listed.isEmpty()) {
                found.add(layer < listed.size() ? named(listed.get(layer)) : Kind.FULL);
            } else {
                found.add(kind(layer));
            }
        }
        return List.copyOf(found);
    }

    private static Kind named(@Nullable Object name) {
        return switch (String.valueOf(name)) {
            case "sliding_attention" -> Kind.SLIDING;
            case "linear_attention" -> Kind.LINEAR;
            case "chunked_attention" -> Kind.CHUNKED;
            default -> Kind.FULL;
        };
    }

    /// Returns the kind of a layer of a model without `layer_types`, by the first rule that applies.
    private Kind kind(int layer) {
        if (delta) {
            return everyOther("full_attention_interval", 4, layer, Kind.LINEAR);
        } else if (type.equals("gemma2") || type.equals("gpt_oss")) {
            return layer % 2 == 0 ? Kind.SLIDING : Kind.FULL;
        } else if (type.startsWith("gemma3") || type.startsWith("gemma4")) {
            return everyOther("sliding_window_pattern", USUAL_PATTERN, layer, Kind.SLIDING);
        } else if (type.startsWith("llama4")) {
            return (layer + 1) % 4 == 0 ? Kind.FULL : Kind.CHUNKED;
        } else if (window > 0
                && WINDOWS_BY_PATTERN.contains(type)
                && text.numberAt("sliding_window_pattern").isPresent()) {
            return everyOther("sliding_window_pattern", USUAL_PATTERN, layer, Kind.SLIDING);
        }
        return Kind.FULL;
    }

    private Kind everyOther(String key, int usual, int layer, Kind others) {
        return (layer + 1) % Math.max(1, whole(key, usual)) == 0 ? Kind.FULL : others;
    }

    /// Returns whether a layer has routed experts.
    boolean hasExperts(int layer) {
        if (!parts.isEmpty()) {
            return parts.get(layer).feedForward() instanceof FeedForwardSpec.RoutedExperts;
        } else if (experts == 0 || layer < firstDense) {
            return false;
        }
        List<?> frequencies = frequencies();
        if (layer < frequencies.size()) {
            return isOn(frequencies.get(layer));
        }
        long step = first("decoder_sparse_step", "interleave_moe_layer_step", "moe_layer_interval");
        return (layer + 1) % Math.max(1, step) == 0
                && text.list("mlp_only_layers").stream()
                        .noneMatch(dense -> dense instanceof Number number && number.intValue() == layer);
    }

    private List<?> frequencies() {
        String key = "moe_layer_freq";
        return text.numberAt(key).isPresent() ? List.of() : text.list(key);
    }

    private static boolean isOn(@Nullable Object value) {
        return value instanceof Number number ? number.doubleValue() != 0 : Boolean.TRUE.equals(value);
    }

    /// Rows of the embedding, `V' = V` rounded up to 64.
    long paddedVocabulary() {
        return Math.ceilDiv(vocabulary, ROWS_TOGETHER) * ROWS_TOGETHER;
    }

    /// Tokens of a chunk of chunked attention.
    int chunk() {
        return (int) whole("attention_chunk_size", USUAL_CHUNK);
    }

    /// Layers of a kind.
    int count(Kind kind) {
        return (int) kinds.stream().filter(kind::equals).count();
    }

    /// Returns the compression ratio of the entries of a DeepSeek-V4 layer; 0 without compression.
    int ratio(int layer) {
        List<?> ratios = text.list("compress_ratios");
        return layer < ratios.size() && ratios.get(layer) instanceof Number number ? number.intValue() : 0;
    }

    /// Heads and widths of gated delta nets.
    record DeltaHeads(long keys, long values, long keyWidth, long valueWidth, long kernel, long stateBytes) {
        /// Channels of the convolution, `2 nk dk + nv dv`.
        long channels() {
            return 2 * keys * keyWidth + values * valueWidth;
        }
    }

    /// Heads of the layers with gated delta nets.
    DeltaHeads deltaHeads() {
        for (LayerGroup part : parts) {
            switch (part.attention()) {
                case HybridSpec.StateSpace space -> {
                    return new DeltaHeads(
                            space.groups(), space.heads(), space.stateSize(), space.headSize(), space.kernel(), 4);
                }
                case HybridSpec.ShortConvolution convolution -> {
                    return new DeltaHeads(0, hidden, 0, 1, convolution.kernel(), 4);
                }
                case AttentionSpec.GatedDelta rule -> {
                    return new DeltaHeads(
                            rule.keyHeads(), rule.valueHeads(), rule.size(), rule.size(), rule.kernel(), 4);
                }
                case HybridSpec.Absent _,
                        AttentionSpec.GroupedQuery _,
                        AttentionSpec.MultiHeadLatent _,
                        AttentionSpec.BlockSparse _,
                        CompressedSpec _ -> {}
            }
        }
        boolean wide =
                !text.has("mamba_ssm_dtype") || string(text, "mamba_ssm_dtype").equals("float32");
        return new DeltaHeads(
                positive("linear_num_key_heads"),
                positive("linear_num_value_heads"),
                positive("linear_key_head_dim"),
                positive("linear_value_head_dim"),
                whole("linear_conv_kernel_dim", 4),
                wide ? 4 : 2);
    }

    /// Returns the format of a module of a layer in the checkpoint.
    ///
    /// @throws MemoryNotSpecifiedException if the names of its modules are unknown
    WeightFormat stored(int layer, String module) {
        if (isHybrid() && !stored.isEmpty()) {
            throw new MemoryNotSpecifiedException(
                    "modules of quantized checkpoints of " + type + " are not told apart; set quantization.scheme");
        }
        if (stored.isEmpty() || (storesExpertsAlone && !module.equals(EXPERTS))) {
            return WeightFormat.BF16;
        }
        return requireNonNull(stored.get(layer).get(module));
    }

    /// Returns the format of the output head in the checkpoint.
    WeightFormat storedHead() {
        return storedHead;
    }

    /// Returns whether the configuration describes a quantized checkpoint.
    public boolean isQuantized() {
        return !stored.isEmpty();
    }

    /// Returns whether the checkpoint requires an 8-bit KV cache.
    public boolean quantizesCache() {
        return quantizesCache;
    }

    /// Returns assumptions about values that the configuration lacks.
    ///
    /// @param loadsTower whether the vision tower is loaded
    List<String> assumptions(boolean loadsTower) {
        List<String> assumed = new ArrayList<>();
        if (!text.has("max_position_embeddings") && !type.startsWith("gemma3")) {
            assumed.add("a context of " + maxPosition + " tokens: max_position_embeddings is missing");
        }
        if (vision != null && loadsTower && !isKnownTower()) {
            assumed.add("the profiling run of this vision tower is not known: the interval is wider");
        }
        return assumed;
    }

    /// Returns whether logs of servers with this vision tower exist: Qwen, Gemma and Pixtral.
    boolean isKnownTower() {
        HuggingFaceConfig tower = vision;
        return tower == null
                || type.startsWith("qwen")
                || type.startsWith("gemma")
                || (tower.has("model_type") && string(tower, "model_type").equals("pixtral"));
    }

    /// Returns whether layers keep another state than a gated delta net's; no log of such a server was compared.
    boolean isHybrid() {
        return delta && !parts.isEmpty();
    }

    /// Returns whether the model has a vision tower.
    public boolean hasTower() {
        return vision != null;
    }

    /// Returns the value of the first key above 0; 0 if there is none.
    private long first(String... keys) {
        for (String key : keys) {
            long value = whole(key, 0);
            if (value > 0) {
                return value;
            }
        }
        return 0;
    }

    /// Returns a required whole number of at least 1.
    long positive(String key) {
        return text.count(key, Integer.MAX_VALUE);
    }

    /// Returns a whole number of at least 0; the default if the key is absent or 0.
    long whole(String key, long usual) {
        return whole(text, key, usual);
    }

    static long whole(HuggingFaceConfig section, String key, long usual) {
        if (!section.has(key) || section.isNumber(key, 0)) {
            return usual;
        }
        return section.count(key, Integer.MAX_VALUE);
    }

    static boolean flag(HuggingFaceConfig section, String key, boolean usual) {
        return section.has(key) ? section.flag(key) : usual;
    }

    static String string(HuggingFaceConfig section, String key) {
        return section.text(key);
    }
}

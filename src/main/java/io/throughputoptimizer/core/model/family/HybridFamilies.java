package io.throughputoptimizer.core.model.family;

import io.throughputoptimizer.core.model.AttentionSpec;
import io.throughputoptimizer.core.model.AttentionSpec.HeadNorm;
import io.throughputoptimizer.core.model.FeedForwardSpec;
import io.throughputoptimizer.core.model.GatedActivation;
import io.throughputoptimizer.core.model.HybridSpec;
import io.throughputoptimizer.core.model.LayerGroup;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.Router;
import io.throughputoptimizer.core.model.config.AttentionHeads;
import io.throughputoptimizer.core.model.config.DecoderConfig;
import io.throughputoptimizer.core.model.config.ExpertConfig;
import io.throughputoptimizer.core.model.config.HuggingFaceConfig;
import io.throughputoptimizer.core.model.config.UnpricedFeatures;
import io.throughputoptimizer.core.model.config.WindowConfig;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/// Families that only measured kernels price: hybrids of attention with other layers, and Mixtral.
final class HybridFamilies {
    private static final String ROUTED = "n_routed_experts";
    private static final String EXPERTS = "num_experts";
    private static final String LOCAL_EXPERTS = "num_local_experts";
    private static final String PATTERN = "hybrid_override_pattern";
    private static final String PARTS = "layers_block_type";
    private static final String BLOCKS = "block_configs";
    private static final String LATENT = "moe_latent_size";
    private static final String SHARED = "moe_shared_expert_intermediate_size";
    private static final String ACTIVATION = "mlp_hidden_act";
    private static final String WIDTH = "intermediate_size";
    private static final String ADJUSTS = "block_auto_adjust_ff_dim";
    private static final String DENSE_LAYERS = "num_dense_layers";
    private static final String NO_PART = "no_op";
    private static final String LINEAR = "replace_with_linear";
    private static final String GROUP = "n_heads_in_group";
    private static final int WIDTH_STEP = 256;
    private static final Map<Integer, String> LETTERS =
            Map.of((int) 'M', "mamba", (int) 'E', "moe", (int) '*', "attention", (int) '-', "mlp");

    /// Mixtral: attention of Mistral, experts in every layer, none of them shared.
    static final ModelFamily MIXTRAL = new DecoderFamily(
            "mixtral",
            "Mixtral",
            keys("num_experts_per_tok output_router_logits router_aux_loss_coef router_jitter_noise"),
            HybridFamilies::mixtral);

    /// Nemotron-H and Nemotron 3: layers of one part each, which is Mamba2, attention without rotation, a network
    /// or experts without gates. Layers that predict drafts are not priced.
    static final ModelFamily NEMOTRON_H = new DecoderFamily(
            "nemotron_h",
            "Nemotron 3",
            keys(
                    "attention_bias attention_head_dim chunk_size conv_kernel expand hidden_dropout hybrid_override_pattern"
                            + " layer_norm_epsilon layers_block_type mamba_head_dim mamba_hidden_act mamba_num_heads"
                            + " mamba_proj_bias mamba_ssm_cache_dtype mlp_hidden_act moe_intermediate_size moe_latent_size"
                            + " moe_shared_expert_intermediate_size moe_shared_expert_overlap mtp_hybrid_override_pattern"
                            + " mtp_layers_block_type n_group n_groups n_shared_experts norm_eps norm_topk_prob"
                            + " num_experts_per_tok num_logits_to_keep rescale_prenorm_residual residual_in_fp32"
                            + " routed_scaling_factor ssm_state_size time_step_floor time_step_limit time_step_max"
                            + " time_step_min topk_group use_bias use_conv_bias use_mamba_kernels"),
            HybridFamilies::nemotronH);

    /// Llama-Nemotron by architecture search: key-value heads and a network of each layer's own, either of which a
    /// layer may lack.
    static final ModelFamily NEMOTRON_NAS = new DecoderFamily(
            "nemotron-nas", "Llama-Nemotron", keys("attention_bias block_configs"), HybridFamilies::nemotronNas);

    /// Kimi-Linear: layers of [KimiK3Family] without gates on latent attention, latent experts and attention
    /// residuals.
    static final ModelFamily KIMI_LINEAR = new DecoderFamily(
            "kimi_linear", "Kimi-Linear", KimiK3Family.textKeys("model_max_length"), HybridFamilies::kimiLinear);

    /// LFM2: short convolutions between gates in most layers, grouped-query attention in the others.
    static final ModelFamily LFM2 = lfm2("lfm2", "Lfm2ForCausalLM");

    /// LFM2 with experts behind the first layers.
    static final ModelFamily LFM2_MOE = lfm2("lfm2_moe", "Lfm2MoeForCausalLM");

    private HybridFamilies() {}

    private static Set<String> keys(String further) {
        return DecoderConfig.knownKeys(further.split(" ", -1));
    }

    /// Returns a configuration with the usual epsilon, which some published ones leave out.
    private static HuggingFaceConfig complete(HuggingFaceConfig given, Map<String, Object> further) {
        Map<String, Object> defaults = new HashMap<>(further);
        defaults.put(
                "rms_norm_eps",
                given.numberAt("layer_norm_epsilon")
                        .or(() -> given.numberAt("norm_eps"))
                        .orElse(1e-5));
        return given.orElse(defaults);
    }

    private static AttentionSpec attention(AttentionHeads heads, HeadNorm norm) {
        return new AttentionSpec.GroupedQuery(heads.query(), heads.keyValue(), heads.size(), norm, false, false);
    }

    private static ModelArchitecture mixtral(String id, HuggingFaceConfig given) {
        HuggingFaceConfig config = complete(given, Map.of());
        UnpricedFeatures.refuse(config, "MixtralForCausalLM", Set.of(LOCAL_EXPERTS));
        FeedForwardSpec.Routing routing = ExpertConfig.routing(config, LOCAL_EXPERTS, new Router.Softmax());
        return DecoderConfig.uniform(
                id,
                config,
                attention(AttentionHeads.sharingHiddenSize(config), HeadNorm.NONE),
                new FeedForwardSpec.RoutedExperts(routing, ExpertConfig.expertWidth(config, WIDTH, routing), 0));
    }

    private static ModelArchitecture nemotronH(String id, HuggingFaceConfig given) {
        List<String> parts = parts(given);
        HuggingFaceConfig config = complete(given, Map.of("num_hidden_layers", parts.size()));
        UnpricedFeatures.refuse(config, "NemotronHForCausalLM", Set.of(ROUTED, KimiK3Family.DRAFTS));
        if (config.has(ACTIVATION) && !config.text(ACTIVATION).equals("relu2")) {
            throw config.refused(ACTIVATION, "only relu2 is priced");
        }
        config.requireNumberIfGiven("num_hidden_layers", parts.size(), "as many layers are named: " + parts.size());
        return DecoderConfig.architecture(
                id,
                config,
                LayerGroup.joined(
                        parts.stream().map(part -> nemotronLayer(config, part)).toList()),
                false);
    }

    /// Returns the part of each layer.
    private static List<String> parts(HuggingFaceConfig config) {
        List<String> parts = config.has(PATTERN)
                ? config.text(PATTERN)
                        .chars()
                        .mapToObj(letter -> LETTERS.getOrDefault(letter, ""))
                        .toList()
                : config.list(PARTS).stream().map(String::valueOf).toList();
        if (parts.isEmpty() || !LETTERS.values().containsAll(parts)) {
            throw config.refused(
                    config.has(PATTERN) ? PATTERN : PARTS,
                    "layers of mamba (M), moe (E), attention (*) and mlp (-) are priced");
        }
        return parts;
    }

    private static LayerGroup nemotronLayer(HuggingFaceConfig config, String part) {
        return switch (part) {
            case "mamba" -> new LayerGroup(1, stateSpace(config), new FeedForwardSpec.Absent());
            case "attention" -> {
                boolean named = config.has("head_dim");
                AttentionHeads heads =
                        AttentionHeads.given(named ? config : config.renamed(Map.of("head_dim", "attention_head_dim")));
                yield new LayerGroup(1, attention(heads, HeadNorm.NONE), new FeedForwardSpec.Absent());
            }
            case "moe" -> new LayerGroup(1, new HybridSpec.Absent(), ungatedExperts(config));
            default ->
                new LayerGroup(
                        1,
                        new HybridSpec.Absent(),
                        new FeedForwardSpec.Dense(
                                config.count(WIDTH, ModelArchitecture.MAX_INNER_WIDTH), GatedActivation.SQUARED_RELU));
        };
    }

    private static AttentionSpec stateSpace(HuggingFaceConfig config) {
        int size = config.count("mamba_head_dim", ModelArchitecture.MAX_HIDDEN_SIZE);
        int heads = config.count("mamba_num_heads", ModelArchitecture.MAX_INNER_WIDTH / size);
        int groups = config.count("n_groups", heads);
        return new HybridSpec.StateSpace(
                heads,
                size,
                config.count("ssm_state_size", ModelArchitecture.MAX_INNER_WIDTH / groups),
                groups,
                config.count("conv_kernel", AttentionSpec.GatedDelta.MAX_KERNEL),
                config.count("chunk_size", ModelArchitecture.MAX_POSITIONS));
    }

    private static FeedForwardSpec ungatedExperts(HuggingFaceConfig config) {
        FeedForwardSpec.Routing routing = ExpertConfig.routing(config, ROUTED, new Router.Sigmoid());
        var experts = new FeedForwardSpec.RoutedExperts(
                routing,
                ExpertConfig.expertWidth(config, ExpertConfig.EXPERT_WIDTH, routing),
                config.isOn(SHARED) ? config.count(SHARED, ModelArchitecture.MAX_INNER_WIDTH) : 0,
                false,
                GatedActivation.SQUARED_RELU);
        return config.isOn(LATENT) ? experts.within(config.count(LATENT, ModelArchitecture.MAX_HIDDEN_SIZE)) : experts;
    }

    private static ModelArchitecture nemotronNas(String id, HuggingFaceConfig given) {
        HuggingFaceConfig config = complete(given, Map.of());
        UnpricedFeatures.refuse(config, "DeciLMForCausalLM", Set.of());
        List<LayerGroup> layers =
                DecoderConfig.requireEachLayer(config, BLOCKS, config.sections(BLOCKS), DecoderConfig.layers(config))
                        .stream()
                        .map(block -> new LayerGroup(
                                1,
                                nasAttention(config, block.section("attention")),
                                nasNetwork(config, block.section("ffn"))))
                        .toList();
        return DecoderConfig.architecture(id, config, LayerGroup.joined(layers), false);
    }

    /// Returns whether a block has a part, which must not be a linear layer instead.
    private static boolean has(HuggingFaceConfig part) {
        if (part.flag(LINEAR)) {
            throw part.refused(LINEAR, "a part replaced by a linear layer is not priced");
        }
        return !part.flag(NO_PART);
    }

    private static AttentionSpec nasAttention(HuggingFaceConfig config, HuggingFaceConfig block) {
        if (!has(block)) {
            return new HybridSpec.Absent();
        }
        AttentionHeads all = AttentionHeads.multiHeadUnlessGrouped(config);
        int sharing = block.count(GROUP, all.query());
        if (all.query() % sharing != 0) {
            throw block.invalid(GROUP, "a divisor of " + all.query());
        }
        return attention(new AttentionHeads(all.query(), all.query() / sharing, all.size()), HeadNorm.NONE);
    }

    /// Returns a network of width `2/3 ffn_mult H`, rounded up to a multiple of 256.
    private static FeedForwardSpec nasNetwork(HuggingFaceConfig config, HuggingFaceConfig block) {
        if (!has(block)) {
            return new FeedForwardSpec.Absent();
        }
        double factor = block.numberAt("ffn_mult")
                .filter(number -> number > 0 && number < 1000)
                .orElseThrow(() -> block.invalid("ffn_mult", "a number above 0 and below 1000"));
        int hidden = config.count("hidden_size", ModelArchitecture.MAX_HIDDEN_SIZE);
        return new FeedForwardSpec.Dense(roundUp((int) (2 * factor * hidden / 3), WIDTH_STEP));
    }

    private static int roundUp(int width, int step) {
        return Math.ceilDiv(width, step) * step;
    }

    private static ModelArchitecture kimiLinear(String id, HuggingFaceConfig given) {
        HuggingFaceConfig config = complete(
                given,
                given.has("model_max_length")
                        ? Map.of(
                                "max_position_embeddings",
                                given.count("model_max_length", ModelArchitecture.MAX_POSITIONS))
                        : Map.of());
        UnpricedFeatures.refuse(config, "KimiLinearForCausalLM", Set.of(EXPERTS, "kv_lora_rank", KimiK3Family.DRAFTS));
        KimiK3Family.refuseUnpriced(config);
        for (String absent : KimiK3Family.OF_K3) {
            if (config.isOn(absent)) {
                throw config.refused(absent, "it is priced for kimi_k3 only");
            }
        }
        return DecoderConfig.architecture(id, config, KimiK3Family.groups(config, true), false);
    }

    private static ModelFamily lfm2(String modelType, String modelClass) {
        return new DecoderFamily(
                modelType,
                "LFM2",
                keys("block_auto_adjust_ff_dim block_dim block_ff_dim block_ffn_dim_multiplier block_mlp_init_scale"
                        + " block_multiple_of block_norm_eps block_out_init_scale block_use_swiglu block_use_xavier_init"
                        + " conv_L_cache conv_bias conv_dim conv_dim_out conv_use_xavier_init moe_intermediate_size"
                        + " norm_eps norm_topk_prob num_dense_layers num_experts_per_tok num_heads"
                        + " routed_scaling_factor use_expert_bias use_pos_enc"),
                (id, config) -> lfm2(id, complete(config, Map.of()), modelClass));
    }

    private static ModelArchitecture lfm2(String id, HuggingFaceConfig config, String modelClass) {
        UnpricedFeatures.refuse(config, modelClass, Set.of(EXPERTS, WindowConfig.WINDOW));
        AttentionSpec attention = attention(AttentionHeads.sharingHiddenSize(config), HeadNorm.PER_HEAD);
        AttentionSpec convolution =
                new HybridSpec.ShortConvolution(config.count("conv_L_cache", AttentionSpec.GatedDelta.MAX_KERNEL));
        int count = DecoderConfig.layers(config);
        List<?> types =
                DecoderConfig.requireEachLayer(config, WindowConfig.TYPES, config.list(WindowConfig.TYPES), count);
        if (!Set.of("conv", "full_attention").containsAll(types)) {
            throw config.refused(WindowConfig.TYPES, "only conv and full_attention are priced");
        }
        FeedForwardSpec dense = new FeedForwardSpec.Dense(lfm2Width(config));
        List<FeedForwardSpec> networks = new ArrayList<>();
        int leading = config.isOn(DENSE_LAYERS) ? config.count(DENSE_LAYERS, ModelArchitecture.MAX_LAYERS) : 0;
        if (config.isOn(EXPERTS)) {
            FeedForwardSpec.Routing routing = ExpertConfig.routing(config, EXPERTS, new Router.Sigmoid());
            int width = ExpertConfig.expertWidth(config, ExpertConfig.EXPERT_WIDTH, routing);
            networks.add(new FeedForwardSpec.RoutedExperts(routing, width, 0));
        }
        List<LayerGroup> layers = IntStream.range(0, count)
                .mapToObj(layer -> new LayerGroup(
                        1,
                        "conv".equals(types.get(layer)) ? convolution : attention,
                        networks.isEmpty() || layer < leading ? dense : networks.getFirst()))
                .toList();
        return DecoderConfig.architecture(id, config, LayerGroup.joined(layers), false);
    }

    /// Returns the width of a network; with `block_auto_adjust_ff_dim` 2/3 of it, rounded up.
    private static int lfm2Width(HuggingFaceConfig config) {
        int width = config.count(WIDTH, ModelArchitecture.MAX_INNER_WIDTH);
        if (!config.isOn(ADJUSTS)) {
            return width;
        }
        long part = 2L * width / 3;
        double factor = config.numberAt("block_ffn_dim_multiplier").orElse(1.0);
        String step = "block_multiple_of";
        return roundUp(
                (int) (factor * part),
                config.isOn(step) ? config.count(step, ModelArchitecture.MAX_INNER_WIDTH) : WIDTH_STEP);
    }
}

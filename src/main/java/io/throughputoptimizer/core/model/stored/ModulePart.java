package io.throughputoptimizer.core.model.stored;

import java.util.List;

/// Parts of a decoder layer that checkpoints quantize separately.
enum ModulePart {
    ATTENTION("attention"),
    /// Attention whose values are keys.
    ATTENTION_WITHOUT_VALUES("attention"),
    LINEAR_ATTENTION("linear attention"),
    DENSE_LAYERS("dense layers"),
    SHARED_EXPERTS("shared experts"),
    ROUTED_EXPERTS("routed experts"),
    /// Routed experts next to a dense network, with their own module names.
    EXPERTS_BESIDE_DENSE("routed experts");

    private final String words;

    ModulePart(String words) {
        this.words = words;
    }

    String words() {
        return words;
    }

    /// Returns the part under which its parameters are counted.
    ModulePart counted() {
        return switch (this) {
            case ATTENTION, ATTENTION_WITHOUT_VALUES -> ATTENTION;
            case ROUTED_EXPERTS, EXPERTS_BESIDE_DENSE -> ROUTED_EXPERTS;
            case LINEAR_ATTENTION, DENSE_LAYERS, SHARED_EXPERTS -> this;
        };
    }

    /// Returns the alternative lists of paths of its linear layers within a layer.
    List<List<String>> spellings() {
        return switch (this) {
            case ATTENTION ->
                List.of(
                        List.of("self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj", "self_attn.o_proj"),
                        List.of("self_attn.q_b_proj", "self_attn.kv_b_proj", "self_attn.o_proj"));
            case ATTENTION_WITHOUT_VALUES ->
                List.of(List.of("self_attn.q_proj", "self_attn.k_proj", "self_attn.o_proj"));
            case LINEAR_ATTENTION ->
                List.of(
                        List.of("linear_attn.in_proj_qkv", "linear_attn.in_proj_z", "linear_attn.out_proj"),
                        List.of("linear_attn.in_proj_qkvz", "linear_attn.out_proj"),
                        List.of("mixer.in_proj", "mixer.out_proj"),
                        List.of("conv.in_proj", "conv.out_proj"));
            case DENSE_LAYERS -> List.of(network("mlp"), ungated("mixer"));
            case SHARED_EXPERTS ->
                List.of(
                        network("mlp.shared_experts"),
                        network("mlp.shared_expert"),
                        ungated("mixer.shared_experts"),
                        network("block_sparse_moe.shared_experts"));
            case ROUTED_EXPERTS ->
                List.of(
                        network("mlp.experts.0"),
                        ungated("mixer.experts.0"),
                        List.of(
                                "block_sparse_moe.experts.0.w1",
                                "block_sparse_moe.experts.0.w2",
                                "block_sparse_moe.experts.0.w3"),
                        List.of("mlp.experts.gate_up_proj", "mlp.experts.down_proj"));
            case EXPERTS_BESIDE_DENSE ->
                List.of(network("experts.0"), List.of("experts.gate_up_proj", "experts.down_proj"));
        };
    }

    private static List<String> ungated(String path) {
        return List.of(path + ".up_proj", path + ".down_proj");
    }

    private static List<String> network(String path) {
        return List.of(path + ".gate_proj", path + ".up_proj", path + ".down_proj");
    }
}

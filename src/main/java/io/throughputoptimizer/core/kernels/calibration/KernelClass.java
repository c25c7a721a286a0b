package io.throughputoptimizer.core.kernels.calibration;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Classes of kernels that share a formula, with their measured types and the formula's parameters. The names
/// of parameters end in units: `_us` microseconds, `_ns` nanoseconds, `_efficiency` share of a peak,
/// `_overhead` elements or tokens, `_traffic` passes over the activations, `_floor` heads, `_share` part of 1.
public enum KernelClass {
    GEMM,
    PREFILL_ATTENTION,
    DECODE_ATTENTION,
    MLA_PREFILL,
    MLA_DECODE,
    MOE,
    COLLECTIVE,
    ELEMENTWISE,
    /// Gated delta nets: the short convolution of prompts.
    GDN_CONV_PREFILL,
    GDN_SCAN,
    GDN_CONV_DECODE,
    GDN_UPDATE,
    /// Kimi delta attention.
    KDA_CONV_PREFILL,
    KDA_SCAN,
    KDA_CONV_DECODE,
    KDA_UPDATE,
    /// Update and convolution in one; no pass launches it.
    KDA_FUSED_UPDATE,
    /// State spaces of Mamba2: the short convolution.
    MAMBA2_CONV_PREFILL,
    MAMBA2_CONV_DECODE,
    /// Mixtures of several residual streams, before and after attention and feed-forward part together.
    HYPER_PRE,
    HYPER_POST,
    /// Latent attention to the tokens that an indexer selects.
    DSA_DECODE,
    DSA_PREFILL,
    /// Prompts so short that an engine does not select.
    DSA_PREFILL_DENSE,
    /// Compressed attention, an entry for 4 tokens.
    CSA_DECODE,
    CSA_PREFILL,
    /// Compressed attention, an entry for 128 tokens.
    HCA_DECODE,
    HCA_PREFILL,
    /// Grouped-query attention to the blocks that an indexer selects.
    MSA_DECODE,
    MSA_PREFILL,
    /// Grouped-query attention to a window, or with wide heads.
    WINDOW_DECODE,
    WINDOW_PREFILL,
    /// State spaces of Mamba2: the scan of prompts.
    MAMBA2_SCAN,
    /// Routed experts of two matrices, without a gate.
    MOE_UNGATED;

    /// Suffix of the types of attention modules whose layers use the selection of another layer.
    public static final String SHARED_INDEX = "/shared_index";

    /// The only type of recurrent kernels and of mixtures of streams.
    public static final String PLAIN_TYPE = "bfloat16";

    /// Returns the class of a name in a calibration, such as `decode_attention`.
    public static Optional<KernelClass> of(String label) {
        return Arrays.stream(values())
                .filter(kernel -> kernel.label().equals(label))
                .findFirst();
    }

    /// Returns the name in a calibration.
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// Returns whether backends are similar enough for a joint set. Otherwise another backend's or device's set
    /// is used, which its basis tells.
    boolean isPooled(String type) {
        boolean weightOnly = this == GEMM && ProductType.WEIGHTS_ALONE.contains(type);
        return compareTo(GDN_CONV_PREFILL) < 0 && !weightOnly;
    }

    /// Returns the types that a calibration may list.
    public List<String> types() {
        return switch (this) {
            case GEMM, MOE, MOE_UNGATED ->
                Arrays.stream(ProductType.values()).map(ProductType::label).toList();
            case PREFILL_ATTENTION -> List.of("bf16/kv_bf16", "bf16/kv_fp8", "fp8/kv_fp8");
            case DECODE_ATTENTION -> List.of("gqa/kv_bf16", "gqa/kv_fp8", "mha/kv_bf16", "mha/kv_fp8");
            case MLA_PREFILL -> List.of("bf16/kv_bf16", "bf16/kv_fp8");
            case MLA_DECODE -> List.of("kv_bf16", "kv_fp8");
            case COLLECTIVE -> List.of("all_gather", "all_reduce", "alltoall", "reduce_scatter");
            case ELEMENTWISE -> List.of("amax_scale", "quantize_static");
            case GDN_CONV_PREFILL,
                    GDN_SCAN,
                    GDN_CONV_DECODE,
                    GDN_UPDATE,
                    KDA_CONV_PREFILL,
                    KDA_SCAN,
                    KDA_CONV_DECODE,
                    KDA_UPDATE,
                    KDA_FUSED_UPDATE,
                    MAMBA2_CONV_PREFILL,
                    MAMBA2_CONV_DECODE,
                    MAMBA2_SCAN,
                    HYPER_PRE,
                    HYPER_POST -> List.of(PLAIN_TYPE);
            case WINDOW_DECODE -> HeadWindow.types(List.of("kv_bf16", "kv_fp8"));
            case WINDOW_PREFILL -> HeadWindow.types(PREFILL_ATTENTION.types());
            case DSA_DECODE, DSA_PREFILL -> ModuleType.labels(true);
            case DSA_PREFILL_DENSE, CSA_DECODE, CSA_PREFILL, HCA_DECODE, HCA_PREFILL, MSA_DECODE, MSA_PREFILL ->
                ModuleType.labels(false);
        };
    }

    /// Returns the parameters of a set.
    public List<String> parameters() {
        String names = switch (this) {
            case GEMM -> "compute_efficiency memory_efficiency launch_us m_overhead n_overhead k_overhead k_latency_ns";
            case PREFILL_ATTENTION ->
                "compute_efficiency memory_efficiency launch_us seq_overhead head_dim_overhead seq_latency_ns";
            case DECODE_ATTENTION -> "memory_efficiency launch_us item_ns split_us";
            case WINDOW_PREFILL ->
                "compute_efficiency memory_efficiency launch_us seq_overhead head_dim_overhead seq_latency_ns"
                        + " masked_share";
            case WINDOW_DECODE -> "memory_efficiency launch_us item_ns split_us masked_share";
            case MLA_PREFILL, GDN_SCAN, KDA_SCAN, MAMBA2_SCAN ->
                "compute_efficiency memory_efficiency launch_us seq_overhead seq_latency_ns";
            case MLA_DECODE -> "compute_efficiency memory_efficiency launch_us item_ns split_us";
            case MOE, MOE_UNGATED ->
                "compute_efficiency memory_efficiency launch_us m_overhead inter_overhead local_traffic global_traffic";
            case COLLECTIVE -> "latency_us latency_per_rank_us small_efficiency switch_us large_efficiency";
            case ELEMENTWISE, GDN_CONV_DECODE, KDA_CONV_DECODE, MAMBA2_CONV_DECODE, HYPER_PRE, HYPER_POST ->
                "memory_efficiency launch_us";
            case GDN_CONV_PREFILL, KDA_CONV_PREFILL, MAMBA2_CONV_PREFILL -> "memory_efficiency launch_us sequence_ns";
            case GDN_UPDATE, KDA_UPDATE, KDA_FUSED_UPDATE -> "memory_efficiency launch_us item_ns";
            case DSA_DECODE,
                    DSA_PREFILL,
                    DSA_PREFILL_DENSE,
                    CSA_DECODE,
                    CSA_PREFILL,
                    HCA_DECODE,
                    HCA_PREFILL,
                    MSA_DECODE,
                    MSA_PREFILL ->
                "launch_us linear_efficiency index_efficiency attention_efficiency item_ns heads_floor masked_share";
        };
        return List.of(names.split(" ", -1));
    }

    /// Returns the optional parameters of a set.
    public List<String> optionalParameters() {
        if (this == GEMM) {
            return ParameterSet.OF_VECTORS;
        }
        return this == CSA_DECODE ? List.of(ParameterSet.SWITCH) : List.of();
    }
}

package io.throughputoptimizer.core.silicon.calibration;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Kernels that share a formula: which types are measured, and which parameters the formula has. Units end the names
/// of parameters: `_us` microseconds, `_ns` nanoseconds, `_efficiency` share of a peak, `_overhead` elements or tokens,
/// `_traffic` passes over the activations.
public enum KernelClass {
    GEMM,
    PREFILL_ATTENTION,
    DECODE_ATTENTION,
    MLA_PREFILL,
    MLA_DECODE,
    MOE,
    COLLECTIVE,
    ELEMENTWISE;

    /// The class of that name in a calibration, such as `decode_attention`.
    public static Optional<KernelClass> of(String label) {
        return Arrays.stream(values())
                .filter(kernel -> kernel.label().equals(label))
                .findFirst();
    }

    /// Name in a calibration.
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// Types that a calibration may list.
    public List<String> types() {
        return switch (this) {
            case GEMM, MOE ->
                Arrays.stream(ProductType.values()).map(ProductType::label).toList();
            case PREFILL_ATTENTION -> List.of("bf16/kv_bf16", "bf16/kv_fp8", "fp8/kv_fp8");
            case DECODE_ATTENTION -> List.of("gqa/kv_bf16", "gqa/kv_fp8", "mha/kv_bf16", "mha/kv_fp8");
            case MLA_PREFILL -> List.of("bf16/kv_bf16", "bf16/kv_fp8");
            case MLA_DECODE -> List.of("kv_bf16", "kv_fp8");
            case COLLECTIVE -> List.of("all_gather", "all_reduce", "alltoall", "reduce_scatter");
            case ELEMENTWISE -> List.of("amax_scale", "quantize_static");
        };
    }

    /// Parameters of a set.
    public List<String> parameters() {
        String names = switch (this) {
            case GEMM -> "compute_efficiency memory_efficiency launch_us m_overhead n_overhead k_overhead k_latency_ns";
            case PREFILL_ATTENTION ->
                "compute_efficiency memory_efficiency launch_us seq_overhead head_dim_overhead seq_latency_ns";
            case DECODE_ATTENTION -> "memory_efficiency launch_us item_ns split_us";
            case MLA_PREFILL -> "compute_efficiency memory_efficiency launch_us seq_overhead seq_latency_ns";
            case MLA_DECODE -> "compute_efficiency memory_efficiency launch_us item_ns split_us";
            case MOE ->
                "compute_efficiency memory_efficiency launch_us m_overhead inter_overhead local_traffic global_traffic";
            case COLLECTIVE -> "latency_us latency_per_rank_us small_efficiency switch_us large_efficiency";
            case ELEMENTWISE -> "memory_efficiency launch_us";
        };
        return List.of(names.split(" ", -1));
    }
}

package io.throughputoptimizer.api.imported;

import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Number formats of another tool's file.
final class ImportedFormats {
    private static final Map<String, String> SCHEMES = Map.of(
            "bfloat16", "BF16",
            "fp8", "FP8",
            "fp8_static", "FP8",
            "fp8_block", "FP8_BLOCK",
            "nvfp4", "NVFP4");

    /// Of experts beside the rest, where they differ.
    private static final Map<String, String> EXPERTS = Map.of(
            "bfloat16/nvfp4", "NVFP4_EXPERTS",
            "bfloat16/int4_wo", "INT4_EXPERTS",
            "bfloat16/w4a16_mxfp4", "MXFP4_EXPERTS",
            "bfloat16/w4a8_mxfp4_mxfp8", "MXFP4_EXPERTS",
            "fp8_block/w4a16_mxfp4", "FP8_MXFP4",
            "fp8_block/w4a8_mxfp4_mxfp8", "FP8_MXFP4");

    private static final Map<String, String> CACHES = Map.of("bfloat16", "bf16", "fp8", "fp8");

    private ImportedFormats() {}

    /// @param model name of the checkpoint, which says how it is quantized where the file does not
    /// @param prefix of the names of the members
    static void of(
            ImportedRequest read,
            String model,
            @Nullable String dense,
            @Nullable String experts,
            @Nullable String cache,
            String prefix) {
        if (dense == null && experts == null) {
            read.assume("quantization/scheme", ofName(model), "what the name of the checkpoint says");
        } else {
            String known = scheme(dense, experts);
            if (known == null) {
                read.leave(
                        prefix + "gemm_quant_mode", "no scheme has weights as " + dense + " and experts as " + experts);
                read.assume("quantization/scheme", ofName(model), "what the name of the checkpoint says");
            } else {
                read.put("quantization/scheme", known);
            }
        }
        String kept = cache == null ? null : CACHES.get(cache);
        read.put("engine/kv_cache", kept);
        if (cache != null && kept == null) {
            read.leave(prefix + "kvcache_quant_mode", "caches are in bf16 or fp8, not in " + cache);
        }
    }

    private static @Nullable String scheme(@Nullable String dense, @Nullable String experts) {
        if (experts == null || experts.equals(dense)) {
            return SCHEMES.get(dense);
        }
        return dense == null ? SCHEMES.get(experts) : EXPERTS.get(dense + "/" + experts);
    }

    private static String ofName(String model) {
        String name = model.toLowerCase(Locale.ROOT);
        if (name.contains("nvfp4")) {
            if (name.contains("qwen3.5")) {
                return "NVFP4_ROUTED";
            }
            return name.matches(".*(deepseek|kimi|minimax).*") ? "NVFP4_EXPERTS" : "NVFP4";
        }
        if (name.contains("gpt-oss")) {
            return "MXFP4_EXPERTS";
        }
        if (name.contains("deepseek-v4")) {
            return "FP8_MXFP4";
        }
        if (name.matches(".*kimi-k2\\.[56].*")) {
            return "INT4_EXPERTS";
        }
        return name.matches(".*(fp8|deepseek-ai/deepseek-(v3|r1)(?!-distill)|minimaxai/|kimi-k2-).*")
                ? "FP8_BLOCK"
                : "BF16";
    }
}

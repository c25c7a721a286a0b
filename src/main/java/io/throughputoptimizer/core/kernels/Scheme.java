package io.throughputoptimizer.core.kernels;

import io.throughputoptimizer.core.kernels.calibration.MatrixPeak;
import io.throughputoptimizer.core.kernels.calibration.Peaks;
import io.throughputoptimizer.core.kernels.calibration.ProductType;
import io.throughputoptimizer.core.model.HybridSpec;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.StoredFormat;
import io.throughputoptimizer.core.model.StoredQuantization;
import java.util.Optional;

/// Quantization of a checkpoint: types of the attention projections, of dense and shared feed-forward parts,
/// and of routed experts. Router, embedding and output head stay in bfloat16.
public enum Scheme {
    BF16(ProductType.BFLOAT16),
    /// One scale per tensor.
    FP8(ProductType.FP8),
    /// One scale per block (DeepSeek, MiniMax, Qwen3-FP8).
    FP8_BLOCK(ProductType.FP8_BLOCK),
    NVFP4(ProductType.NVFP4),
    /// NVIDIA's releases of DeepSeek, Kimi and MiniMax.
    NVFP4_EXPERTS(ProductType.BFLOAT16, ProductType.NVFP4, ProductType.NVFP4),
    /// Kimi.
    INT4_EXPERTS(ProductType.BFLOAT16, ProductType.BFLOAT16, ProductType.INT4_WO),
    /// Scheme of gpt-oss: activations in MXFP8 if the device multiplies in FP4, else in bfloat16.
    MXFP4_EXPERTS(ProductType.BFLOAT16, ProductType.BFLOAT16, ProductType.W4A16_MXFP4),
    /// NVIDIA's release of Qwen3.5: shared experts stay in bfloat16.
    NVFP4_ROUTED(ProductType.BFLOAT16, ProductType.BFLOAT16, ProductType.NVFP4),
    /// Scheme of DeepSeek-V4: experts as in [#MXFP4_EXPERTS], the rest in FP8 by blocks.
    FP8_MXFP4(ProductType.FP8_BLOCK, ProductType.FP8_BLOCK, ProductType.W4A16_MXFP4),
    /// Integer weights of 4 bits alone (AWQ, GPTQ, AutoRound, compressed-tensors).
    W4A16(ProductType.INT4_WO),
    /// Integer weights of 8 bits alone.
    W8A16(ProductType.INT8_WO),
    /// Ascend only.
    W8A8(ProductType.W8A8);

    private final ProductType attention;
    private final ProductType dense;
    private final ProductType experts;

    Scheme(ProductType all) {
        this(all, all, all);
    }

    Scheme(ProductType attention, ProductType dense, ProductType experts) {
        this.attention = attention;
        this.dense = dense;
        this.experts = experts;
    }

    /// Returns the scheme of a stored checkpoint; empty if no kernels match it.
    public static Optional<Scheme> of(ModelArchitecture model) {
        StoredQuantization stored = model.stored();
        if (stored == null) {
            return Optional.of(BF16);
        }
        boolean routed = model.experts().isPresent();
        StoredFormat others = stored.others();
        StoredFormat experts = routed ? stored.experts() : others;
        if (stored.reason() != null || experts == null) {
            return Optional.empty();
        }
        boolean alike = experts.equals(others);
        boolean alone = alike && experts.activations() == StoredFormat.Activations.NONE;
        return switch (experts.type()) {
            case FLOAT8 -> when(alike, experts.block().size() == 2 ? FP8_BLOCK : FP8);
            case INT8 -> when(alone, W8A16);
            case INT4 -> others == null ? Optional.of(INT4_EXPERTS) : when(alone, W4A16);
            case NVFP4 -> others == null || mixes(model) ? Optional.of(NVFP4_ROUTED) : when(alike, NVFP4);
            case MXFP4 -> when(others == null, MXFP4_EXPERTS);
        };
    }

    /// Returns whether NVFP4 checkpoints keep all but the routed experts in more bits: those of Nemotron 3.
    private static boolean mixes(ModelArchitecture model) {
        return model.experts().isPresent()
                && model.attentions().stream().anyMatch(HybridSpec.StateSpace.class::isInstance);
    }

    private static Optional<Scheme> when(boolean like, Scheme scheme) {
        return like ? Optional.of(scheme) : Optional.empty();
    }

    /// Returns the type of the attention projections.
    public ProductType attention() {
        return attention;
    }

    /// Returns the type of dense feed-forward parts and of shared experts.
    public ProductType dense() {
        return dense;
    }

    /// Returns the type of routed experts on a device with these peaks.
    public ProductType experts(Peaks peaks) {
        return experts == ProductType.W4A16_MXFP4 && peaks.has(MatrixPeak.FP4) ? ProductType.W4A8_MXFP4_MXFP8 : experts;
    }

    /// Returns whether the scheme quantizes routed experts differently; models without them have no such
    /// checkpoint.
    public boolean setsExpertsApart() {
        return experts != attention;
    }

    /// Returns the default KV cache type of a server.
    public CacheType defaultCache() {
        return switch (this) {
            case BF16, INT4_EXPERTS, W4A16, W8A16, W8A8 -> CacheType.BF16;
            case FP8, FP8_BLOCK, NVFP4, NVFP4_EXPERTS, MXFP4_EXPERTS, NVFP4_ROUTED, FP8_MXFP4 -> CacheType.FP8;
        };
    }
}

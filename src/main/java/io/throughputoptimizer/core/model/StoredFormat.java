package io.throughputoptimizer.core.model;

import java.util.List;
import java.util.stream.Collectors;

/// How a checkpoint stores the weights of linear layers, and what it does to their inputs.
///
/// @param block weights that share a scale: `[n]` of a row, or rows and columns; empty for whole rows or tensors
/// @param zeroPoints whether each of these has a zero point beside its scale
public record StoredFormat(WeightType type, List<Integer> block, Activations activations, boolean zeroPoints) {

    /// What a weight is stored as.
    public enum WeightType {
        FLOAT8,
        INT8,
        INT4,
        /// 4-bit floats in blocks of 16, each with a scale of 8 bits.
        NVFP4,
        /// 4-bit floats in blocks of 32, each with an exponent of 8 bits.
        MXFP4
    }

    /// How inputs of linear layers are quantized.
    public enum Activations {
        /// Not at all: they have 16 bits.
        NONE,
        /// With stored scales.
        STATIC,
        /// With scales computed on the way.
        DYNAMIC
    }

    public StoredFormat {
        block = List.copyOf(block);
    }

    /// Weights that share a scale; 0 for whole rows or tensors.
    public long blockSize() {
        return block.isEmpty()
                ? 0
                : block.stream().mapToLong(Integer::longValue).reduce(1, (one, other) -> one * other);
    }

    /// Such as `INT4 in blocks of 32`.
    public String words() {
        return block.isEmpty()
                ? type.name()
                : type + " in blocks of " + block.stream().map(String::valueOf).collect(Collectors.joining(" x "));
    }
}

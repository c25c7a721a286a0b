package io.throughputoptimizer.core.model;

import java.util.List;
import java.util.stream.Collectors;

/// Storage format of a checkpoint's linear weights, and quantization of their inputs.
///
/// @param block weights that share a scale: `[n]` of a row, or `[rows, columns]`; empty for whole rows or
///     tensors
/// @param zeroPoints true if each block has a zero point and a scale
public record StoredFormat(WeightType type, List<Integer> block, Activations activations, boolean zeroPoints) {

    /// Storage type of a weight.
    public enum WeightType {
        FLOAT8,
        INT8,
        INT4,
        /// 4-bit floats in blocks of 16, each with an 8-bit scale.
        NVFP4,
        /// 4-bit floats in blocks of 32, each with an 8-bit exponent.
        MXFP4
    }

    /// Quantization of the inputs of linear layers.
    public enum Activations {
        /// Not quantized: 16 bits.
        NONE,
        /// Stored scales.
        STATIC,
        /// Dynamic scales.
        DYNAMIC
    }

    public StoredFormat {
        block = List.copyOf(block);
    }

    /// Returns the number of weights that share a scale; 0 for whole rows or tensors.
    public long blockSize() {
        return block.isEmpty()
                ? 0
                : block.stream().mapToLong(Integer::longValue).reduce(1, (one, other) -> one * other);
    }

    /// Returns a description such as `INT4 in blocks of 32`.
    public String words() {
        return block.isEmpty()
                ? type.name()
                : type + " in blocks of " + block.stream().map(String::valueOf).collect(Collectors.joining(" x "));
    }
}

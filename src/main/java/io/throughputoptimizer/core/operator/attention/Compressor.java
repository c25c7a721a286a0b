package io.throughputoptimizer.core.operator.attention;

import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.operator.DeviceOperator;
import io.throughputoptimizer.core.operator.Form;
import io.throughputoptimizer.core.operator.OperatorWork;
import io.throughputoptimizer.core.operator.Tensor;
import java.util.List;
import java.util.stream.Stream;

/// Makes an entry of the cache of every `R` tokens: their vectors and gates are projected in float32, and the
/// gated sum of the vectors is normalized, rotated in part and stored.
///
/// With `S` tokens, hidden size `h`, entries of `d` elements of which `r` are rotated, vectors of `p` elements
/// for each token (`2 d` where entries overlap, else `d`), and a window of `w` vectors for an entry (`2 R` or
/// `R`):
///
/// - reads: hidden states, both projections (`8 h p`), 16 bytes a request; in place `8 S h`, and `6 d` for each
///   entry
/// - writes: vectors kept for later (`8 p` each, and where entries overlap `8 R p` for an entry completed in a
///   step), and the entries
/// - `4 S h p` matrix operations in float32
/// - general operations in float32: `S h`, `p` for each vector that is kept, the gated sums of [Load], and for
///   each entry `5 d + 5 r`, with `3 (d - r)` for the quantization of what is not rotated, or `d (log2 d + 6)`
///   for a Hadamard transform and the quantization of all
///
/// @param hidden `[1, S, h]`
/// @param cache `[blocks, blockSize, d]`
/// @param tables starts and lengths of the requests
/// @param weights where the projections count as inputs: vectors and gates, `[h, 2 p]` in float32; else empty
public record Compressor(Tensor hidden, Tensor cache, List<Tensor> tables, List<Tensor> weights, Shape shape, Load load)
        implements DeviceOperator {
    private static final int BYTES_IN_PLACE = 8;
    private static final int ENTRY_BYTES_IN_PLACE = 6;
    /// A vector and a gate in float32.
    private static final int PAIR_BYTES = 8;

    private static final int SUM_OPERATIONS = 6;
    private static final int ENTRY_OPERATIONS = 5;
    private static final int PLAIN_OPERATIONS = 3;
    private static final int HADAMARD_OPERATIONS = 6;

    /// @param width `d`
    /// @param rotated `r`
    /// @param ratio `R`
    /// @param overlaps whether entries take in the tokens of the one before
    /// @param transforms whether entries pass through a Hadamard transform
    /// @param entryType of what is written
    public record Shape(
            long width, long rotated, long ratio, boolean overlaps, boolean transforms, DataType entryType) {
        long vectorWidth() {
            return overlaps ? 2 * width : width;
        }

        private long window() {
            return overlaps ? 2 * ratio : ratio;
        }

        private long hadamard() {
            return width * (Long.SIZE - 1 - Long.numberOfLeadingZeros(width) + HADAMARD_OPERATIONS);
        }
    }

    /// @param keptTokens tokens whose vectors are kept
    /// @param promptEntries entries of requests without context: their tokens are read once, and gated
    /// @param stepEntries entries completed by requests with context
    public record Load(Form keptTokens, Form promptEntries, Form stepEntries) {}

    public Compressor {
        tables = List.copyOf(tables);
        weights = List.copyOf(weights);
    }

    @Override
    public String name() {
        return "tensor_cast.compressor.default";
    }

    @Override
    public List<Tensor> inputs() {
        return Stream.of(Stream.of(hidden, cache), tables.stream(), weights.stream())
                .flatMap(tensors -> tensors)
                .toList();
    }

    @Override
    public List<Tensor> outputs() {
        return List.of();
    }

    @Override
    public OperatorWork work() {
        double vectors = shape.vectorWidth();
        Form entries = load.promptEntries.plus(load.stepEntries);
        Form read = hidden.bytes().plus(OperatorWork.totalBytes(tables)).plus(PAIR_BYTES * hidden.last() * vectors);
        Form inPlace = hidden.elements()
                .times(BYTES_IN_PLACE)
                .plus(entries.times((double) ENTRY_BYTES_IN_PLACE * shape.width));
        double shifted = shape.overlaps ? PAIR_BYTES * shape.ratio * vectors : 0;
        Form written = load.keptTokens
                .times(PAIR_BYTES * vectors)
                .plus(load.stepEntries.times(shifted))
                .plus(entries.times(shape.entryType.bytes(shape.width)));
        return OperatorWork.memory(read.plus(inPlace), written)
                .withMatrix(DataType.FLOAT32, hidden.elements().times(4 * vectors))
                .withGeneral(DataType.FLOAT32, operations(entries));
    }

    private Form operations(Form entries) {
        double vectors = shape.vectorWidth();
        double window = shape.window();
        double promptSum = shape.ratio * vectors + (SUM_OPERATIONS + (shape.overlaps ? 2 : 0)) * window * vectors;
        double stepSum = (SUM_OPERATIONS + (shape.overlaps ? 2 : 0)) * window * shape.width;
        double stored = shape.transforms ? shape.hadamard() : (double) PLAIN_OPERATIONS * (shape.width - shape.rotated);
        return hidden.elements()
                .plus(load.keptTokens.times(vectors))
                .plus(load.promptEntries.times(promptSum))
                .plus(load.stepEntries.times(stepSum))
                .plus(entries.times((double) ENTRY_OPERATIONS * (shape.width + shape.rotated) + stored));
    }
}

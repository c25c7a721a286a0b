package io.throughputoptimizer.core.operator.attention;

import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.operator.DeviceOperator;
import io.throughputoptimizer.core.operator.Form;
import io.throughputoptimizer.core.operator.OperatorWork;
import io.throughputoptimizer.core.operator.Tensor;
import java.util.List;

/// The gated delta rule: linear attention over a state of `[hv, dk, dv]` in float32 for each sequence, in one of two
/// ways.
///
/// - [Recurrent]: each token reads and writes its state; `4 S hv dk dv` matrix operations in float32, `8 S hv dk`
///   general ones in float16 and `S hv (dk + 2 dv + 2 + 2 dk dv)` in float32.
/// - [Chunked]: in chunks of 64 tokens, see there.
///
/// @param inputs queries, keys, values, step sizes and decays: what [AttentionOperators#deltaGating] yields
/// @param heads of this rank and their sizes
/// @param result `[S, hv dv]`
public record DeltaRule(List<Tensor> inputs, Heads heads, Method method, Tensor result) implements DeviceOperator {
    private static final int CHUNK = 64;
    private static final int FLOAT_BYTES = 4;

    /// @param count value heads, `hv`
    /// @param keySize `dk`
    /// @param valueSize `dv`
    public record Heads(long count, long keySize, long valueSize) {
        /// Bytes of the state of one sequence.
        public long stateBytes() {
            return FLOAT_BYTES * count * keySize * valueSize;
        }
    }

    /// How the rule is evaluated.
    public sealed interface Method {
        String name();
    }

    /// Token by token.
    public record Recurrent() implements Method {
        @Override
        public String name() {
            return "tensor_cast.linear_attn_recurrent_gated_delta_rule.default";
        }
    }

    /// With `n` chunks, `P = 64 hv n` and `Q = 64 P`: matrix operations in float32 `Q (4 dk + 2 dv) + 2 Q (dk +
    /// dv) + 6 P dk dv`; general ones `8 hv S dk` in float16 and `P dk + P (dk + dv) + 3 P + 6 Q + hv n 63 64
    /// 127 / 3 + P dk + 2 P dv + hv n (2 dk dv + 1)` in float32; beside its operands, `4 P (dk + dv) + 8 P (2
    /// dk + dv + 3) + 32 Q` bytes read and written; nine static costs.
    ///
    /// @param chunks `n`
    /// @param statesRead sequences with an earlier state
    /// @param statesWritten sequences
    public record Chunked(Form chunks, Form statesRead, Form statesWritten) implements Method {
        private static final int LAUNCHES = 9;

        @Override
        public String name() {
            return "tensor_cast.linear_attn_chunk_gated_delta_rule.default";
        }
    }

    public DeltaRule {
        inputs = List.copyOf(inputs);
    }

    @Override
    public String name() {
        return method.name();
    }

    @Override
    public List<Tensor> outputs() {
        return List.of(result);
    }

    @Override
    public OperatorWork work() {
        Form tokens = result.elements().dividedBy((double) heads.count * heads.valueSize);
        Form operands = OperatorWork.totalBytes(inputs);
        return switch (method) {
            case Recurrent _ -> {
                Form states = tokens.times(heads.stateBytes());
                yield arithmetic(
                        OperatorWork.memory(
                                operands.plus(states), result.bytes().plus(states)),
                        heads,
                        method,
                        tokens);
            }
            case Chunked chunked -> {
                Form read = operands.plus(chunked.statesRead.times(heads.stateBytes()));
                Form written = result.bytes().plus(chunked.statesWritten.times(heads.stateBytes()));
                OperatorWork work = OperatorWork.memory(read.plus(scratch(chunked)), written);
                yield arithmetic(work, heads, method, tokens).withExtraLaunches(Form.of(Chunked.LAUNCHES - 1.0));
            }
        };
    }

    private Form scratch(Chunked chunked) {
        long key = heads.keySize;
        long value = heads.valueSize;
        double positions = (double) heads.count * CHUNK;
        return chunked.chunks.times(
                4 * positions * (key + value) + 8 * positions * (2 * key + value + 3) + 32 * positions * CHUNK);
    }

    /// The same work with the arithmetic of the rule.
    static OperatorWork arithmetic(OperatorWork work, Heads heads, Method method, Form tokens) {
        double count = heads.count;
        double key = heads.keySize;
        double value = heads.valueSize;
        OperatorWork normed = work.withGeneral(DataType.FLOAT16, tokens.times(8 * count * key));
        return switch (method) {
            case Recurrent _ ->
                normed.withMatrix(DataType.FLOAT32, tokens.times(4 * count * key * value))
                        .withGeneral(DataType.FLOAT32, tokens.times(count * (key + 2 * value + 2 + 2 * key * value)));
            case Chunked chunked -> {
                double positions = count * CHUNK;
                double pairs = positions * CHUNK;
                double matrix = pairs * (4 * key + 2 * value) + 2 * pairs * (key + value) + 6 * positions * key * value;
                double solve = count * ((CHUNK - 1.0) * CHUNK * (2 * CHUNK - 1) / 3);
                double general = positions * key
                        + positions * (key + value)
                        + 3 * positions
                        + 6 * pairs
                        + solve
                        + positions * key
                        + 2 * positions * value
                        + count * (2 * key * value + 1);
                yield normed.withMatrix(DataType.FLOAT32, chunked.chunks.times(matrix))
                        .withGeneral(DataType.FLOAT32, chunked.chunks.times(general));
            }
        };
    }
}

package io.throughputoptimizer.core.operator.experts;

import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.operator.DeviceOperator;
import io.throughputoptimizer.core.operator.Form;
import io.throughputoptimizer.core.operator.OperatorWork;
import io.throughputoptimizer.core.operator.Tensor;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Choice of a token's experts and their weights in one operator.
///
/// By score, corrected by a bias: reads scores and bias, `2 n E + 4 n k` general operations in float32. By a
/// table that has the experts of each token of the vocabulary: reads scores, token ids and of the table what
/// [Table] says, `5 n k` operations. Writes weights and indices.
///
/// @param scores `[n, E]`, float32
/// @param bias `[E]`; absent with a table
/// @param table absent with a bias
/// @param weights `[n, k]`, float32
/// @param indices `[n, k]`, int64
public record GatingTopK(
        Tensor scores, @Nullable Tensor bias, @Nullable Table table, Tensor weights, Tensor indices)
        implements DeviceOperator {
    private static final int SCORE_OPERATIONS = 2;
    private static final int CHOICE_OPERATIONS = 4;
    private static final int TABLE_OPERATIONS = 5;

    /// @param ids of all tokens of the pass, int64
    /// @param experts `[V, k]`, int32
    /// @param bytesRead of it
    public record Table(Tensor ids, Tensor experts, Form bytesRead) {}

    @Override
    public String name() {
        return table == null ? "tensor_cast.moe_gating_top_k.default" : "tensor_cast.moe_gating_top_k_hash.default";
    }

    @Override
    public List<Tensor> inputs() {
        return Stream.of(
                        Stream.of(scores),
                        Stream.ofNullable(bias),
                        Optional.ofNullable(table).stream().flatMap(rows -> Stream.of(rows.ids, rows.experts)))
                .flatMap(tensors -> tensors)
                .toList();
    }

    @Override
    public List<Tensor> outputs() {
        return List.of(weights, indices);
    }

    @Override
    public OperatorWork work() {
        Form written = OperatorWork.totalBytes(outputs());
        Form chosen = weights.elements();
        if (table == null) {
            return OperatorWork.moving(inputs(), outputs())
                    .withGeneral(
                            DataType.FLOAT32,
                            scores.elements().times(SCORE_OPERATIONS).plus(chosen.times(CHOICE_OPERATIONS)));
        }
        Form read = scores.bytes().plus(table.ids.bytes()).plus(table.bytesRead);
        return OperatorWork.memory(read, written).withGeneral(DataType.FLOAT32, chosen.times(TABLE_OPERATIONS));
    }
}

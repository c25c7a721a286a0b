package io.throughputoptimizer.core.operator.attention;

import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.operator.DeviceOperator;
import io.throughputoptimizer.core.operator.Form;
import io.throughputoptimizer.core.operator.OperatorWork;
import io.throughputoptimizer.core.operator.Tensor;
import java.util.List;
import java.util.stream.Stream;

/// Selects the compressed entries that each token attends to ("lightning indexer"), with `S` tokens, `i` index
/// heads of `e` elements on this rank, `B` requests and `P` pairs of a token and an entry:
///
/// - reads: queries, head weights, 16 bytes a request, and of its own cache what [Load] says; writes the
///   selection; where the heads are split over ranks, `4 P` bytes in place for the sum of their scores
/// - `2 i e P` matrix operations in float16
/// - general operations in float16: `S i e (log2 e + 6)` for a Hadamard transform and the quantization of
///   queries, `3 i P`, `3` for each pair of a request without context, and those of the selection
///
/// @param query `[1, S, i, e]`
/// @param weights `[1, S, i]`
/// @param cache `[blocks, blockSize, e]`
/// @param tables starts and lengths of the requests
/// @param selected `[1, S, k]`, int64
public record LightningIndexer(
        Tensor query, Tensor weights, Tensor cache, List<Tensor> tables, Load load, Tensor selected)
        implements DeviceOperator {
    private static final int HADAMARD_OPERATIONS = 6;
    private static final int PAIR_OPERATIONS = 3;
    private static final int MASK_OPERATIONS = 3;
    private static final int SCORE_BYTES = 4;

    /// @param pairs `P`
    /// @param promptPairs of them, those of requests without context
    /// @param ranked operations of the selection
    /// @param entriesRead entries read from the cache
    /// @param split whether heads are split over ranks
    public record Load(Form pairs, Form promptPairs, Form ranked, Form entriesRead, boolean split) {}

    public LightningIndexer {
        tables = List.copyOf(tables);
    }

    @Override
    public String name() {
        return "tensor_cast.quant_lightning_indexer.default";
    }

    @Override
    public List<Tensor> inputs() {
        return Stream.concat(Stream.of(query, weights, cache), tables.stream()).toList();
    }

    @Override
    public List<Tensor> outputs() {
        return List.of(selected);
    }

    @Override
    public OperatorWork work() {
        double heads = weights.last();
        double width = query.last();
        Form read = query.bytes()
                .plus(weights.bytes())
                .plus(OperatorWork.totalBytes(tables))
                .plus(load.entriesRead.times(cache.type().bytes(width)));
        Form summed = load.split ? load.pairs.times(SCORE_BYTES) : Form.ZERO;
        double transform = Long.SIZE - 1 - Long.numberOfLeadingZeros(query.last()) + HADAMARD_OPERATIONS;
        Form general = query.elements()
                .times(transform)
                .plus(load.pairs.times(PAIR_OPERATIONS * heads))
                .plus(load.promptPairs.times(MASK_OPERATIONS))
                .plus(load.ranked);
        return OperatorWork.memory(read.plus(summed), selected.bytes())
                .withMatrix(DataType.FLOAT16, load.pairs.times(2 * heads * width))
                .withGeneral(DataType.FLOAT16, general);
    }
}

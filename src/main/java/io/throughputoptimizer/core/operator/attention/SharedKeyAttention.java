package io.throughputoptimizer.core.operator.attention;

import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.operator.DeviceOperator;
import io.throughputoptimizer.core.operator.Form;
import io.throughputoptimizer.core.operator.OperatorWork;
import io.throughputoptimizer.core.operator.Tensor;
import java.util.ArrayList;
import java.util.List;

/// Attention of all query heads to one head of keys, which are the values as well: of each token to the `w`
/// entries that an index table names. It works on at least 16 heads (`n = max(a, 16)`) and on runs of 64
/// entries (`t = ceil(w / 64)`), with `S` tokens and heads of `D` elements:
///
/// - reads: queries, the sinks of all heads, `w` entries for each token, the table by whole runs in int32, and
///   queries and sinks of the heads that it fills up; writes the results of all these
/// - `4 S 64 t n D` matrix operations in float16
/// - general operations in float16: `S (t n (447 + D) + n + n D)`
///
/// @param query `[1, S, a, D]`
/// @param entries what is attended to besides the cache's entries: those of the pass; empty where all are
/// cached
/// @param cache `[blocks, blockSize, D]`
/// @param sinks of all heads, float32
/// @param table `[1, S, w]`, int32
/// @param tiles `t`
/// @param entryWidth elements that are read of an entry
/// @param result `[1, S, a, D]`
public record SharedKeyAttention(
        Tensor query,
        List<Tensor> entries,
        Tensor cache,
        Tensor sinks,
        Tensor table,
        Form tiles,
        long entryWidth,
        Tensor result)
        implements DeviceOperator {
    /// Heads that the operator works on at least.
    private static final long LEAST_HEADS = 16;
    /// Entries in a run.
    private static final int TILE = 64;
    /// Operations of a head on a run: scale and mask, largest, exponentials, sum, and the correction of earlier
    /// runs.
    private static final int TILE_OPERATIONS = 447;

    public SharedKeyAttention {
        entries = List.copyOf(entries);
    }

    @Override
    public String name() {
        return "tensor_cast.sparse_attn_sharedkv.default";
    }

    @Override
    public List<Tensor> inputs() {
        List<Tensor> inputs = new ArrayList<>();
        inputs.add(query);
        inputs.addAll(entries);
        inputs.addAll(List.of(cache, sinks, table));
        return inputs;
    }

    @Override
    public List<Tensor> outputs() {
        return List.of(result);
    }

    @Override
    public OperatorWork work() {
        Form tokens = query.size(1);
        double size = query.last();
        long own = query.fixedSize(2);
        long heads = Math.max(own, LEAST_HEADS);
        double filled = heads - own;
        Form runs = tokens.times(tiles);
        Form filledBytes = tokens.times(filled * DataType.FLOAT16.bytes(size));
        Form read = query.bytes()
                .plus(sinks.bytes())
                .plus(table.elements().times(DataType.FLOAT16.bytes(entryWidth)))
                .plus(runs.times(DataType.INT32.bytes(TILE)))
                .plus(filledBytes)
                .plus(filled * DataType.FLOAT32.bytes(1));
        Form general = runs.times(heads * (TILE_OPERATIONS + size)).plus(tokens.times(heads * (1 + size)));
        return OperatorWork.memory(read, result.bytes().plus(filledBytes))
                .withMatrix(DataType.FLOAT16, runs.times(4 * TILE * heads * size))
                .withGeneral(DataType.FLOAT16, general);
    }
}

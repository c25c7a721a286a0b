package io.throughputoptimizer.core.forward.attention;

import static io.throughputoptimizer.core.operator.Quantity.INDEX_PAIRS;
import static io.throughputoptimizer.core.operator.Quantity.INDEX_PROMPT_PAIRS;
import static io.throughputoptimizer.core.operator.Quantity.INDEX_RANKED;
import static io.throughputoptimizer.core.operator.Quantity.INDEX_TOKENS_READ;
import static io.throughputoptimizer.core.operator.Quantity.SELECTED_TOKENS;
import static io.throughputoptimizer.core.operator.Quantity.TOKENS;

import io.throughputoptimizer.core.forward.layer.LayerInputs;
import io.throughputoptimizer.core.forward.layer.LinearLayers;
import io.throughputoptimizer.core.forward.layer.LinearWeight;
import io.throughputoptimizer.core.forward.pass.PassRecorder;
import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.model.AttentionSpec;
import io.throughputoptimizer.core.operator.Elementwise.Kind;
import io.throughputoptimizer.core.operator.Tensor;
import io.throughputoptimizer.core.operator.attention.AttentionOperators;
import io.throughputoptimizer.core.operator.attention.LightningIndexer;
import java.util.List;

/// Selection of the compressed entries that each token attends to, compiled or eager.
///
/// @param pass recorder of operators
record EntryIndexer(CompressedShard shard, EntryCompressor compressor, LinearLayers linears, PassRecorder pass) {

    /// @param hidden `[1, S, h]`
    /// @param compressedQuery `[1, S, q]`
    /// @return `[1, S, k]`, int64
    Tensor select(Tensor hidden, Tensor compressedQuery, LayerInputs inputs) {
        AttentionSpec.Indexer spec = shard.spec().indexer();
        CompressedShard.IndexWeights weights = shard.indexWeights();
        Tensor zeros = zeros(compressedQuery);
        Tensor states = pass.elementwise(Kind.ADD, hidden.sameShape(), hidden, zeros);
        Tensor compressed = pass.elementwise(Kind.ADD, compressedQuery.sameShape(), compressedQuery, zeros);
        Tensor query = pass.view(
                project(compressed, weights.query(), inputs), 1, TOKENS.form(), shard.indexHeads(), spec.headSize());
        pass.addEffect(AttentionOperators.rotateInPlace(
                query,
                inputs.rotary().cosines(),
                inputs.rotary().sines(),
                shard.spec().rotated(),
                false));
        Tensor cache = shard.indexCache();
        compressor.compressForIndex(states, cache, inputs);
        Tensor raw = pass.unflatten(project(states, weights.heads(), inputs));
        Tensor scaled = pass.elementwise(Kind.MULTIPLY, raw.sameShape(), raw);
        return pass.add(new LightningIndexer(
                query,
                scaled,
                cache,
                List.of(inputs.tables().sequenceLengths(), inputs.tables().queryLengths()),
                new LightningIndexer.Load(
                        INDEX_PAIRS.form(),
                        INDEX_PROMPT_PAIRS.form(),
                        INDEX_RANKED.form(),
                        INDEX_TOKENS_READ.form(),
                        shard.ranks() > 1),
                Tensor.of(DataType.INT64, 1, TOKENS.form(), 1).withLast(SELECTED_TOKENS.form())));
    }

    /// Numbers that make what follows wait for `source`. An eager graph makes them twice.
    private Tensor zeros(Tensor source) {
        Tensor numbers = pass.view(source, 1, TOKENS.form(), 1);
        Tensor zeros = pass.elementwise(Kind.MULTIPLY, numbers.sameShape(), numbers);
        return shard.isCompiled() ? zeros : pass.elementwise(Kind.MULTIPLY, numbers.sameShape(), numbers);
    }

    private Tensor project(Tensor input, LinearWeight weight, LayerInputs inputs) {
        return linears.apply(linears.quantize(pass.flatten(input), inputs.scales()), List.of(weight), inputs.scales());
    }
}

package io.throughputoptimizer.core.forward.attention;

import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.forward.layer.Activation;
import io.throughputoptimizer.core.forward.layer.LayerInputs;
import io.throughputoptimizer.core.forward.layer.LinearLayers;
import io.throughputoptimizer.core.forward.pass.PassRecorder;
import io.throughputoptimizer.core.model.AttentionSpec;
import io.throughputoptimizer.core.operator.Tensor;
import java.util.List;

/// The attention part of a layer on one rank. Every [#record] stands for another layer, on weights and cache
/// of its own.
public interface AttentionBlock {
    /// Tokens of one KV cache block.
    long BLOCK_TOKENS = 128;

    /// The attention of a deployment's layers.
    static AttentionBlock of(Deployment deployment, LinearLayers linears, PassRecorder pass) {
        return switch (deployment.model().attention()) {
            case AttentionSpec.GroupedQuery spec -> {
                GroupedQueryShard shard = new GroupedQueryShard(deployment, spec, linears);
                yield deployment.execution().compiled()
                        ? new CompiledGroupedQueryAttention(shard, linears, pass)
                        : new EagerGroupedQueryAttention(shard, linears, pass);
            }
            case AttentionSpec.MultiHeadLatent spec -> {
                LatentShard shard = new LatentShard(deployment, spec, linears);
                IndexerShard indexer = spec.indexer() == null
                        ? null
                        : new IndexerShard(
                                spec.indexer(), shard, deployment.model().hiddenSize(), linears);
                yield new CompiledLatentAttention(shard, indexer, linears, pass);
            }
        };
    }

    /// Writes down one layer's attention up to and with the output projection.
    ///
    /// @param input normalized residual stream, quantized or not as the layer hands it over
    /// @return what is added to the residual stream
    Tensor record(Activation input, LayerInputs inputs);

    /// Whether the input may come quantized from a compiled graph.
    boolean takesQuantized();

    /// Bytes of one layer's weights.
    double weightBytes();

    /// Weights that the reference looks at again after the pass, once for each kind of layer: to the memory ledger
    /// they are inputs of their own.
    List<Tensor> weightsSeenAgain();

    /// Bytes of one layer's cache for one token.
    double cacheBytesPerToken();
}

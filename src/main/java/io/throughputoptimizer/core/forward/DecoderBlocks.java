package io.throughputoptimizer.core.forward;

import static java.util.Objects.requireNonNull;

import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.model.AttentionSpec;
import io.throughputoptimizer.core.model.FeedForwardSpec;
import io.throughputoptimizer.core.model.Router;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The parts that a model's layers are made of, chosen by its kinds of attention and feed-forward part and by
/// whether the graph is compiled.
final class DecoderBlocks {
    private final Deployment deployment;
    private final PassKind kind;
    private final PassRecorder pass;
    private final LinearLayers linears;
    private final AttentionBlock attention;

    DecoderBlocks(Deployment deployment, PassKind kind, PassRecorder pass) {
        this.deployment = deployment;
        this.kind = kind;
        this.pass = pass;
        this.linears = new LinearLayers(deployment.quantization(), pass);
        this.attention = attention();
    }

    /// Equal layers in a row.
    record Stack(LayerBlocks blocks, int layers) {}

    LinearLayers linears() {
        return linears;
    }

    /// All layers in order: one stack, or two when dense layers precede those with experts.
    List<Stack> stacks() {
        int layers = deployment.model().layers();
        return switch (deployment.model().feedForward()) {
            case FeedForwardSpec.Dense dense -> List.of(stack(dense(dense), layers));
            case FeedForwardSpec.RoutedExperts routed -> {
                int leading = routed.denseLayers(layers);
                List<Stack> stacks = new ArrayList<>();
                if (routed.leadingDense() != null && leading > 0) {
                    int width = routed.leadingDense().intermediateSize();
                    stacks.add(stack(dense(new FeedForwardSpec.Dense(width)), leading));
                }
                if (layers > leading) {
                    stacks.add(stack(routed(routed), layers - leading));
                }
                yield List.copyOf(stacks);
            }
        };
    }

    private Stack stack(FeedForwardBlock feedForward, int layers) {
        return new Stack(new LayerBlocks(attention, feedForward), layers);
    }

    private AttentionBlock attention() {
        return switch (deployment.model().attention()) {
            case AttentionSpec.GroupedQuery spec -> {
                GroupedQueryShard shard = new GroupedQueryShard(deployment, spec, linears);
                yield isCompiled()
                        ? new CompiledGroupedQueryAttention(shard, linears, pass)
                        : new EagerGroupedQueryAttention(shard, linears, pass);
            }
            case AttentionSpec.MultiHeadLatent spec -> {
                LatentShard shard = new LatentShard(deployment, spec, linears);
                yield new CompiledLatentAttention(shard, indexer(spec, shard), linears, pass);
            }
        };
    }

    private @Nullable IndexerShard indexer(AttentionSpec.MultiHeadLatent spec, LatentShard shard) {
        return spec.indexer() == null
                ? null
                : new IndexerShard(spec.indexer(), shard, deployment.model().hiddenSize(), linears);
    }

    private FeedForwardBlock dense(FeedForwardSpec.Dense spec) {
        DenseShard shard = new DenseShard(deployment, spec, linears);
        return isCompiled()
                ? new CompiledDenseFeedForward(shard, linears, pass)
                : new EagerDenseFeedForward(shard, new EagerLinear(linears, pass), pass);
    }

    private FeedForwardBlock routed(FeedForwardSpec.RoutedExperts spec) {
        ExpertShard shard = new ExpertShard(deployment, spec, linears, requireNonNull(kind.experts()));
        ExpertNetworks experts = isCompiled()
                ? new CompiledExperts(shard, linears, pass)
                : new EagerExperts(shard, new EagerLinear(linears, pass), pass);
        SharedExpert shared = shard.hasSharedExpert() ? new SharedExpert(shard, linears, pass) : null;
        return new RoutedExperts(shard, gate(spec.routing().router(), shard), experts, shared, pass);
    }

    private ExpertGate gate(Router router, ExpertShard shard) {
        GateOperators operators = new GateOperators(shard, pass);
        return switch (router) {
            case Router.Softmax _ -> isCompiled() ? new SoftmaxGate(operators) : new EagerSoftmaxGate(operators);
            case Router.Sigmoid _ -> new SigmoidGate(operators);
            case Router.RawLogits _ -> new RawLogitsGate(operators);
            case Router.GroupLimited limited -> new GroupLimitedGate(limited, operators);
        };
    }

    GraphStyle graph() {
        return isCompiled()
                ? new CompiledGraph(
                        linears, pass, linears.fusesWithNorm(deployment.model().rmsNormEpsilon()))
                : new EagerGraph(pass);
    }

    private boolean isCompiled() {
        return deployment.execution().compiled();
    }
}

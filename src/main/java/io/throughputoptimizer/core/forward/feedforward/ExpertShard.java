package io.throughputoptimizer.core.forward.feedforward;

import static java.util.Objects.requireNonNull;

import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.deployment.ParallelLayout.ExpertLayout;
import io.throughputoptimizer.core.deployment.PassAccounting;
import io.throughputoptimizer.core.forward.layer.LinearLayers;
import io.throughputoptimizer.core.forward.layer.LinearWeight;
import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.model.FeedForwardSpec;
import io.throughputoptimizer.core.model.GatedActivation;
import io.throughputoptimizer.core.model.Router;
import io.throughputoptimizer.core.operator.Form;
import io.throughputoptimizer.core.operator.ProcessGroup;
import io.throughputoptimizer.core.operator.Tensor;
import org.jspecify.annotations.Nullable;

/// One rank's share of the routed experts of a layer, the same for compiled and eager graphs.
///
/// With `D` devices the grid of experts is `[moeDp][ep][moeTp]`, the last fastest. Each rank owns
/// `ceil(E / ep)` experts, each cut to `ceil(I / moeTp)` of its width.
final class ExpertShard {
    private final FeedForwardSpec.RoutedExperts spec;
    private final ExpertLayout layout;
    private final long hiddenSize;
    private final long vocabularySize;
    private final PassAccounting accounting;
    private final int tp;
    private final int dp;
    private final LinearLayers linears;
    private final @Nullable DenseShard splitShared;
    private final ExpertSplit split;
    private final ExpertKind kind;

    /// @param kind kind of the passes to record
    ExpertShard(Deployment deployment, FeedForwardSpec.RoutedExperts spec, LinearLayers linears, ExpertKind kind) {
        this.split = ExpertSplit.of(deployment, spec);
        this.kind = kind;
        this.spec = spec;
        this.layout = requireNonNull(deployment.layout().experts());
        this.hiddenSize = deployment.model().hiddenSize();
        this.vocabularySize = deployment.model().vocabularySize();
        this.accounting = deployment.execution().accounting();
        this.tp = deployment.layout().tp();
        this.dp = deployment.layout().dp();
        this.linears = linears;
        boolean splits = spec.besideDense() || deployment.execution().splitsSharedExperts();
        this.splitShared = splits && spec.sharedWidth() > 0
                ? new DenseShard(
                        deployment, new FeedForwardSpec.Dense(spec.sharedWidth(), spec.sharedActivation()), linears)
                : null;
    }

    ExpertSplit.Path path() {
        return split.path();
    }

    boolean hasExpertParallelism() {
        return split.hasExpertParallelism();
    }

    boolean reshards() {
        return split.reshards();
    }

    ExpertKind kind() {
        return kind;
    }

    /// @param tokens tokens of this rank
    ExpertLoad load(Form tokens) {
        return new ExpertLoad(tokens, split, kind);
    }

    long hiddenSize() {
        return hiddenSize;
    }

    long experts() {
        return spec.routing().experts();
    }

    long expertsPerToken() {
        return spec.routing().expertsPerToken();
    }

    /// Width of an expert on this rank.
    long width() {
        return Math.ceilDiv(spec.expertWidth(), layout.moeTp());
    }

    long sharedWidth() {
        return spec.sharedWidth();
    }

    /// Returns whether one number per token gates the result of the shared network.
    boolean gatesShared() {
        return spec.sharedGate();
    }

    /// Returns the activation that joins gate and up in experts.
    GatedActivation activation() {
        return spec.activation();
    }

    /// New weight of that gate, `[h, 1]`.
    LinearWeight sharedGate() {
        return linears.weight(hiddenSize, 1);
    }

    /// Returns the activation that joins gate and up in the shared network.
    GatedActivation sharedActivation() {
        return spec.sharedActivation();
    }

    /// New table of the experts of each token of the vocabulary, `[V, k]`.
    Tensor expertTable() {
        return Tensor.of(DataType.INT32, vocabularySize, expertsPerToken());
    }

    /// Returns whether a look-up in the expert table reads only the rows it needs.
    boolean readsRows() {
        return accounting == PassAccounting.STEADY;
    }

    boolean hasSharedExpert() {
        return spec.sharedWidth() > 0;
    }

    int tensorParallel() {
        return tp;
    }

    ProcessGroup tensorParallelGroup() {
        return ProcessGroup.contiguous(tp);
    }

    ProcessGroup dataParallelGroup() {
        return new ProcessGroup(dp, tp);
    }

    ProcessGroup expertParallelGroup() {
        return new ProcessGroup(layout.ep(), layout.moeTp());
    }

    ProcessGroup expertTensorParallelGroup() {
        return ProcessGroup.contiguous(layout.moeTp());
    }

    /// New weights of one expert.
    DenseShard.Weights expertWeights() {
        return weights(width(), linears.ofExperts());
    }

    /// This rank's part of the network that every token visits; absent where each rank has all of it.
    @Nullable
    DenseShard splitShared() {
        return splitShared;
    }

    /// New weights of the network that every token visits, or of this rank's part of it.
    DenseShard.Weights sharedWeights() {
        return splitShared == null ? weights(sharedWidth(), linears) : splitShared.weights();
    }

    private DenseShard.Weights weights(long width, LinearLayers layers) {
        return new DenseShard.Weights(
                layers.weight(hiddenSize, width),
                layers.weight(hiddenSize, width),
                layers.weight(width, hiddenSize),
                null);
    }

    /// Experts, gate with its bias, and the shared network of one layer.
    double weightBytes() {
        long local = Math.ceilDiv(experts(), layout.ep());
        double shared = hasSharedExpert() ? sharedWeights().bytes() : 0;
        double gate = gatesShared() ? sharedGate().bytes() : 0;
        return local * expertWeights().bytes()
                + shared
                + gate
                + gateType().bytes((double) experts() * hiddenSize)
                + biasBytes() * experts()
                + DataType.FLOAT16.bytes(gateScales() + spec.normParameters(hiddenSize))
                + tableBytes();
    }

    /// Numbers that a gate multiplies by: one for each element of a token, and one for each expert.
    private double gateScales() {
        return spec.routing().router() instanceof Router.NormedSoftmax ? hiddenSize + experts() : 0;
    }

    private DataType gateType() {
        return spec.routing().router() instanceof Router.CorrectedSoftmax ? DataType.FLOAT32 : DataType.FLOAT16;
    }

    private double biasBytes() {
        return switch (spec.routing().router()) {
            case Router.Softmax _, Router.NormedSoftmax _, Router.Sigmoid _ -> 0;
            case Router.FusedSigmoid _ -> DataType.FLOAT16.bytes(1);
            case Router.RawLogits raw -> raw.biasBytes();
            case Router.GroupLimited limited -> limited.biasBytes();
            case Router.CorrectedSoftmax _ -> DataType.FLOAT32.bytes(1);
            case Router.SquareRoot _ -> DataType.FLOAT16.bytes(1);
        };
    }

    private double tableBytes() {
        return spec.routing().router() instanceof Router.SquareRoot root && root.hashed()
                ? expertTable().bytes().number()
                : 0;
    }
}

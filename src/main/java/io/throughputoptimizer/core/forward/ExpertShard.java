package io.throughputoptimizer.core.forward;

import static java.util.Objects.requireNonNull;

import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.deployment.ParallelLayout.ExpertLayout;
import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.model.FeedForwardSpec;
import io.throughputoptimizer.core.model.Router;
import io.throughputoptimizer.core.operator.ProcessGroup;

/// One rank's share of the routed experts of a layer, the same for compiled and eager graphs.
///
/// With `D` devices the grid of experts is `[moeDp][ep][moeTp]`, the last fastest. Each rank owns
/// `ceil(E / ep)` experts, each cut to `ceil(I / moeTp)` of its width.
final class ExpertShard {
    private final FeedForwardSpec.RoutedExperts spec;
    private final ExpertLayout layout;
    private final long hiddenSize;
    private final int tp;
    private final int dp;
    private final LinearLayers linears;

    ExpertShard(Deployment deployment, FeedForwardSpec.RoutedExperts spec, LinearLayers linears) {
        this.spec = spec;
        this.layout = requireNonNull(deployment.layout().experts());
        this.hiddenSize = deployment.model().hiddenSize();
        this.tp = deployment.layout().tp();
        this.dp = deployment.layout().dp();
        this.linears = linears;
    }

    /// How tokens reach the experts.
    enum Path {
        /// Each rank works on its own tokens.
        DIRECT,
        /// The tensor parallel ranks, which all hold the same tokens, take a part each.
        SLICED,
        /// Without expert parallelism, every rank works on the tokens of all data parallel ranks.
        GATHERED
    }

    Path path() {
        if (hasExpertParallelism()) {
            return dp == layout.ep() ? Path.DIRECT : Path.SLICED;
        }
        return dp == 1 ? Path.DIRECT : Path.GATHERED;
    }

    boolean hasExpertParallelism() {
        return layout.ep() > 1;
    }

    /// Whether every projection of an expert moves its tokens between the tensor parallel group and that of the
    /// experts, because the two differ.
    boolean reshards() {
        return hasExpertParallelism() && layout.moeTp() > 1 && layout.moeTp() != tp;
    }

    ExpertLoad load(long tokens) {
        return ExpertLoad.of(tokens, spec.routing(), layout, hasExpertParallelism() ? tp : layout.moeTp());
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
        return weights(width());
    }

    /// New weights of the network that every token visits.
    DenseShard.Weights sharedWeights() {
        return weights(sharedWidth());
    }

    private DenseShard.Weights weights(long width) {
        return new DenseShard.Weights(
                linears.weight(hiddenSize, width),
                linears.weight(hiddenSize, width),
                linears.weight(width, hiddenSize));
    }

    /// Experts, gate with its bias, and the shared network of one layer.
    double weightBytes() {
        long local = Math.ceilDiv(experts(), layout.ep());
        double shared = hasSharedExpert() ? sharedWeights().bytes() : 0;
        return local * expertWeights().bytes()
                + shared
                + DataType.FLOAT16.bytes((double) experts() * hiddenSize)
                + biasBytes() * experts();
    }

    private double biasBytes() {
        return switch (spec.routing().router()) {
            case Router.Softmax _, Router.Sigmoid _ -> 0;
            case Router.RawLogits raw -> raw.biasBytes();
            case Router.GroupLimited _ -> DataType.FLOAT32.bytes(1);
        };
    }
}

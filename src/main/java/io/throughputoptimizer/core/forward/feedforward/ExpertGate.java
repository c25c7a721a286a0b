package io.throughputoptimizer.core.forward.feedforward;

import static java.util.Objects.requireNonNull;

import io.throughputoptimizer.core.forward.layer.LayerNorms;
import io.throughputoptimizer.core.model.Router;
import io.throughputoptimizer.core.operator.Elementwise.Kind;
import io.throughputoptimizer.core.operator.Tensor;

/// The router of a layer: which experts each token visits, and with what weight.
interface ExpertGate {
    /// @param norms norms of the graph's layers
    static ExpertGate of(Router router, LayerNorms norms, GateOperators operators) {
        boolean compiled = norms.areCompiled();
        return switch (router) {
            case Router.Softmax _ -> compiled ? new SoftmaxGate(operators) : new EagerSoftmaxGate(operators);
            case Router.NormedSoftmax _ -> new NormedSoftmaxGate(norms, operators);
            case Router.CorrectedSoftmax _ -> new CorrectedSoftmaxGate(compiled, operators);
            case Router.Sigmoid _ -> new SigmoidGate(operators);
            case Router.FusedSigmoid _ -> new FusedSigmoidGate(operators, compiled ? Kind.CONVERT : Kind.CAST);
            case Router.RawLogits raw ->
                compiled ? new RawLogitsGate(operators) : new EagerRawLogitsGate(requireNonNull(raw.own()), operators);
            case Router.SquareRoot root -> new SquareRootGate(root.hashed(), compiled, operators);
            case Router.GroupLimited limited -> new GroupLimitedGate(limited, compiled, operators);
        };
    }

    /// Writes down one layer's routing.
    ///
    /// @param hidden `[1, N, h]`, before the rank takes its share
    Routed route(Tensor hidden, TokenShare share);

    /// @param tokens the rank's share, `[n, h]` or `[1, N, h]`
    /// @param weights `[n, k]`
    /// @param indices `[n, k]`, int64
    record Routed(Tensor tokens, Tensor weights, Tensor indices) {}
}

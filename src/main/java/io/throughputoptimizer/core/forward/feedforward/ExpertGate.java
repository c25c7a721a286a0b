package io.throughputoptimizer.core.forward.feedforward;

import static java.util.Objects.requireNonNull;

import io.throughputoptimizer.core.forward.layer.LayerNorms;
import io.throughputoptimizer.core.forward.pass.PassRecorder;
import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.model.Router;
import io.throughputoptimizer.core.operator.Elementwise.Kind;
import io.throughputoptimizer.core.operator.InPlaceDivide;
import io.throughputoptimizer.core.operator.Tensor;
import io.throughputoptimizer.core.operator.experts.TopK;

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

    /// Router of Qwen3-MoE in a compiled graph: softmax in single steps in float32, the best experts, normalized.
    static final class SoftmaxGate implements ExpertGate {
        private final GateOperators gate;

        SoftmaxGate(GateOperators gate) {
            this.gate = gate;
        }

        @Override
        public Routed route(Tensor hidden, TokenShare share) {
            Tensor taken = share.enter(hidden);
            Tensor scores = gate.convert(gate.scores(gate.rows(taken)), DataType.FLOAT32);
            TopK best = gate.bestExperts(TopK.Kind.PLAIN, gate.softmax(scores));
            Tensor weights = gate.convert(gate.normalize(best.values()), DataType.FLOAT16);
            return new Routed(taken, weights, best.indices());
        }
    }

    /// Router of MiniMax in a compiled graph: the best experts by corrected sigmoid, weights in float32.
    static final class SigmoidGate implements ExpertGate {
        private final GateOperators gate;

        SigmoidGate(GateOperators gate) {
            this.gate = gate;
        }

        @Override
        public Routed route(Tensor hidden, TokenShare share) {
            Tensor taken = share.enter(hidden);
            Tensor scores = gate.sigmoid(gate.convert(gate.scores(gate.rows(taken)), DataType.FLOAT32));
            Tensor corrected = gate.correct(scores, Tensor.half(scores.last()));
            Tensor indices = gate.bestExperts(TopK.Kind.PLAIN, corrected).indices();
            return new Routed(taken, gate.normalize(gate.gather(scores, indices)), indices);
        }
    }

    /// Router of MiniMax-M3: sigmoid, correction, choice and normalization in one operator, in float32.
    ///
    /// @param conversion between types, as the graph calls it
    record FusedSigmoidGate(GateOperators gate, Kind conversion) implements ExpertGate {
        @Override
        public Routed route(Tensor hidden, TokenShare share) {
            Tensor taken = share.enter(hidden);
            Tensor scores = convert(gate.scores(gate.rows(taken)), DataType.FLOAT32);
            Tensor bias = Tensor.half(scores.last());
            TopK best = gate.bestExperts(TopK.Kind.SIGMOID, scores, bias);
            return new Routed(taken, convert(best.values(), DataType.FLOAT16), best.indices());
        }

        private Tensor convert(Tensor input, DataType type) {
            return gate.pass().elementwise(conversion, input.as(type), input);
        }
    }

    /// Router of Qwen3-MoE in an eager graph: softmax in one operator in float32, the best experts, normalized in
    /// place.
    static final class EagerSoftmaxGate implements ExpertGate {
        private final GateOperators gate;
        private final PassRecorder pass;

        EagerSoftmaxGate(GateOperators gate) {
            this.gate = gate;
            this.pass = gate.pass();
        }

        @Override
        public Routed route(Tensor hidden, TokenShare share) {
            Tensor taken = share.enter(hidden);
            Tensor rows = taken.rank() == 2 ? pass.firstRows(taken, taken.size(0)) : pass.flatten(taken);
            Tensor scores = cast(gate.scores(rows), DataType.FLOAT32);
            Tensor chances = pass.elementwise(Kind.SOFTMAX, scores.sameShape(), scores);
            TopK best = gate.bestExperts(TopK.Kind.PLAIN, chances);
            pass.addEffect(new InPlaceDivide(best.values(), gate.rowSum(best.values())));
            Tensor weights = cast(best.values(), DataType.FLOAT16);
            return new Routed(taken, weights, best.indices());
        }

        private Tensor cast(Tensor input, DataType type) {
            return pass.elementwise(Kind.CAST, input.as(type), input);
        }
    }

    /// Router of ERNIE-4.5: softmax in float32, in single steps when compiled, the best experts by corrected scores,
    /// normalized by a sum that is bounded from below.
    static final class CorrectedSoftmaxGate implements ExpertGate {
        private final boolean compiled;
        private final GateOperators gate;
        private final PassRecorder pass;

        CorrectedSoftmaxGate(boolean compiled, GateOperators gate) {
            this.compiled = compiled;
            this.gate = gate;
            this.pass = gate.pass();
        }

        @Override
        public Routed route(Tensor hidden, TokenShare share) {
            Tensor taken = share.enter(hidden);
            Tensor scores = gate.scores(cast(gate.rows(taken), DataType.FLOAT32));
            Tensor chances =
                    compiled ? gate.softmax(scores) : pass.elementwise(Kind.SOFTMAX, scores.sameShape(), scores);
            Tensor corrected = gate.correct(chances, Tensor.of(DataType.FLOAT32, scores.last()));
            Tensor indices = gate.bestExperts(TopK.Kind.PLAIN, corrected).indices();
            Tensor weights = gate.gather(chances, indices);
            Tensor sum = gate.rowSum(weights);
            Tensor bounded = pass.elementwise(compiled ? Kind.CLAMP_MINIMUM : Kind.CLAMP, sum.sameShape(), sum);
            return new Routed(taken, cast(gate.divide(weights, bounded), DataType.FLOAT16), indices);
        }

        private Tensor cast(Tensor input, DataType type) {
            return pass.elementwise(compiled ? Kind.CONVERT : Kind.CAST, input.as(type), input);
        }
    }
}

package io.throughputoptimizer.core.forward.feedforward;

import io.throughputoptimizer.core.forward.layer.LayerScales;
import io.throughputoptimizer.core.forward.layer.LinearLayers;
import io.throughputoptimizer.core.forward.pass.PassRecorder;
import io.throughputoptimizer.core.operator.Elementwise.Kind;
import io.throughputoptimizer.core.operator.Form;
import io.throughputoptimizer.core.operator.ProcessGroup;
import io.throughputoptimizer.core.operator.Tensor;
import java.util.List;

/// A single expert: the path of all experts of a rank as soon as one of them needs padding.
///
/// @param pass recorder of operators
record SingleExpert(ExpertShard shard, LinearLayers linears, PassRecorder pass) {

    /// @param rows tokens of the expert `[M, h]`
    /// @param units `M` in units of the padding
    /// @return `[M, h]`
    Tensor apply(Tensor rows, Form units, LayerScales scales) {
        DenseShard.Weights weights = shard.expertWeights();
        return shard.reshards() ? resharded(rows, units, weights, scales) : direct(rows, weights, scales);
    }

    private Tensor direct(Tensor rows, DenseShard.Weights weights, LayerScales scales) {
        Tensor merged = linears.apply(linears.quantize(rows, scales), List.of(weights.gate(), weights.up()), scales);
        List<Tensor> parts = pass.split(merged, shard.width(), shard.width());
        Tensor inner = activate(parts.get(0), parts.get(1));
        Tensor down = linears.apply(linears.quantize(inner, scales), List.of(weights.down()), scales);
        return pass.allReduce(down, shard.expertTensorParallelGroup());
    }

    /// Every projection takes the tokens of all ranks that share the expert and gives back those of the tensor
    /// parallel group.
    private Tensor resharded(Tensor rows, Form taken, DenseShard.Weights weights, LayerScales scales) {
        ProcessGroup expertGroup = shard.expertTensorParallelGroup();
        ProcessGroup group = shard.tensorParallelGroup();
        Tensor gathered = pass.allGatherRows(pass.firstRows(rows, taken), expertGroup);
        Tensor merged =
                linears.apply(linears.quantize(gathered, scales), List.of(weights.gate(), weights.up()), scales);
        List<Tensor> parts = pass.split(merged, shard.width(), shard.width());
        Tensor gate = regather(parts.get(0), taken);
        Tensor up = regather(parts.get(1), taken);
        Tensor own = pass.allGatherRows(pass.firstRows(activate(gate, up), taken), expertGroup);
        Tensor slice = pass.view(own, own.size(0), shard.width());
        Tensor inner = pass.elementwise(Kind.COPY, slice.sameShape(), slice, slice.sameShape());
        Tensor down = linears.apply(linears.quantize(inner, scales), List.of(weights.down()), scales);
        Tensor summed = pass.allReduce(down, expertGroup);
        return pass.allGatherRows(pass.firstRows(summed, taken), group);
    }

    /// A projection's columns of all ranks that share the expert, then the rows of the tensor parallel group.
    private Tensor regather(Tensor part, Form taken) {
        Tensor columns = pass.allGather(part, shard.expertTensorParallelGroup());
        return pass.allGatherRows(pass.firstRows(columns, taken), shard.tensorParallelGroup());
    }

    private Tensor activate(Tensor gate, Tensor up) {
        return Gating.join(shard.activation(), gate, up, pass);
    }
}

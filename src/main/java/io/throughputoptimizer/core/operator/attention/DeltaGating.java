package io.throughputoptimizer.core.operator.attention;

import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.operator.DeviceOperator;
import io.throughputoptimizer.core.operator.Form;
import io.throughputoptimizer.core.operator.OperatorWork;
import io.throughputoptimizer.core.operator.Tensor;
import java.util.List;

/// Decay and step size of each value head, with queries and keys widened to the value heads and normalized.
///
/// Reads queries and keys of the key heads, the two raw gates `[S, hv]` and two vectors of all value heads, of which a
/// rank uses its own; writes queries and keys of the value heads, the step sizes in float16 and the decays in float32.
/// `4 S hv` general operations in float16, `hv + 7 S hv` in float32.
///
/// @param narrow queries and keys, `[S, hk d]` each
/// @param gates `[S, hv]` each
/// @param vectors of all value heads, each rank's and the others'
/// @param wide queries and keys, `[S, hv, d]` each
/// @param stepSizes `[S, hv]`
/// @param decays `[S, hv]`, float32
public record DeltaGating(
        List<Tensor> narrow,
        List<Tensor> gates,
        List<Tensor> vectors,
        List<Tensor> wide,
        Tensor stepSizes,
        Tensor decays)
        implements DeviceOperator {
    public DeltaGating {
        narrow = List.copyOf(narrow);
        gates = List.copyOf(gates);
        vectors = List.copyOf(vectors);
        wide = List.copyOf(wide);
    }

    @Override
    public String name() {
        return "tensor_cast.linear_attn_fused_gdn_gating.default";
    }

    @Override
    public List<Tensor> inputs() {
        return List.of(narrow.get(0), narrow.get(1), gates.get(0), gates.get(1), vectors.get(0), vectors.get(1));
    }

    @Override
    public List<Tensor> outputs() {
        return List.of(wide.get(0), wide.get(1), stepSizes, decays);
    }

    @Override
    public OperatorWork work() {
        Form heads = Form.of(stepSizes.last());
        Form operands = OperatorWork.totalBytes(narrow).plus(OperatorWork.totalBytes(gates));
        Form own = Tensor.bytes(vectors.getFirst().type(), heads.times(vectors.size()));
        return OperatorWork.memory(operands.plus(own), OperatorWork.totalBytes(outputs()))
                .withGeneral(DataType.FLOAT16, stepSizes.elements().times(4))
                .withGeneral(DataType.FLOAT32, heads.plus(stepSizes.elements().times(7)));
    }
}

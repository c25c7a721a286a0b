package io.throughputoptimizer.core.kernels;

import io.throughputoptimizer.core.kernels.calibration.KernelClass;
import io.throughputoptimizer.core.kernels.calibration.ProductType;
import io.throughputoptimizer.core.kernels.operator.StateHeads;
import io.throughputoptimizer.core.model.AttentionSpec;

/// Layers of the gated delta rule whose channels decay each at its own rate (Kimi delta attention).
record ChannelDeltaLayers(CalibratedDeployment deployment, AttentionSpec.GatedDelta attention, int layers)
        implements AttentionLayers {
    private static final RecurrentOperators OPERATORS = new RecurrentOperators(
            "kda",
            KernelClass.KDA_CONV_PREFILL,
            KernelClass.KDA_SCAN,
            KernelClass.KDA_CONV_DECODE,
            KernelClass.KDA_UPDATE);

    @Override
    public void write(PassBuilder pass) {
        ProductType type = deployment.precision().scheme().attention();
        double hidden = deployment.model().hiddenSize();
        double width = width();
        pass.quantise("quantise_kda", layers, type, hidden);
        if (attention.gatesNarrowly()) {
            pass.linear("kda_qkv", layers, type, 3 * width, hidden);
            pass.linear("kda_gates", layers, type, heads().value() + 2 * attention.size(), hidden);
            pass.linear("kda_output_gate", layers, type, width, attention.size());
        } else {
            pass.linear("kda_qkvg", layers, type, 4 * width, hidden);
            pass.linear("kda_gates", layers, type, gates(), hidden);
        }
        pass.linear("kda_forget", layers, type, width, attention.size());
        OPERATORS.write(pass, layers, heads(), 3 * width, deployment.precision().state());
        pass.move("kda_norm", layers, 6 * width);
        pass.quantise("quantise_kda_out", layers, type, width);
        pass.linear("kda_out", layers, type, hidden, width);
    }

    @Override
    public RequestBytes requestBytes() {
        return RecurrentOperators.requestBytes(
                layers,
                heads(),
                3 * width(),
                attention.kernel(),
                deployment.precision().state());
    }

    /// Returns the width of the decay and write-strength gates, on every rank for all heads.
    private double gates() {
        return attention.valueHeads() + attention.size();
    }

    private StateHeads heads() {
        double heads = (double) attention.valueHeads() / deployment.layout().tp();
        return new StateHeads(heads, heads, attention.size(), attention.size());
    }

    private double width() {
        return heads().value() * attention.size();
    }
}

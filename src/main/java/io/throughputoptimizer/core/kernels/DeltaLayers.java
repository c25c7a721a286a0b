package io.throughputoptimizer.core.kernels;

import io.throughputoptimizer.core.kernels.calibration.KernelClass;
import io.throughputoptimizer.core.kernels.calibration.ProductType;
import io.throughputoptimizer.core.kernels.operator.StateHeads;
import io.throughputoptimizer.core.model.AttentionSpec;

/// Layers of the gated delta rule whose heads decay as a whole.
record DeltaLayers(CalibratedDeployment deployment, AttentionSpec.GatedDelta attention, int layers)
        implements AttentionLayers {
    private static final RecurrentOperators OPERATORS = new RecurrentOperators(
            "gdn",
            KernelClass.GDN_CONV_PREFILL,
            KernelClass.GDN_SCAN,
            KernelClass.GDN_CONV_DECODE,
            KernelClass.GDN_UPDATE);

    @Override
    public void write(PassBuilder pass) {
        StateHeads heads = heads();
        ProductType type = deployment.precision().scheme().attention();
        double hidden = deployment.model().hiddenSize();
        pass.quantise("quantise_gdn", layers, type, hidden);
        pass.linear("gdn_in", layers, type, projected(), hidden);
        pass.linear("gdn_ba", layers, ProductType.BFLOAT16, 2 * heads.value(), hidden);
        OPERATORS.write(pass, layers, heads, channels(), deployment.precision().state());
        pass.move("gdn_gate_norm", layers, 6 * width());
        pass.quantise("quantise_gdn_out", layers, type, width());
        pass.linear("gdn_out", layers, type, hidden, width());
    }

    @Override
    public RequestBytes requestBytes() {
        return RecurrentOperators.requestBytes(
                layers,
                heads(),
                channels(),
                attention.kernel(),
                deployment.precision().state());
    }

    private StateHeads heads() {
        double tp = deployment.layout().tp();
        return new StateHeads(
                attention.keyHeads() / tp, attention.valueHeads() / tp, attention.size(), attention.size());
    }

    /// Returns the combined width of queries, keys, values and gates.
    private double projected() {
        return channels() + width();
    }

    private double channels() {
        return 2 * heads().key() * attention.size() + width();
    }

    private double width() {
        return heads().value() * attention.size();
    }
}

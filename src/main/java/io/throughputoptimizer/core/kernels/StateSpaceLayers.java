package io.throughputoptimizer.core.kernels;

import io.throughputoptimizer.core.kernels.calibration.KernelClass;
import io.throughputoptimizer.core.kernels.calibration.ProductType;
import io.throughputoptimizer.core.kernels.operator.StateHeads;
import io.throughputoptimizer.core.model.HybridSpec;

/// Layers of Mamba2.
record StateSpaceLayers(CalibratedDeployment deployment, HybridSpec.StateSpace space, int layers)
        implements AttentionLayers {

    @Override
    public void write(PassBuilder pass) {
        ProductType type = deployment.precision().scheme().attention();
        double hidden = deployment.model().hiddenSize();
        double width = width();
        pass.quantise("quantise_mamba", layers, type, hidden);
        pass.linear("mamba_in", layers, type, channels() + width + heads().value(), hidden);
        new RecurrentOperators(
                        "mamba",
                        KernelClass.MAMBA2_CONV_PREFILL,
                        KernelClass.MAMBA2_SCAN,
                        KernelClass.MAMBA2_CONV_DECODE,
                        KernelClass.GDN_UPDATE,
                        space.chunk())
                .write(pass, layers, heads(), channels(), deployment.precision().state());
        pass.move("mamba_norm", layers, 6 * width);
        pass.quantise("quantise_mamba_out", layers, type, width);
        pass.linear("mamba_out", layers, type, hidden, width);
    }

    @Override
    public RequestBytes requestBytes() {
        return RecurrentOperators.requestBytes(
                layers,
                heads(),
                channels(),
                space.kernel(),
                deployment.precision().state());
    }

    /// Returns the heads of a rank; groups are replicated if there are fewer of them than ranks.
    private StateHeads heads() {
        double tp = deployment.layout().tp();
        return new StateHeads(
                Math.max(space.groups() / tp, 1), space.heads() / tp, space.stateSize(), space.headSize());
    }

    private double width() {
        return heads().value() * space.headSize();
    }

    private double channels() {
        return width() + 2 * heads().key() * space.stateSize();
    }
}

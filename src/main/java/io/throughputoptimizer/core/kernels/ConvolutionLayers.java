package io.throughputoptimizer.core.kernels;

import io.throughputoptimizer.core.kernels.calibration.Basis;
import io.throughputoptimizer.core.kernels.calibration.KernelClass;
import io.throughputoptimizer.core.kernels.calibration.KernelUse;
import io.throughputoptimizer.core.kernels.calibration.ProductType;
import io.throughputoptimizer.core.model.HybridSpec;

/// Layers of a short convolution between two gates. Its kernel was measured with four taps.
record ConvolutionLayers(CalibratedDeployment deployment, HybridSpec.ShortConvolution convolution, int layers)
        implements AttentionLayers {
    private static final RecurrentOperators.Convolution OPERATOR = new RecurrentOperators.Convolution(
            "short_conv", KernelClass.MAMBA2_CONV_PREFILL, KernelClass.MAMBA2_CONV_DECODE);

    @Override
    public void write(PassBuilder pass) {
        ProductType type = deployment.precision().scheme().attention();
        double hidden = deployment.model().hiddenSize();
        double width = width();
        pass.quantise("quantise_conv", layers, type, hidden);
        pass.linear("conv_in", layers, type, 3 * width, hidden);
        pass.move("conv_gates", layers, 12 * width);
        pass.note(new KernelUse("short_conv", "width", Basis.SPECIAL));
        OPERATOR.write(pass, layers, width);
        pass.quantise("quantise_conv_out", layers, type, width);
        pass.linear("conv_out", layers, type, hidden, width);
    }

    @Override
    public RequestBytes requestBytes() {
        double window = width() * (convolution.kernel() - 1) * PassBuilder.ACTIVATION_BYTES;
        return new RequestBytes(0, layers * window, 0, 0);
    }

    private double width() {
        return (double) deployment.model().hiddenSize() / deployment.layout().tp();
    }
}

package io.throughputoptimizer.core.kernels.calibration;

/// A kernel as it is used: its class and type, and what its price is based on.
///
/// @param kernel label of its class, or of a property of the model that no measured kernel has
/// @param type such as `fp8_block` or `gqa/kv_bf16`
public record KernelUse(String kernel, String type, Basis basis) {
    public KernelUse(KernelClass kernel, String type, Basis basis) {
        this(kernel.label(), type, basis);
    }

    /// Returns the same use on another basis.
    public KernelUse on(Basis other) {
        return new KernelUse(kernel, type, other);
    }

    @Override
    public String toString() {
        return kernel + "/" + type + ": " + basis.label();
    }
}

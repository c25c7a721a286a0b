package io.throughputoptimizer.core.kernels.calibration;

/// A kernel as it is used: its class and type, and what its price is based on.
///
/// @param type such as `fp8_block` or `gqa/kv_bf16`
public record KernelUse(KernelClass kernel, String type, Basis basis) {
    @Override
    public String toString() {
        return kernel.label() + "/" + type + ": " + basis.label();
    }
}

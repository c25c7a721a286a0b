package io.throughputoptimizer.core.kernels;

import java.util.Locale;

/// Classes of operators in the time breakdown of a pass.
public enum OperatorClass {
    GEMM,
    ATTENTION,
    EXPERTS,
    COMMUNICATION,
    ELEMENTWISE;

    /// Returns the name in results.
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}

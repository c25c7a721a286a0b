package io.throughputoptimizer.core.silicon;

import java.util.Locale;

/// What the time of a pass is spent on.
public enum OperatorClass {
    GEMM,
    ATTENTION,
    EXPERTS,
    COMMUNICATION,
    ELEMENTWISE;

    /// Name in results.
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}

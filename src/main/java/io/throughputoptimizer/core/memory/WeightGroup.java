package io.throughputoptimizer.core.memory;

/// Modules whose weights are counted together.
public enum WeightGroup {
    EMBEDDING,
    HEAD,
    ATTENTION,
    LINEAR_ATTENTION,
    DENSE,
    EXPERTS,
    SHARED_EXPERTS,
    ROUTER,
    NORMS,
    ROPE,
    ABSORBED,
    VISION,
    DRAFTING
}

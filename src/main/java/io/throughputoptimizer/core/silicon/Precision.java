package io.throughputoptimizer.core.silicon;

/// Number formats of a deployment.
///
/// @param scheme of the weights and products
/// @param cache of the KV cache
public record Precision(Scheme scheme, CacheType cache) {
    /// A scheme with the cache that it usually has.
    public static Precision of(Scheme scheme) {
        return new Precision(scheme, scheme.defaultCache());
    }
}

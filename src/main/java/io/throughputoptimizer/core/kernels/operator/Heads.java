package io.throughputoptimizer.core.kernels.operator;

/// Attention heads of one rank.
///
/// @param query query heads, `h`
/// @param keyValue key and value heads, `g`
/// @param size elements of a head, `d`
public record Heads(double query, double keyValue, double size) {
    /// Returns whether query heads share keys and values.
    public boolean areGrouped() {
        return query > keyValue;
    }
}

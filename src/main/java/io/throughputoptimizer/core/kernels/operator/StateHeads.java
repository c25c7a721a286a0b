package io.throughputoptimizer.core.kernels.operator;

/// Heads of a recurrent attention on one rank. Each value head keeps a state of `keySize` by
/// `valueSize`.
///
/// @param key heads of queries and keys, `nk`
/// @param value heads of values, `nv`
/// @param keySize elements of a query or key, `dk`
/// @param valueSize elements of a value, `dv`
public record StateHeads(double key, double value, double keySize, double valueSize) {
    /// Elements of all states of a sequence.
    public double stateElements() {
        return value * keySize * valueSize;
    }

    /// Elements that a token brings and takes away: queries, keys, values and results.
    double tokenElements() {
        return 2 * key * keySize + 2 * value * valueSize;
    }
}

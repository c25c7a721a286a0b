package io.throughputoptimizer.core.operator;

/// Ranks that take part in a collective: `0, stride, 2 * stride, ...`, seen from rank 0, which is as slow as
/// any other.
///
/// @param size number of ranks
/// @param stride distance between neighbours
public record ProcessGroup(int size, int stride) {
    public ProcessGroup {
        if (size <= 0 || stride <= 0) {
            throw new IllegalArgumentException(
                    "size " + size + " and stride " + stride + " of a process group must be positive");
        }
    }

    /// The first `size` ranks.
    public static ProcessGroup contiguous(int size) {
        return new ProcessGroup(size, 1);
    }
}

package io.throughputoptimizer.core.kernels;

/// Element type of recurrent states.
public enum StateType {
    FLOAT32(4),
    BFLOAT16(2);

    private final double bytes;

    StateType(double bytes) {
        this.bytes = bytes;
    }

    /// Bytes of an element, `S`.
    public double bytes() {
        return bytes;
    }
}

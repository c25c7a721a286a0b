package io.throughputoptimizer.core.operator;

import io.throughputoptimizer.core.hardware.DataType;
import java.util.Arrays;
import java.util.stream.Collectors;

/// One tensor of a pass. Two tensors of the same shape are different tensors: identity is what liveness is
/// tracked by, so this is no record.
public final class Tensor {
    private final DataType type;
    private final long[] shape;
    private final double elements;

    private Tensor(DataType type, long[] shape) {
        this.type = type;
        this.shape = shape;
        double product = 1;
        for (long size : shape) {
            product *= size;
        }
        this.elements = product;
    }

    /// A tensor of `shape`; no sizes make a scalar.
    public static Tensor of(DataType type, long... shape) {
        return new Tensor(type, shape.clone());
    }

    /// A float16 tensor: the type of weights and activations that are not quantized.
    public static Tensor half(long... shape) {
        return of(DataType.FLOAT16, shape);
    }

    /// A tensor of this one's shape and another type.
    public Tensor as(DataType other) {
        return new Tensor(other, shape);
    }

    /// A new tensor of this one's shape and type.
    public Tensor sameShape() {
        return new Tensor(type, shape);
    }

    /// A new tensor of this one's type and shape, but for the last dimension.
    public Tensor withLast(long size) {
        long[] changed = shape.clone();
        changed[changed.length - 1] = size;
        return new Tensor(type, changed);
    }

    /// `count` tensors of this one's type and shape, as one.
    public Tensor stacked(long count) {
        long[] longer = new long[shape.length + 1];
        longer[0] = count;
        System.arraycopy(shape, 0, longer, 1, shape.length);
        return new Tensor(type, longer);
    }

    public DataType type() {
        return type;
    }

    public int rank() {
        return shape.length;
    }

    public long size(int dimension) {
        return shape[dimension];
    }

    /// Size of the last dimension.
    public long last() {
        return shape[shape.length - 1];
    }

    public double elements() {
        return elements;
    }

    public double bytes() {
        return type.bytes(elements);
    }

    /// Whether both have the same shape, whatever their types.
    public boolean hasShapeOf(Tensor other) {
        return Arrays.equals(shape, other.shape);
    }

    /// Shape and type, such as `[3500, 5120]:float16`.
    @Override
    public String toString() {
        return Arrays.stream(shape).mapToObj(Long::toString).collect(Collectors.joining(", ", "[", "]:"))
                + type.label();
    }
}

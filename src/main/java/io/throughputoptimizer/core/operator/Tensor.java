package io.throughputoptimizer.core.operator;

import io.throughputoptimizer.core.hardware.DataType;
import java.util.Arrays;
import java.util.stream.Collectors;

/// One tensor of a pass; its sizes are numbers, or forms over what passes differ in. Two tensors of the same shape are
/// different tensors: identity is what liveness is tracked by, so this is no record.
public final class Tensor {
    private final DataType type;
    private final Form[] shape;
    private final Form elements;
    private final Form bytes;

    private Tensor(DataType type, Form[] shape) {
        this(type, shape, product(shape));
    }

    private Tensor(DataType type, Form[] shape, Form elements) {
        this.type = type;
        this.shape = shape;
        this.elements = elements;
        this.bytes = bytes(type, elements);
    }

    private static Form product(Form[] shape) {
        Form product = Form.ONE;
        for (Form size : shape) {
            product = product.times(size);
        }
        return product;
    }

    /// A tensor of `shape`; no sizes make a scalar.
    public static Tensor of(DataType type, long... shape) {
        return new Tensor(type, forms(shape));
    }

    public static Tensor of(DataType type, Form first, long... rest) {
        return new Tensor(type, joined(new Form[] {first}, forms(rest)));
    }

    public static Tensor of(DataType type, long first, Form second, long... rest) {
        return new Tensor(type, joined(new Form[] {Form.of(first), second}, forms(rest)));
    }

    public static Tensor of(DataType type, Form first, Form second, long... rest) {
        return new Tensor(type, joined(new Form[] {first, second}, forms(rest)));
    }

    /// A float16 tensor: the type of weights and activations that are not quantized.
    public static Tensor half(long... shape) {
        return of(DataType.FLOAT16, shape);
    }

    public static Tensor half(Form first, long... rest) {
        return of(DataType.FLOAT16, first, rest);
    }

    public static Tensor half(long first, Form second, long... rest) {
        return of(DataType.FLOAT16, first, second, rest);
    }

    /// A tensor of this one's shape and another type.
    public Tensor as(DataType other) {
        return new Tensor(other, shape, elements);
    }

    /// A new tensor of this one's shape and type.
    public Tensor sameShape() {
        return new Tensor(type, shape, elements);
    }

    /// A new tensor of this one's type and shape, but for the last dimension.
    public Tensor withLast(long size) {
        return withLast(Form.of(size));
    }

    public Tensor withLast(Form size) {
        Form[] changed = shape.clone();
        changed[changed.length - 1] = size;
        return new Tensor(type, changed);
    }

    /// A new tensor of this one's type, its dimensions in another order.
    public Tensor permuted(int... dimensions) {
        return new Tensor(type, Arrays.stream(dimensions).mapToObj(this::size).toArray(Form[]::new));
    }

    /// `count` tensors of this one's type and shape, as one.
    public Tensor stacked(Form count) {
        return new Tensor(type, joined(new Form[] {count}, shape));
    }

    public DataType type() {
        return type;
    }

    public int rank() {
        return shape.length;
    }

    public Form size(int dimension) {
        return shape[dimension];
    }

    /// Size of a dimension that is the same in all passes.
    public long fixedSize(int dimension) {
        return (long) shape[dimension].number();
    }

    /// Size of the last dimension, which is the same in all passes.
    public long last() {
        return fixedSize(shape.length - 1);
    }

    public Form elements() {
        return elements;
    }

    public Form bytes() {
        return bytes;
    }

    /// Bytes of `elements` elements.
    public static Form bytes(DataType type, Form elements) {
        return elements.times(type.bytes(1));
    }

    /// Whether both have the same shape, whatever their types.
    public boolean hasShapeOf(Tensor other) {
        return Arrays.equals(shape, other.shape);
    }

    /// Shape and type in one pass, such as `[3500, 5120]:float16`.
    public String at(Quantities quantities) {
        return Arrays.stream(shape)
                        .map(size -> Long.toString((long) size.at(quantities)))
                        .collect(Collectors.joining(", ", "[", "]:"))
                + type.label();
    }

    private static Form[] forms(long... sizes) {
        Form[] forms = new Form[sizes.length];
        for (int dimension = 0; dimension < sizes.length; dimension++) {
            forms[dimension] = Form.of(sizes[dimension]);
        }
        return forms;
    }

    private static Form[] joined(Form[] first, Form[] rest) {
        Form[] all = Arrays.copyOf(first, first.length + rest.length);
        System.arraycopy(rest, 0, all, first.length, rest.length);
        return all;
    }
}

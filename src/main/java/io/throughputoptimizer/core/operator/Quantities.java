package io.throughputoptimizer.core.operator;

/// The value of each [Quantity] in one shape of a pass, 0 unless it is set. Used by one thread.
@SuppressWarnings("EnumOrdinal") // an array, because every estimate fills one
public final class Quantities {
    private static final int COUNT = Quantity.values().length;

    private final double[] values = new double[COUNT];

    public double get(Quantity quantity) {
        return values[quantity.ordinal()];
    }

    public void set(Quantity quantity, double value) {
        values[quantity.ordinal()] = value;
    }

    public void add(Quantity quantity, double value) {
        values[quantity.ordinal()] += value;
    }

    /// @param index of a quantity among all
    double get(int index) {
        return values[index];
    }
}

package io.throughputoptimizer.core.operator;

import java.util.Arrays;

/// A size that varies with the shape of a pass: a sum of products of [quantities][Quantity], each times a number, such
/// as `2 h S + 8 B + 8`. A form without quantities is a number.
///
/// Quantities and numbers are whole, or halves where elements are packed; so a form evaluates exactly, in any order,
/// as long as what it adds up is below 2^53. Immutable.
public final class Form {
    public static final Form ZERO = new Form(new long[0], new double[0]);
    public static final Form ONE = of(1);

    /// [Products][Product] in ascending order, and the number before each.
    private final long[] products;

    private final double[] coefficients;

    private Form(long[] products, double[] coefficients) {
        this.products = products;
        this.coefficients = coefficients;
    }

    public static Form of(double number) {
        return number == 0 ? ZERO : new Form(new long[] {Product.NONE}, new double[] {number});
    }

    static Form of(Quantity quantity) {
        return new Form(new long[] {Product.of(quantity)}, new double[] {1});
    }

    public boolean isNumber() {
        return products.length == 0 || (products.length == 1 && products[0] == Product.NONE);
    }

    /// This form as the number that it is.
    ///
    /// @throws IllegalStateException when it varies
    public double number() {
        if (!isNumber()) {
            throw new IllegalStateException(this + " varies with the shape of a pass: a number is needed");
        }
        return products.length == 0 ? 0 : coefficients[0];
    }

    public Form plus(Form other) {
        if (products.length == 0) {
            return other;
        }
        return other.products.length == 0 ? this : merged(other, 1);
    }

    public Form plus(double number) {
        return plus(of(number));
    }

    public Form minus(Form other) {
        return other.products.length == 0 ? this : merged(other, -1);
    }

    private Form merged(Form other, double sign) {
        return Arrays.equals(products, other.products) ? addedTermByTerm(other, sign) : mergedTerms(other, sign);
    }

    /// The sum with a form of the same products.
    private Form addedTermByTerm(Form other, double sign) {
        double[] sums = new double[coefficients.length];
        for (int term = 0; term < sums.length; term++) {
            sums[term] = coefficients[term] + sign * other.coefficients[term];
            if (sums[term] == 0) {
                return mergedTerms(other, sign);
            }
        }
        return new Form(products, sums);
    }

    private Form mergedTerms(Form other, double sign) {
        long[] keys = new long[products.length + other.products.length];
        double[] values = new double[keys.length];
        int count = 0;
        int left = 0;
        int right = 0;
        while (left < products.length || right < other.products.length) {
            boolean fromLeft = isNext(left, other, right);
            boolean fromRight = other.isNext(right, this, left);
            keys[count] = fromLeft ? products[left] : other.products[right];
            values[count] =
                    (fromLeft ? coefficients[left++] : 0) + (fromRight ? sign * other.coefficients[right++] : 0);
            count += values[count] == 0 ? 0 : 1;
        }
        return count == keys.length
                ? new Form(keys, values)
                : new Form(Arrays.copyOf(keys, count), Arrays.copyOf(values, count));
    }

    /// Whether a term of this form comes before one of the other, or has the same product.
    private boolean isNext(int term, Form other, int otherTerm) {
        return term < products.length
                && (otherTerm == other.products.length || products[term] <= other.products[otherTerm]);
    }

    public Form times(double factor) {
        if (factor == 1) {
            return this;
        }
        if (factor == 0) {
            return ZERO;
        }
        double[] scaled = coefficients.clone();
        for (int term = 0; term < scaled.length; term++) {
            scaled[term] *= factor;
        }
        return new Form(products, scaled);
    }

    public Form times(Form other) {
        if (other.isNumber()) {
            return times(other.number());
        }
        if (isNumber()) {
            return other.times(number());
        }
        Form sum = ZERO;
        for (int term = 0; term < products.length; term++) {
            sum = sum.plus(other.times(products[term], coefficients[term]));
        }
        return sum;
    }

    private Form times(long product, double factor) {
        Form sum = ZERO;
        for (int term = 0; term < products.length; term++) {
            long[] key = {Product.of(products[term], product)};
            sum = sum.plus(new Form(key, new double[] {coefficients[term] * factor}));
        }
        return sum;
    }

    /// A part of this form, whole wherever this form is a multiple of `parts`.
    public Form dividedBy(double parts) {
        double[] divided = coefficients.clone();
        for (int term = 0; term < divided.length; term++) {
            divided[term] /= parts;
            if (divided[term] != Math.rint(divided[term])) {
                throw new IllegalStateException(this + " does not divide by " + parts);
            }
        }
        return new Form(products, divided);
    }

    /// The whole number next below: of halves, one half is left out wherever their sum is odd.
    public Form floor() {
        Form odd = ZERO;
        for (int term = 0; term < products.length; term++) {
            if (coefficients[term] != Math.floor(coefficients[term])) {
                Form parity = new Form(new long[] {Product.parity(products[term])}, new double[] {1});
                odd = odd.plus(parity).minus(odd.times(parity).times(2));
            }
        }
        return odd.equals(ZERO) ? this : minus(odd.times(0.5));
    }

    /// Whether this form is at most the other for all quantities, as far as their numbers show term by term.
    public boolean isNeverAbove(Form other) {
        int left = 0;
        int right = 0;
        while (left < products.length || right < other.products.length) {
            boolean fromLeft = isNext(left, other, right);
            boolean fromRight = other.isNext(right, this, left);
            double mine = fromLeft ? coefficients[left++] : 0;
            double others = fromRight ? other.coefficients[right++] : 0;
            if (others - mine < 0) {
                return false;
            }
        }
        return true;
    }

    /// @param quantities the value of each, by ordinal
    public double at(Quantities quantities) {
        double sum = 0;
        for (int term = 0; term < products.length; term++) {
            sum += coefficients[term] * Product.at(products[term], quantities);
        }
        return sum;
    }

    int terms() {
        return products.length;
    }

    long product(int term) {
        return products[term];
    }

    double coefficient(int term) {
        return coefficients[term];
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Form form
                && Arrays.equals(products, form.products)
                && Arrays.equals(coefficients, form.coefficients);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(products) + Arrays.hashCode(coefficients);
    }

    /// Such as `10240.0 TOKENS + 8.0`.
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (int term = products.length - 1; term >= 0; term--) {
            text.append(text.isEmpty() ? "" : " + ")
                    .append(coefficients[term])
                    .append(Product.toString(products[term]));
        }
        return text.isEmpty() ? "0" : text.toString();
    }
}

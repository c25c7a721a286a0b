package io.throughputoptimizer.core.operator;

/// A product of up to eight factors, packed into a number: one byte for each, in ascending order from the lowest. A
/// factor is a quantity (its ordinal and 1), or, with the highest bit set, whether that quantity is odd (1) or not (0),
/// which is there at most once.
@SuppressWarnings("EnumOrdinal") // a quantity is packed into a byte
final class Product {
    /// The product of nothing, which is 1.
    static final long NONE = 0;

    private static final int BITS = 8;
    private static final int MASK = (1 << BITS) - 1;
    private static final int ODD = 1 << (BITS - 1);

    private Product() {}

    static long of(Quantity quantity) {
        return quantity.ordinal() + 1L;
    }

    static long of(long left, long right) {
        long product = NONE;
        long last = NONE;
        int shift = 0;
        while (left != NONE || right != NONE) {
            boolean takesLeft = right == NONE || (left != NONE && (left & MASK) <= (right & MASK));
            long factor = (takesLeft ? left : right) & MASK;
            left = takesLeft ? left >>> BITS : left;
            right = takesLeft ? right : right >>> BITS;
            boolean known = factor == last && (factor & ODD) != 0;
            if (!known) {
                requireRoom(shift);
                product |= factor << shift;
                shift += BITS;
                last = factor;
            }
        }
        return product;
    }

    private static void requireRoom(int shift) {
        if (shift == Long.SIZE) {
            throw new IllegalStateException("a product has more than " + Long.SIZE / BITS + " factors");
        }
    }

    /// Whether a product is odd: its factors are.
    static long parity(long product) {
        long parity = 0;
        for (long rest = product; rest != 0; rest >>>= BITS) {
            parity = of(parity, (rest & MASK) | ODD);
        }
        return parity;
    }

    static double at(long product, Quantities quantities) {
        if (product > NONE && product < ODD) {
            return quantities.get(index(product));
        }
        double value = 1;
        for (long rest = product; rest != 0; rest >>>= BITS) {
            double quantity = quantities.get(index(rest));
            value *= (rest & ODD) == 0 ? quantity : quantity % 2;
        }
        return value;
    }

    /// Which quantity the lowest factor has.
    private static int index(long product) {
        return (int) (product & (ODD - 1)) - 1;
    }

    static String toString(long product) {
        StringBuilder text = new StringBuilder();
        for (long rest = product; rest != 0; rest >>>= BITS) {
            Quantity quantity = Quantity.values()[index(rest)];
            text.append(' ').append((rest & ODD) == 0 ? "" : "odd ").append(quantity);
        }
        return text.toString();
    }
}

package io.throughputoptimizer.core.operator;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/// Forms that are evaluated together: equal forms once, and products that several of them share once. Immutable.
public final class FormTable {
    private final long[] products;
    /// Where the terms of each form begin, and where those of the last one end.
    private final int[] starts;

    /// Of each term, where the value of its product is.
    private final int[] places;

    private final double[] coefficients;

    private FormTable(Collection<Form> forms) {
        this.starts = new int[forms.size() + 1];
        int count = 0;
        for (Form form : forms) {
            starts[count + 1] = starts[count] + form.terms();
            count++;
        }
        this.places = new int[starts[count]];
        this.coefficients = new double[starts[count]];
        Map<Long, Integer> found = new LinkedHashMap<>();
        int next = 0;
        for (Form form : forms) {
            for (int term = 0; term < form.terms(); term++) {
                places[next] = count + found.computeIfAbsent(form.product(term), _ -> found.size());
                coefficients[next++] = form.coefficient(term);
            }
        }
        this.products = found.keySet().stream().mapToLong(Long::longValue).toArray();
    }

    /// Collects forms. Used by one thread.
    public static final class Builder {
        private final Map<Form, Integer> forms = new LinkedHashMap<>();

        /// @return where the value of the form will be
        public int add(Form form) {
            return forms.computeIfAbsent(form, _ -> forms.size());
        }

        public FormTable build() {
            return new FormTable(forms.keySet());
        }
    }

    /// Length of the array that [#evaluate] fills.
    public int size() {
        return starts.length - 1 + products.length;
    }

    /// @param quantities the value of each, by ordinal
    /// @param values takes the value of every form where [Builder#add] said, and others after them
    public void evaluate(Quantities quantities, double[] values) {
        int forms = starts.length - 1;
        for (int product = 0; product < products.length; product++) {
            values[forms + product] = Product.at(products[product], quantities);
        }
        for (int form = 0; form < forms; form++) {
            double sum = 0;
            for (int term = starts[form]; term < starts[form + 1]; term++) {
                sum += coefficients[term] * values[places[term]];
            }
            values[form] = sum;
        }
    }
}

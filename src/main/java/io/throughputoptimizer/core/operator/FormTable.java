package io.throughputoptimizer.core.operator;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Forms that are evaluated together: equal forms once, and products that several of them share once. Immutable.
public final class FormTable {
    private final long[] products;
    /// Where the terms of each form begin, and where those of the last one end.
    private final int[] starts;

    /// Of each term, where the value of its product is.
    private final int[] places;

    private final double[] coefficients;

    private FormTable(List<Form> forms, List<Long> products, Map<Long, Integer> places) {
        this.products = products.stream().mapToLong(Long::longValue).toArray();
        this.starts = new int[forms.size() + 1];
        int terms = forms.stream().mapToInt(Form::terms).sum();
        this.places = new int[terms];
        this.coefficients = new double[terms];
        int next = 0;
        for (int form = 0; form < forms.size(); form++) {
            for (int term = 0; term < forms.get(form).terms(); term++) {
                this.places[next] =
                        forms.size() + requireNonNull(places.get(forms.get(form).product(term)));
                this.coefficients[next] = forms.get(form).coefficient(term);
                next++;
            }
            starts[form + 1] = next;
        }
    }

    /// Collects forms. Used by one thread.
    public static final class Builder {
        private final Map<Form, Integer> forms = new LinkedHashMap<>();

        /// @return where the value of the form will be
        public int add(Form form) {
            return forms.computeIfAbsent(form, _ -> forms.size());
        }

        public FormTable build() {
            Map<Long, Integer> places = new LinkedHashMap<>();
            for (Form form : forms.keySet()) {
                for (int term = 0; term < form.terms(); term++) {
                    places.putIfAbsent(form.product(term), places.size());
                }
            }
            return new FormTable(List.copyOf(forms.keySet()), new ArrayList<>(places.keySet()), places);
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

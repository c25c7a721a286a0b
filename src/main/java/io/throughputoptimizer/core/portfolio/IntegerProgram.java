package io.throughputoptimizer.core.portfolio;

import java.util.ArrayList;
import java.util.List;

/// A mixed-integer linear program: minimizes `sum cost_i x_i` subject to `lower_i <= x_i <= upper_i` and
/// `least_j <= sum factor_ij x_i <= most_j`, some `x_i` integer.
public record IntegerProgram(List<Variable> variables, List<Row> rows) {

    /// A variable.
    ///
    /// @param upper upper bound; may be infinite
    /// @param whole whether it is an integer
    public record Variable(double lower, double upper, boolean whole, double cost) {}

    /// A term of a row.
    ///
    /// @param variable index of its variable
    public record Term(int variable, double factor) {}

    /// A constraint.
    ///
    /// @param least lower bound; may be infinite
    /// @param most upper bound; may be infinite
    public record Row(double least, double most, List<Term> terms) {
        public Row {
            terms = List.copyOf(terms);
        }
    }

    public IntegerProgram {
        variables = List.copyOf(variables);
        rows = List.copyOf(rows);
    }

    /// Builder of a program. Used by one thread.
    static final class Builder {
        private final List<Variable> variables = new ArrayList<>();
        private final List<Row> rows = new ArrayList<>();

        /// Adds an integer variable.
        ///
        /// @return its index
        int whole(double upper, double cost) {
            return add(new Variable(0, upper, true, cost));
        }

        /// Adds a variable between 0 and 1.
        ///
        /// @return its index
        int share(double cost) {
            return add(new Variable(0, 1, false, cost));
        }

        private int add(Variable variable) {
            variables.add(variable);
            return variables.size() - 1;
        }

        void atLeast(double least, List<Term> terms) {
            rows.add(new Row(least, Double.POSITIVE_INFINITY, terms));
        }

        void atMost(double most, List<Term> terms) {
            rows.add(new Row(Double.NEGATIVE_INFINITY, most, terms));
        }

        /// Limits the sum of all costs.
        ///
        /// @param most maximum of the sum
        void costsAtMost(double most) {
            List<Term> terms = new ArrayList<>();
            for (int place = 0; place < variables.size(); place++) {
                if (variables.get(place).cost != 0) {
                    terms.add(new Term(place, variables.get(place).cost));
                }
            }
            atMost(most, terms);
        }

        IntegerProgram build() {
            return new IntegerProgram(variables, rows);
        }
    }
}

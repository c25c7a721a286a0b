package io.throughputoptimizer.core.kernels;

import io.throughputoptimizer.core.kernels.calibration.KernelUse;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The operators of a pass in one phase; their sizes depend on the requests only.
final class PhaseOperators {
    private static final double MICROS_PER_MILLI = 1000;

    private final List<Operator> operators;
    private final Operator[] attention;
    private final Operator[] others;

    private final Set<KernelUse> notes;

    /// @param notes properties of the model that no kernel was measured with
    PhaseOperators(List<Operator> operators, Set<KernelUse> notes) {
        this.operators = List.copyOf(operators);
        this.notes = Set.copyOf(notes);
        Predicate<Operator> attends = operator -> operator.kind == OperatorClass.ATTENTION;
        this.attention = operators.stream().filter(attends).toArray(Operator[]::new);
        this.others = operators.stream().filter(attends.negate()).toArray(Operator[]::new);
    }

    /// An operator that some layers run.
    ///
    /// @param calls number of layers
    /// @param factor factor of its kernel's price
    record Operator(String name, OperatorClass kind, int calls, double factor, KernelUse use, Price price) {
        /// Returns the microseconds of one call.
        double microseconds(double tokens, double rows, double attended) {
            return factor * price.microseconds(tokens, rows, attended);
        }
    }

    /// Price of one call, as the kernel was measured.
    interface Price {
        /// Returns the microseconds of a call.
        ///
        /// @param tokens new tokens on this rank, `N`
        /// @param rows rows of logits, `R`
        /// @param attended total cached tokens in decode, visible pairs of query and key in prefill
        double microseconds(double tokens, double rows, double attended);
    }

    /// Returns the milliseconds of everything except attention.
    double outsideAttention(double tokens, double rows) {
        return millis(others, tokens, rows, 0);
    }

    /// Returns the milliseconds of attention.
    double attention(double tokens, double attended) {
        return millis(attention, tokens, 0, attended);
    }

    /// Returns the total milliseconds of operators. Equal collectives share a price, which is computed once: a
    /// lookup takes longer than a formula.
    @SuppressWarnings("ReferenceEquality") // Two that only look alike are asked both.
    private static double millis(Operator[] operators, double tokens, double rows, double attended) {
        double sum = 0;
        @Nullable Price known = null;
        double knownMicros = 0;
        for (Operator operator : operators) {
            double micros = operator.price == known ? knownMicros : operator.price.microseconds(tokens, rows, attended);
            if (operator.kind == OperatorClass.COMMUNICATION) {
                known = operator.price;
                knownMicros = micros;
            }
            sum += operator.calls * (operator.factor * micros);
        }
        return sum / MICROS_PER_MILLI;
    }

    /// Returns the time split of all operators, each priced once, in the order of [#outsideAttention] and
    /// [#attention].
    PassSplit split(double tokens, double rows, double attended) {
        double outside = 0;
        double collectives = 0;
        double experts = 0;
        for (Operator operator : others) {
            double micros = operator.calls * operator.microseconds(tokens, rows, 0);
            outside += micros;
            collectives += operator.kind == OperatorClass.COMMUNICATION ? micros : 0;
            experts += operator.kind == OperatorClass.EXPERTS ? micros : 0;
        }
        return new PassSplit(
                outside / MICROS_PER_MILLI + attention(tokens, attended),
                collectives / MICROS_PER_MILLI,
                experts / MICROS_PER_MILLI);
    }

    /// Returns the operators of one pass with nonzero time, in order.
    List<OperatorTime> times(double tokens, double rows, double attended) {
        return operators.stream()
                .map(operator -> new OperatorTime(
                        operator.name,
                        operator.kind,
                        operator.calls,
                        operator.microseconds(tokens, rows, attended),
                        operator.use))
                .filter(time -> time.microseconds() > 0)
                .toList();
    }

    Set<KernelUse> uses() {
        return Stream.concat(operators.stream().map(Operator::use), notes.stream())
                .collect(Collectors.toUnmodifiableSet());
    }
}

package io.throughputoptimizer.core.forward;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/// Operators of a pass, those of one name and time together: the reference's tables split them by input shapes as
/// well.
final class OperatorTotals {
    private OperatorTotals() {}

    record Total(String name, double calls, double micros) {
        private double microsPerCall() {
            return micros / calls;
        }
    }

    static List<Total> of(PricedPass pass) {
        return merge(pass.operators().stream()
                .map(priced -> new Total(
                        priced.operator().name(),
                        priced.calls(),
                        priced.calls() * priced.cost().seconds() * 1e6)));
    }

    static List<Total> merge(Stream<Total> rows) {
        List<Total> sorted = rows.sorted(Comparator.comparing(Total::name).thenComparingDouble(Total::microsPerCall))
                .toList();
        List<Total> merged = new ArrayList<>();
        for (Total row : sorted) {
            Total last = merged.isEmpty() ? null : merged.getLast();
            if (last != null
                    && last.name().equals(row.name())
                    && GoldenFigures.compare(last.microsPerCall(), row.microsPerCall()) == 0) {
                merged.set(
                        merged.size() - 1,
                        new Total(row.name(), last.calls() + row.calls(), last.micros() + row.micros()));
            } else {
                merged.add(row);
            }
        }
        return merged;
    }

    static void assertEqual(List<Total> actual, List<Total> expected) {
        assertThat(actual)
                .usingRecursiveComparison()
                .withComparatorForType(GoldenFigures::compare, Double.class)
                .isEqualTo(expected);
    }
}

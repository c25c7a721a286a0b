package io.throughputoptimizer.core.forward;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// Operators of a pass, those of one name and time together: the reference's tables split them by input shapes
/// as well.
final class OperatorTotals {
    /// Operators whose rows the reference's tables tell apart by the first tensor alone, or not at all.
    private static final List<String> SUMMED = List.of("aten.cat.default", "prims.iota.default");

    private OperatorTotals() {}

    record Total(String name, double calls, double micros) {
        private double microsPerCall() {
            return micros / calls;
        }

        private Total plus(Total other) {
            return new Total(name, calls + other.calls, micros + other.micros);
        }

        private boolean isLike(Total other, double roundingMicros) {
            double difference = Math.abs(microsPerCall() - other.microsPerCall());
            return name.equals(other.name)
                    && difference <= GoldenFigures.RELATIVE * other.microsPerCall() + roundingMicros;
        }
    }

    static List<Total> of(PricedPass pass) {
        return pass.operators().stream()
                .map(priced -> new Total(
                        priced.name(),
                        priced.calls(),
                        priced.calls() * priced.cost().seconds() * 1e6))
                .toList();
    }

    /// Every operator has the same calls and the same time on both sides. Where the reference's table puts
    /// operators of different cost in one row, which it does with lists of tensors and with ranges, the sums
    /// are the same.
    ///
    /// @param roundingMicros how much a time per call may be off because the expected one is rounded
    static void assertEqualOrSummed(List<Total> actual, List<Total> expected, double roundingMicros) {
        List<Total> left = new ArrayList<>(actual);
        List<Total> right = new ArrayList<>(expected);
        for (String name : SUMMED) {
            List<Total> mine = merge(named(name, left), roundingMicros);
            List<Total> theirs = merge(named(name, right), roundingMicros);
            if (theirs.size() < mine.size()) {
                left.removeAll(named(name, left));
                right.removeAll(named(name, right));
                left.add(sum(mine));
                right.add(sum(theirs));
            }
        }
        assertEqual(left, right, roundingMicros);
    }

    private static List<Total> named(String name, List<Total> rows) {
        return rows.stream().filter(row -> row.name().equals(name)).toList();
    }

    private static Total sum(List<Total> rows) {
        return rows.stream().reduce(Total::plus).orElseGet(() -> new Total("none", 0, 0));
    }

    /// Every operator has the same calls and the same time on both sides.
    ///
    /// @param roundingMicros how much a time per call may be off because the expected one is rounded
    static void assertEqual(List<Total> actual, List<Total> expected, double roundingMicros) {
        List<Total> expectedTotals = merge(expected, roundingMicros);
        assertThat(merge(actual, roundingMicros))
                .usingElementComparator(
                        (left, right) -> left.calls() == right.calls() && left.isLike(right, roundingMicros) ? 0 : 1)
                .containsExactlyElementsOf(expectedTotals);
    }

    private static List<Total> merge(List<Total> rows, double roundingMicros) {
        List<Total> sorted = rows.stream()
                .sorted(Comparator.comparing(Total::name).thenComparingDouble(Total::microsPerCall))
                .toList();
        List<Total> merged = new ArrayList<>();
        for (Total row : sorted) {
            if (!merged.isEmpty() && row.isLike(merged.getLast(), roundingMicros)) {
                merged.set(merged.size() - 1, merged.getLast().plus(row));
            } else {
                merged.add(row);
            }
        }
        return merged;
    }
}

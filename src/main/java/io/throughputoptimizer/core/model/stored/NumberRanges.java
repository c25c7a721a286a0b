package io.throughputoptimizer.core.model.stored;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.SortedSet;

/// Formats numbers as a regular expression: `0|[1-9]|1[0-2]` for numbers up to twelve.
final class NumberRanges {
    private static final int TEN = 10;

    private NumberRanges() {}

    /// @param numbers numbers of at least 0
    static String of(SortedSet<Integer> numbers) {
        List<String> ranges = new ArrayList<>();
        Iterator<Integer> rest = numbers.iterator();
        int first = rest.next();
        int last = first;
        while (rest.hasNext()) {
            int next = rest.next();
            if (next > last + 1) {
                add(first, last, ranges);
                first = next;
            }
            last = next;
        }
        add(first, last, ranges);
        return String.join("|", ranges);
    }

    /// Adds a range of numbers, in blocks of a power of ten with equal digit counts.
    private static void add(int first, int last, List<String> ranges) {
        int from = first;
        while (from <= last) {
            int block = 1;
            while (from >= block * TEN && from % (block * TEN) == 0 && from + block * TEN - 1 <= last) {
                block *= TEN;
            }
            int prefix = from / block;
            int more = 0;
            while (prefix % TEN + more < TEN - 1 && from + (more + 2L) * block - 1 <= last) {
                more++;
            }
            String head = prefix >= TEN ? String.valueOf(prefix / TEN) : "";
            int digit = prefix % TEN;
            String digits = more == 0 ? String.valueOf(digit) : "[" + digit + "-" + (digit + more) + "]";
            ranges.add(head + digits + "\\d".repeat(String.valueOf(block).length() - 1));
            from += (more + 1) * block;
        }
    }
}

package io.throughputoptimizer.catalog;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Suggestions for an unknown name.
public final class NearestNames {
    private static final int SUGGESTIONS = 3;
    private static final int LONGEST_COMPARED = 100;

    private NearestNames() {}

    /// Returns up to three of `names`: those that contain the unknown one first, then by edit distance,
    /// ignoring case. Ties keep their order.
    public static List<String> of(String unknown, Collection<String> names) {
        String wanted = comparable(unknown);
        return names.stream()
                .sorted(Comparator.comparing((String name) -> !comparable(name).contains(wanted))
                        .thenComparingInt(name -> distance(wanted, comparable(name))))
                .limit(SUGGESTIONS)
                .toList();
    }

    /// Returns the most likely intended name: it contains the unknown one or is contained in it, or at most a
    /// third of its letters differ. Empty if none is so near.
    public static Optional<String> meant(String unknown, Collection<String> names) {
        String wanted = comparable(unknown);
        return (wanted.isEmpty() ? List.<String>of() : of(unknown, names))
                .stream()
                        .filter(name -> name.contains(wanted)
                                || wanted.contains(name)
                                || distance(wanted, comparable(name)) * 3 <= name.length())
                        .findFirst();
    }

    /// Returns the message for an unknown name, with suggestions.
    ///
    /// @param kind kind of the name, such as `device`
    public static String message(String kind, String unknown, Collection<String> names) {
        String shown = unknown.length() <= LONGEST_COMPARED ? unknown : unknown.substring(0, LONGEST_COMPARED) + "...";
        String rest = names.isEmpty() ? "none is known" : "nearest to it: " + String.join(", ", of(unknown, names));
        return "unknown " + kind + " \"" + shown + "\"; " + rest;
    }

    /// Returns the Levenshtein distance between two texts.
    static int distance(String from, String to) {
        int[] previous = new int[to.length() + 1];
        for (int column = 0; column <= to.length(); column++) {
            previous[column] = column;
        }
        for (int row = 1; row <= from.length(); row++) {
            int[] current = new int[to.length() + 1];
            current[0] = row;
            for (int column = 1; column <= to.length(); column++) {
                int replaced = previous[column - 1] + (from.charAt(row - 1) == to.charAt(column - 1) ? 0 : 1);
                current[column] = Math.min(replaced, Math.min(previous[column], current[column - 1]) + 1);
            }
            previous = current;
        }
        return previous[to.length()];
    }

    private static String comparable(String name) {
        String start = name.length() <= LONGEST_COMPARED ? name : name.substring(0, LONGEST_COMPARED);
        return start.toLowerCase(Locale.ROOT);
    }
}

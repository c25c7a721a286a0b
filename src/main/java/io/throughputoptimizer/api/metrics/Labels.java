package io.throughputoptimizer.api.metrics;

import java.util.Arrays;
import java.util.NavigableMap;
import org.jspecify.annotations.Nullable;

/// Labels of a sample by name, in few bytes.
final class Labels {
    private final String[] pairs;
    private final int hash;

    private Labels(String[] pairs) {
        this.pairs = pairs;
        this.hash = Arrays.hashCode(pairs);
    }

    static Labels of(NavigableMap<String, String> labels) {
        String[] pairs = new String[2 * labels.size()];
        int index = 0;
        for (var label : labels.entrySet()) {
            pairs[index++] = label.getKey();
            pairs[index++] = label.getValue();
        }
        return new Labels(pairs);
    }

    /// Returns the value of a label, or null.
    @Nullable
    String get(@Nullable String name) {
        for (int i = 0; i < pairs.length; i += 2) {
            if (pairs[i].equals(name)) {
                return pairs[i + 1];
            }
        }
        return null;
    }

    Labels without(String name) {
        for (int i = 0; i < pairs.length; i += 2) {
            if (pairs[i].equals(name)) {
                String[] others = Arrays.copyOf(pairs, pairs.length - 2);
                System.arraycopy(pairs, i + 2, others, i, pairs.length - i - 2);
                return new Labels(others);
            }
        }
        return this;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Labels labels && hash == labels.hash && Arrays.equals(pairs, labels.pairs);
    }

    @Override
    public int hashCode() {
        return hash;
    }
}

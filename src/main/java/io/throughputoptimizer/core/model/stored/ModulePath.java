package io.throughputoptimizer.core.model.stored;

import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The path of a module, such as `model.layers.0.mlp.gate`. Not thread-safe.
final class ModulePath {
    private final String text;
    private @Nullable Set<String> parts;

    ModulePath(String text) {
        this.text = text;
    }

    String text() {
        return text;
    }

    /// Returns all sequences of consecutive names, such as `mlp.gate`.
    Set<String> parts() {
        Set<String> known = parts;
        if (known == null) {
            known = parts(text.split("\\."));
            parts = known;
        }
        return known;
    }

    private static Set<String> parts(String[] names) {
        Set<String> parts = new HashSet<>();
        for (int first = 0; first < names.length; first++) {
            StringBuilder part = new StringBuilder(names[first]);
            parts.add(part.toString());
            for (int last = first + 1; last < names.length; last++) {
                parts.add(part.append('.').append(names[last]).toString());
            }
        }
        return parts;
    }
}

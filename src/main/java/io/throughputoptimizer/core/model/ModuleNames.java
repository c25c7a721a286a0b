package io.throughputoptimizer.core.model;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Names of modules in a configuration, in the ways of the tools that write them: `re:` and a regular expression; a
/// path with `*`; or one to several whole parts of a path, such as `lm_head` or `mlp.gate`.
final class ModuleNames {
    private static final String REGULAR = "re:";
    private static final int MOST_MATCHES = 1_000_000;

    private final Set<String> plain = new HashSet<>();
    private final List<ModulePattern> patterns = new ArrayList<>();
    private int matches;

    /// @throws IllegalArgumentException if one is no name
    static ModuleNames of(List<?> names) {
        ModuleNames read = new ModuleNames();
        names.forEach(name -> read.add(String.valueOf(name)));
        return read;
    }

    private void add(String name) {
        if (name.startsWith(REGULAR)) {
            addRegular(name.substring(REGULAR.length()));
        } else if (name.contains("*")) {
            patterns.add(ModulePattern.path(name));
        } else {
            plain.add(name);
        }
    }

    void addRegular(String expression) {
        patterns.add(ModulePattern.regular(expression));
    }

    /// @throws IllegalArgumentException if that takes too long to say
    boolean contain(String path) {
        if (holdsPart(path.split("\\."))) {
            return true;
        }
        matches += patterns.size();
        if (matches > MOST_MATCHES) {
            throw new IllegalArgumentException("it names too many modules to compare them");
        }
        return patterns.stream().anyMatch(pattern -> pattern.matches(path));
    }

    private boolean holdsPart(String[] parts) {
        for (int first = 0; first < parts.length && !plain.isEmpty(); first++) {
            StringBuilder part = new StringBuilder(parts[first]);
            for (int last = first; last < parts.length; last++) {
                if (last > first) {
                    part.append('.').append(parts[last]);
                }
                if (plain.contains(part.toString())) {
                    return true;
                }
            }
        }
        return false;
    }
}

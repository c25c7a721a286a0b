package io.throughputoptimizer.core.model.stored;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Module names of a configuration in the syntaxes of its writers: `re:` and a regular expression; a path with
/// `*`; or consecutive parts of a path, such as `lm_head` or `mlp.gate`.
final class ModuleNames {
    private static final String REGULAR = "re:";
    private static final int MOST_MATCHES = 1_000_000;

    private final Set<String> plain = new HashSet<>();
    private final List<ModulePattern> patterns = new ArrayList<>();
    private final ModuleComparison comparison;
    private int matches;

    private ModuleNames(ModuleComparison comparison) {
        this.comparison = comparison;
    }

    /// @param comparison budget for all names of a configuration
    /// @throws IllegalArgumentException if a name is invalid
    static ModuleNames of(List<?> names, ModuleComparison comparison) {
        ModuleNames read = new ModuleNames(comparison);
        names.forEach(name -> read.add(String.valueOf(name)));
        return read;
    }

    /// @throws IllegalArgumentException if the name is invalid
    void add(String name) {
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

    /// @throws IllegalArgumentException if the budget is exceeded
    boolean contain(ModulePath path) {
        if (!plain.isEmpty()) {
            comparison.compared();
            if (!Collections.disjoint(plain, path.parts())) {
                return true;
            }
        }
        matches += patterns.size();
        if (matches > MOST_MATCHES) {
            throw new IllegalArgumentException("it names too many modules to compare them");
        }
        return patterns.stream().anyMatch(pattern -> pattern.matches(path.text(), comparison));
    }
}

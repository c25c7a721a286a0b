package io.throughputoptimizer.security;

import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// What a caller may do.
public enum Role {
    /// See the jobs of everybody.
    READ,
    /// Submit jobs, see and end its own; estimate and simulate.
    SUBMIT,
    /// All of that, for everybody's jobs; keys and metrics.
    ADMIN;

    /// How settings, keys and callers spell it.
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// Those whose word it is, if any.
    public static Optional<Role> of(String word) {
        return Arrays.stream(values()).filter(role -> role.word().equals(word)).findFirst();
    }

    /// All roles in words, for people.
    public static String words(Collection<Role> roles) {
        return roles.stream().sorted().map(Role::word).collect(Collectors.joining(", "));
    }

    /// The given ones, and what they include: an admin may do everything.
    static Set<Role> withIncluded(Collection<Role> given) {
        return given.contains(ADMIN)
                ? EnumSet.allOf(Role.class)
                : given.isEmpty() ? EnumSet.noneOf(Role.class) : EnumSet.copyOf(given);
    }
}

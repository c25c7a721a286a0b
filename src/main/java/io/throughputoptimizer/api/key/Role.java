package io.throughputoptimizer.api.key;

import io.throughputoptimizer.api.WireFormat;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// The permissions of a caller.
public enum Role {
    /// See the jobs of everybody.
    READ,
    /// Submit jobs, see and end its own; estimate and simulate.
    SUBMIT,
    /// All of that, for everybody's jobs; keys and metrics.
    ADMIN;

    /// Returns the name in settings, keys and tokens.
    public String word() {
        return WireFormat.name(this);
    }

    /// The one whose word it is, if any.
    public static Optional<Role> of(String word) {
        return Arrays.stream(values()).filter(role -> role.word().equals(word)).findFirst();
    }

    /// Some roles in words, for people.
    public static String words(Collection<Role> roles) {
        return roles.stream().sorted().map(Role::word).collect(Collectors.joining(", "));
    }

    /// The given ones, and what they include: an admin may do everything.
    public static Set<Role> withIncluded(Collection<Role> given) {
        if (given.contains(ADMIN)) {
            return EnumSet.allOf(Role.class);
        }
        return given.isEmpty() ? EnumSet.noneOf(Role.class) : EnumSet.copyOf(given);
    }
}

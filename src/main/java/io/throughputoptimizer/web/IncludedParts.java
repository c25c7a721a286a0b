package io.throughputoptimizer.web;

import io.throughputoptimizer.api.result.ResultPart;
import io.throughputoptimizer.catalog.NearestNames;
import io.throughputoptimizer.web.problem.InvalidParameterException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Values of the query parameter `include`.
///
/// @param parts parts of the result
/// @param defaults whether the service also searches with the defaults of the engine
record IncludedParts(Set<ResultPart> parts, boolean defaults) {
    /// Name of the parameter.
    public static final String NAME = "include";

    private static final String ALL = "all";
    private static final String DEFAULTS = "defaults";

    public IncludedParts {
        parts = Set.copyOf(parts);
    }

    /// Returns the parts that the parameter of a stored result names.
    ///
    /// @param value value of the parameter; null if absent
    /// @throws InvalidParameterException if a part is unknown
    public static Set<ResultPart> ofResult(@Nullable String value) {
        return read(value, List.of(ALL)).parts;
    }

    /// Returns what the parameter of a new request names.
    ///
    /// @param value value of the parameter; null if absent
    /// @throws InvalidParameterException if a part is unknown
    public static IncludedParts ofRequest(@Nullable String value) {
        return read(value, List.of(DEFAULTS, ALL));
    }

    private static IncludedParts read(@Nullable String value, List<String> others) {
        EnumSet<ResultPart> parts = EnumSet.noneOf(ResultPart.class);
        boolean defaults = false;
        for (String name : value == null ? List.<String>of() : List.of(value.split(",", -1))) {
            if (others.contains(name)) {
                defaults |= others.contains(DEFAULTS);
                parts.addAll(name.equals(ALL) ? ResultPart.ALL : Set.of());
            } else {
                parts.add(part(name, others));
            }
        }
        return new IncludedParts(parts, defaults);
    }

    private static ResultPart part(String name, List<String> others) {
        return Stream.of(ResultPart.values())
                .filter(part -> part.wireName().equals(name))
                .findFirst()
                .orElseThrow(() -> unknown(name, others));
    }

    private static InvalidParameterException unknown(String name, List<String> others) {
        List<String> known = new ArrayList<>(
                Stream.of(ResultPart.values()).map(ResultPart::wireName).toList());
        known.addAll(others);
        return new InvalidParameterException(
                NAME,
                "has the unknown value \"" + name + "\"; allowed: " + String.join(", ", known)
                        + NearestNames.meant(name, known)
                                .map(meant -> ". Did you mean \"" + meant + "\"?")
                                .orElse(""));
    }
}

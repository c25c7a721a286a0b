package io.throughputoptimizer.web.parameter;

import io.throughputoptimizer.web.problem.InvalidParameterException;
import org.jspecify.annotations.Nullable;

/// The query parameter `include` of submitted optimizations.
public final class IncludeParameter {
    public static final String DESCRIPTION = "Parts that the answer has only on request. With `defaults` the service"
            + " searches the request a second time with the number formats that the engine takes without a flag, and"
            + " adds the figures of that plan to `assumptions`. Default: none.";

    private static final String DEFAULTS = "defaults";

    private IncludeParameter() {}

    /// Returns whether the value asks for a search with the engine's own defaults.
    ///
    /// @param value null if the parameter is absent
    /// @throws InvalidParameterException if it is unknown
    public static boolean namesDefaults(@Nullable String value) {
        if (value != null && !value.equals(DEFAULTS)) {
            throw new InvalidParameterException(
                    "include", "has the unknown value \"" + value + "\"; allowed: " + DEFAULTS);
        }
        return value != null;
    }
}

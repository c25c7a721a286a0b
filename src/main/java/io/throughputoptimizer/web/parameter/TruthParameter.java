package io.throughputoptimizer.web.parameter;

import io.throughputoptimizer.web.problem.InvalidParameterException;

/// A query parameter that is true or false.
public final class TruthParameter {
    private TruthParameter() {}

    /// @throws InvalidParameterException if it is neither
    public static boolean isTrue(String parameter, String text) {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new InvalidParameterException(parameter, "is \"" + text + "\": true or false is needed");
        };
    }
}

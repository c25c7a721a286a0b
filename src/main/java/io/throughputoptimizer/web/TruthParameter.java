package io.throughputoptimizer.web;

import io.throughputoptimizer.web.problem.InvalidParameterException;

/// A query parameter that is true or false.
final class TruthParameter {
    private TruthParameter() {}

    /// @throws InvalidParameterException if it is neither
    static boolean isTrue(String parameter, String text) {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new InvalidParameterException(parameter, "is \"" + text + "\": true or false is needed");
        };
    }
}

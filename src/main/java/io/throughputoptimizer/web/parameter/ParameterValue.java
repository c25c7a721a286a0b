package io.throughputoptimizer.web.parameter;

import io.throughputoptimizer.web.problem.InvalidParameterException;

/// Values of query parameters.
public final class ParameterValue {
    private ParameterValue() {}

    /// @throws InvalidParameterException if it is neither true nor false
    public static boolean isTrue(String parameter, String text) {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new InvalidParameterException(parameter, "must be true or false, got \"" + text + "\"");
        };
    }

    /// @throws InvalidParameterException if it is no whole number, or out of bounds
    public static long asLong(String parameter, String text, long least, long most) {
        try {
            long number = Long.parseLong(text);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException _) {
            // Refused below, as a number out of bounds is.
        }
        throw new InvalidParameterException(
                parameter, "must be a whole number from " + least + " to " + most + ", got \"" + text + "\"");
    }

    /// @throws InvalidParameterException if it is no whole number, or out of bounds
    public static int asInt(String parameter, String text, int least, int most) {
        return Math.toIntExact(asLong(parameter, text, least, most));
    }
}

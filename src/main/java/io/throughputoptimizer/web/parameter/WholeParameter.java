package io.throughputoptimizer.web.parameter;

import io.throughputoptimizer.web.problem.InvalidParameterException;

/// A query parameter that is a whole number within bounds.
public final class WholeParameter {
    private WholeParameter() {}

    /// @throws InvalidParameterException if it is none, or out of bounds
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
                parameter, "is \"" + text + "\": a whole number from " + least + " to " + most + " is needed");
    }

    /// @throws InvalidParameterException if it is none, or out of bounds
    public static int asInt(String parameter, String text, int least, int most) {
        return Math.toIntExact(asLong(parameter, text, least, most));
    }
}

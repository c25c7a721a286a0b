package io.throughputoptimizer.api.enginelog;

import java.util.OptionalDouble;

/// A number within a line, with its unit.
final class LoggedNumber {
    private static final int LONGEST = 32;
    private static final double MIB_OF_GIB = 1024;

    private LoggedNumber() {}

    /// Returns the number at an index, or empty where there is none.
    static OptionalDouble at(String line, int from) {
        int begin = from;
        while (begin < line.length() && line.charAt(begin) == ' ') {
            begin++;
        }
        int end = begin;
        while (end < line.length() && isPart(line.charAt(end)) && end - begin < LONGEST) {
            end++;
        }
        return parsed(line.substring(begin, end));
    }

    /// Returns the number that ends at an index, or empty where there is none.
    static OptionalDouble before(String line, int end) {
        int begin = end;
        while (begin > 0 && isPart(line.charAt(begin - 1)) && end - begin < LONGEST) {
            begin--;
        }
        return parsed(line.substring(begin, end));
    }

    /// Returns GiB at an index, of which GB is another name; MB count too. Empty where a number or a unit is missing.
    static OptionalDouble gibAt(String line, int from) {
        OptionalDouble number = at(line, from);
        int unit = from;
        while (unit < line.length() && (isPart(line.charAt(unit)) || line.charAt(unit) == ' ')) {
            unit++;
        }
        if (number.isEmpty() || line.startsWith("G", unit)) {
            return number;
        }
        return line.startsWith("M", unit)
                ? OptionalDouble.of(number.getAsDouble() / MIB_OF_GIB)
                : OptionalDouble.empty();
    }

    /// Returns the number that a whole value is, or empty.
    static OptionalDouble of(String value) {
        return value.chars().allMatch(c -> isPart((char) c)) ? at(value, 0) : OptionalDouble.empty();
    }

    private static boolean isPart(char c) {
        return (c >= '0' && c <= '9') || c == '.' || c == ',' || c == '-';
    }

    private static OptionalDouble parsed(String number) {
        int end = number.length();
        while (end > 0 && (number.charAt(end - 1) == '.' || number.charAt(end - 1) == ',')) {
            end--;
        }
        try {
            return OptionalDouble.of(Double.parseDouble(number.substring(0, end).replace(",", "")));
        } catch (NumberFormatException _) {
            return OptionalDouble.empty();
        }
    }
}

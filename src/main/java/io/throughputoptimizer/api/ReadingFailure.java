package io.throughputoptimizer.api;

import io.throughputoptimizer.api.problem.InvalidRequestException;
import io.throughputoptimizer.catalog.NearestNames;
import io.throughputoptimizer.catalog.ReadFault;
import io.throughputoptimizer.core.serving.Accounting;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.InputCoercionException;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.databind.exc.InvalidFormatException;
import tools.jackson.databind.exc.InvalidNullException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;

/// Says in the words of the API why a document could not be read. The parser's own words stay with the parser:
/// they are about its settings and classes.
final class ReadingFailure {
    private static final int LONGEST_SHOWN = 80;

    private ReadingFailure() {}

    static InvalidRequestException of(WireFormat.Syntax syntax, String document, JacksonException failure) {
        String message = switch (failure) {
            case UnrecognizedPropertyException unknown -> unknown(unknown);
            case InvalidNullException _ -> "must not be null";
            case InvalidFormatException format
            when isRemovedAccounting(format) ->
                "unknown value " + shown(format.getValue()) + "; allowed: documented, steady. Use steady.";
            case InvalidFormatException format ->
                "must be " + expected(format.getTargetType()) + ", got " + shown(format.getValue())
                        + meant(choice(format));
            case MismatchedInputException mismatch -> "must be " + expected(mismatch.getTargetType());
            case InputCoercionException range -> "must be " + range(range.getTargetType());
            case StreamConstraintsException _ ->
                "has a number of too many digits: at most " + Bounds.DIGITS + " are allowed";
            default -> malformed(syntax, document, failure);
        };
        return new InvalidRequestException(ReadFault.pointer(failure), message);
    }

    private static String unknown(UnrecognizedPropertyException unknown) {
        Collection<?> known = known(unknown);
        List<String> names =
                known == null ? List.of() : known.stream().map(String::valueOf).toList();
        return "is not a known field; allowed: " + list(known)
                + meant(RequestParser.pathOf(unknown.getPropertyName())
                        .or(() -> NearestNames.meant(unknown.getPropertyName(), names)));
    }

    private static String meant(Optional<String> name) {
        return name.map(meant -> ". Did you mean \"" + meant + "\"?").orElse("");
    }

    /// Returns the value of an enumeration that was most likely intended.
    private static Optional<String> choice(InvalidFormatException format) {
        Class<?> type = format.getTargetType();
        return type != null && type.isEnum() && format.getValue() instanceof String text
                ? NearestNames.meant(
                        text,
                        Stream.of(type.getEnumConstants()).map(WireFormat::name).toList())
                : Optional.empty();
    }

    private static boolean isRemovedAccounting(InvalidFormatException format) {
        return format.getTargetType() == Accounting.class && WireFormat.REMOVED_ACCOUNTING.equals(format.getValue());
    }

    /// Members that would be read, with those of parts that stand in the object itself.
    private static @Nullable Collection<?> known(UnrecognizedPropertyException unknown) {
        Class<?> type = unknown.getReferringClass();
        return type != null && type.isRecord()
                ? WireMember.of(type).stream().map(WireMember::name).toList()
                : unknown.getKnownPropertyIds();
    }

    static InvalidRequestException empty() {
        return new InvalidRequestException("", "must be an object, got nothing");
    }

    private static String range(@Nullable Class<?> type) {
        boolean narrow = type == Integer.class || type == int.class;
        return "a whole number from " + (narrow ? Integer.MIN_VALUE : Long.MIN_VALUE) + " to "
                + (narrow ? Integer.MAX_VALUE : Long.MAX_VALUE);
    }

    private static String shown(@Nullable Object value) {
        String text = value instanceof String ? "\"" + value + "\"" : String.valueOf(value);
        return text.length() <= LONGEST_SHOWN ? text : text.substring(0, LONGEST_SHOWN) + "...";
    }

    private static String expected(@Nullable Class<?> type) {
        if (type == null) {
            return "a value of another type";
        }
        if (type.isEnum()) {
            return "one of "
                    + list(Stream.of(type.getEnumConstants())
                            .map(WireFormat::name)
                            .toList());
        }
        if (type == Integer.class || type == Long.class || type == int.class || type == long.class) {
            return "a whole number";
        }
        if (Number.class.isAssignableFrom(type) || type == double.class) {
            return "a number";
        }
        if (type == Boolean.class || type == boolean.class) {
            return "true or false";
        }
        if (type == String.class) {
            return "a string";
        }
        return Collection.class.isAssignableFrom(type) ? "a list" : "an object";
    }

    private static String list(@Nullable Collection<?> names) {
        return names == null ? "" : names.stream().map(String::valueOf).sorted().collect(Collectors.joining(", "));
    }

    private static String malformed(WireFormat.Syntax syntax, String document, JacksonException failure) {
        TokenStreamLocation location = failure.getLocation();
        String kind = failure.getOriginalMessage().startsWith("Duplicate")
                ? "has a member twice"
                : "is not " + syntax + " that can be read";
        if (location == null || location.getLineNr() < 1) {
            return kind;
        }
        int column = Math.max(1, location.getColumnNr());
        return kind + ": look at line " + location.getLineNr() + ", column " + column
                + excerpt(document, location.getLineNr(), column);
    }

    /// Returns the text around a position, which also helps in documents without line breaks.
    private static String excerpt(String document, int line, int column) {
        String around = document.lines().skip(line - 1L).findFirst().orElse("");
        int middle = Math.min(column - 1, around.length());
        String shown = around.substring(
                Math.max(0, middle - LONGEST_SHOWN / 4), Math.min(around.length(), middle + LONGEST_SHOWN / 4));
        return shown.isBlank() ? "" : ", near " + shown.strip();
    }
}

package io.throughputoptimizer.api;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.InputCoercionException;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.databind.exc.InvalidFormatException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;

/// Says in the words of the API why a document could not be read.
final class ReadingFailure {
    private static final String CLASS_NAME = "\\(java[\\w.]+\\) ";
    private static final int LONGEST_SHOWN = 80;

    private ReadingFailure() {}

    static InvalidRequestException of(WireFormat.Syntax syntax, JacksonException failure) {
        return new InvalidRequestException(List.of(new Violation(pointer(failure), message(syntax, failure))));
    }

    static InvalidRequestException empty() {
        return new InvalidRequestException(List.of(new Violation("", "is empty: an object is needed")));
    }

    private static String pointer(JacksonException failure) {
        return failure.getPath().stream()
                .map(step -> "/" + (step.getPropertyName() == null ? step.getIndex() : escape(step.getPropertyName())))
                .collect(Collectors.joining());
    }

    private static String escape(String member) {
        return member.replace("~", "~0").replace("/", "~1");
    }

    private static String message(WireFormat.Syntax syntax, JacksonException failure) {
        return switch (failure) {
            case UnrecognizedPropertyException unknown ->
                "is unknown: one of " + list(unknown.getKnownPropertyIds()) + " is needed";
            case InvalidFormatException format -> "is " + shown(format.getValue()) + ": " + needed(format);
            case MismatchedInputException mismatch -> "is of another type: " + needed(mismatch);
            case InputCoercionException range ->
                "is out of range: a whole number that fits "
                        + range.getTargetType().getSimpleName() + " is needed";
            default -> malformed(syntax, failure);
        };
    }

    private static String needed(MismatchedInputException mismatch) {
        return expected(mismatch.getTargetType()) + " is needed";
    }

    private static String shown(@Nullable Object value) {
        String text = String.valueOf(value);
        return text.length() <= LONGEST_SHOWN ? text : text.substring(0, LONGEST_SHOWN) + "...";
    }

    private static String expected(@Nullable Class<?> type) {
        if (type == null) {
            return "another value";
        }
        if (type.isEnum()) {
            return "one of "
                    + list(Stream.of(type.getEnumConstants())
                            .map(ReadingFailure::wireName)
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
            return "a text";
        }
        return Collection.class.isAssignableFrom(type) ? "a list" : "an object";
    }

    private static String wireName(Object constant) {
        String json = WireFormat.write(constant);
        return json.substring(1, json.length() - 1);
    }

    private static String list(@Nullable Collection<?> names) {
        return names == null ? "" : names.stream().map(String::valueOf).sorted().collect(Collectors.joining(", "));
    }

    private static String malformed(WireFormat.Syntax syntax, JacksonException failure) {
        TokenStreamLocation location = failure.getLocation();
        String place =
                location == null ? "" : " at line " + location.getLineNr() + ", column " + location.getColumnNr();
        String kind = failure instanceof StreamReadException ? "is malformed " : "is unreadable ";
        String reason =
                failure.getOriginalMessage().lines().findFirst().orElse("").replaceAll(CLASS_NAME, "");
        return kind + syntax.name().toUpperCase(Locale.ROOT) + place + ": " + reason;
    }
}

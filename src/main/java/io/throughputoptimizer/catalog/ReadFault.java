package io.throughputoptimizer.catalog;

import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonPointer;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.exc.InvalidFormatException;
import tools.jackson.databind.exc.InvalidNullException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;

/// Describes parse errors for the author of a document.
public final class ReadFault {
    private ReadFault() {}

    static Defect of(JacksonException fault) {
        return new Defect(pointer(fault), message(fault));
    }

    /// Returns the JSON pointer (RFC 6901) of the error in the document.
    public static String pointer(JacksonException fault) {
        JsonPointer pointer = JsonPointer.empty();
        for (JacksonException.Reference step : fault.getPath()) {
            pointer = step.getPropertyName() == null
                    ? pointer.appendIndex(step.getIndex())
                    : pointer.appendProperty(step.getPropertyName());
        }
        return pointer.toString();
    }

    private static String message(JacksonException fault) {
        if (fault instanceof UnrecognizedPropertyException unknown) {
            return "unknown key \"" + unknown.getPropertyName() + "\"; allowed: "
                    + known(unknown.getKnownPropertyIds());
        }
        if (fault instanceof InvalidFormatException format) {
            return "must be " + expected(format.getTargetType()) + ", got \"" + format.getValue() + "\"";
        }
        if (fault instanceof InvalidNullException) {
            return "must not contain null";
        }
        if (fault.getOriginalMessage().startsWith("Trailing token")) {
            return "must be one document; remove the text after its end" + place(fault);
        }
        if (fault instanceof MismatchedInputException mismatch && mismatch.getTargetType() != null) {
            return "must be " + expected(mismatch.getTargetType()) + place(fault);
        }
        return "cannot be parsed" + place(fault) + ": " + reason(fault);
    }

    /// Returns the parser's message without internal locations.
    private static String reason(JacksonException fault) {
        String firstLine = fault.getOriginalMessage().lines().findFirst().orElse("no reason given");
        return firstLine.replaceFirst(" \\(start marker at .*", "");
    }

    private static String known(@Nullable Collection<Object> keys) {
        return keys == null ? "none" : keys.stream().map(Object::toString).collect(Collectors.joining(", "));
    }

    private static String expected(Class<?> type) {
        if (type.isEnum()) {
            return "one of "
                    + Stream.of(type.getEnumConstants()).map(Object::toString).collect(Collectors.joining(", "));
        }
        if (type == Integer.class || type == int.class) {
            return "a whole number";
        }
        if (type == Double.class || type == double.class) {
            return "a number";
        }
        if (type == String.class) {
            return "a string";
        }
        return List.class.isAssignableFrom(type) ? "a list" : "an object";
    }

    private static String place(JacksonException fault) {
        TokenStreamLocation location = fault.getLocation();
        return location == null ? "" : " (line " + location.getLineNr() + ", column " + location.getColumnNr() + ")";
    }
}

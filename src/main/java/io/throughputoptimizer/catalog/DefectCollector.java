package io.throughputoptimizer.catalog;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Collects the defects of a document while it is read. For a missing or invalid field, reading continues with
/// a stand-in that never leaves the reader.
final class DefectCollector {
    private static final int SHOWN_LENGTH = 80;

    private final List<Defect> defects = new ArrayList<>();
    private final List<String> missing = new ArrayList<>();

    /// Returns a required number within a range.
    double number(String pointer, @Nullable Double value, NumberRange range) {
        if (value == null || !range.contains(value)) {
            refuse(pointer, value, range.rule());
            return range.min();
        }
        return value;
    }

    /// Returns a required object; fields missing in the stand-in are not reported.
    <T> T given(String pointer, @Nullable T value, T standIn) {
        if (value == null) {
            refuse(pointer, null, standIn instanceof List ? "a list" : "an object");
            missing.add(pointer + "/");
            return standIn;
        }
        return value;
    }

    /// Adds a defect: a missing field, or a value that violates a rule.
    ///
    /// @param rule noun phrase for the allowed values, such as `a string`
    void refuse(String pointer, @Nullable Object value, String rule) {
        if (missing.stream().noneMatch((pointer + "/")::startsWith)) {
            String message =
                    value == null ? " is required and must be " + rule : " must be " + rule + ", got " + shown(value);
            defects.add(new Defect(pointer, memberName(pointer) + message));
        }
    }

    /// Adds a defect for an unknown key.
    void unknown(String pointer, List<String> known) {
        defects.add(new Defect(
                pointer, "unknown key \"" + memberName(pointer) + "\"; allowed: " + String.join(", ", known)));
    }

    /// @throws InvalidDocumentException if there are defects
    void throwIfAny() {
        if (!defects.isEmpty()) {
            throw new InvalidDocumentException(defects);
        }
    }

    /// Returns the last key of a pointer; for a list element, the list and index, such as `grid[0]`.
    private static String memberName(String pointer) {
        int slash = pointer.lastIndexOf('/');
        String last = pointer.substring(slash + 1);
        boolean isIndex = last.chars().allMatch(Character::isDigit);
        return isIndex
                ? memberName(pointer.substring(0, slash)) + "[" + last + "]"
                : last.replace("~1", "/").replace("~0", "~");
    }

    private static String shown(Object value) {
        String text = value.toString();
        return text.length() <= SHOWN_LENGTH ? text : text.substring(0, SHOWN_LENGTH) + "...";
    }
}

package io.throughputoptimizer.catalog;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Collects all that is wrong with a document while it is being read. Where a member is missing or refused,
/// reading goes on with a stand-in that never leaves the reader.
final class DefectCollector {
    private static final int SHOWN_LENGTH = 80;

    private final List<Defect> defects = new ArrayList<>();
    private final List<String> missing = new ArrayList<>();

    /// A number that must be there and in range.
    double number(String pointer, @Nullable Double value, NumberRange range) {
        if (value == null || !range.contains(value)) {
            refuse(pointer, value, range.rule());
            return range.min();
        }
        return value;
    }

    /// A member with members of its own that must be there; what the stand-in lacks is not reported.
    <T> T given(String pointer, @Nullable T value, T standIn) {
        if (value == null) {
            refuse(pointer, null, standIn instanceof List ? "a list is needed" : "an object is needed");
            missing.add(pointer + "/");
            return standIn;
        }
        return value;
    }

    /// Notes that a member is missing, or that its value breaks a rule.
    void refuse(String pointer, @Nullable Object value, String rule) {
        if (missing.stream().noneMatch((pointer + "/")::startsWith)) {
            String found = value == null ? " is missing: " : " is " + shown(value) + ": ";
            defects.add(new Defect(pointer, memberName(pointer) + found + rule));
        }
    }

    /// Notes a key that nobody knows.
    void unknown(String pointer, List<String> known) {
        defects.add(new Defect(
                pointer, "unknown key \"" + memberName(pointer) + "\": known are " + String.join(", ", known)));
    }

    /// @throws InvalidDocumentException if anything was noted
    void throwIfAny() {
        if (!defects.isEmpty()) {
            throw new InvalidDocumentException(defects);
        }
    }

    /// The last key of a pointer; an element of a list is named with its list, such as `grid[0]`.
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

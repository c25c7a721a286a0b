package io.throughputoptimizer.api.benchmark;

import io.throughputoptimizer.api.problem.InvalidRequestException;
import io.throughputoptimizer.api.problem.Violation;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/// A JSON document of a file, or a part of one.
///
/// @param pointer where the part stands in its document
/// @param place of the document among others of the file, for people; empty where it is alone
record ResultDocument(JsonNode root, String pointer, String place) {
    private static final int LONGEST_SHOWN = 40;

    /// Whether it has a member that is not null.
    boolean has(String... path) {
        JsonNode member = member(path);
        return member != null && !member.isNull();
    }

    /// A part of it, which may be missing in it.
    ResultDocument part(String... path) {
        JsonNode member = member(path);
        return new ResultDocument(
                member == null ? MissingNode.getInstance() : member, pointer + "/" + String.join("/", path), place);
    }

    /// An element of a list that it is.
    ResultDocument element(int index) {
        return new ResultDocument(root.get(index), pointer + "/" + index, place);
    }

    /// A figure above 0; absent where there is none.
    ///
    /// @throws InvalidRequestException if it is anything else
    @Nullable
    Double figure(String... path) {
        JsonNode member = member(path);
        if (member == null || member.isNull()) {
            return null;
        }
        double value = member.isNumber() ? member.doubleValue() : Double.NaN;
        if (!(value > 0 && Double.isFinite(value))) {
            throw refused(shown(member) + ": a number above 0 is needed", path);
        }
        return value;
    }

    /// A figure that must be there.
    double needed(String... path) {
        Double value = figure(path);
        if (value == null) {
            throw refused("missing: a number above 0 is needed", path);
        }
        return value;
    }

    /// How many there are of something; 0 where nothing says it.
    double count(String... path) {
        JsonNode member = member(path);
        boolean none = member == null || member.isNull() || (member.isNumber() && member.doubleValue() == 0);
        return none ? 0 : needed(path);
    }

    /// A text or a number as a text, a whole one without a point; absent where there is neither.
    @Nullable
    String text(String... path) {
        JsonNode member = member(path);
        if (member != null && member.isNumber() && member.doubleValue() == Math.rint(member.doubleValue())) {
            return Double.isInfinite(member.doubleValue()) ? "inf" : Long.toString((long) member.doubleValue());
        }
        return member == null || !member.isValueNode() || member.isNull() ? null : member.asString();
    }

    /// @param fault what the member is, and what is needed
    InvalidRequestException refused(String fault, String... path) {
        String at = path.length == 0 ? pointer : pointer + "/" + String.join("/", path);
        return new InvalidRequestException(
                List.of(new Violation(at, place.isEmpty() ? "is " + fault : "of " + place + " is " + fault)));
    }

    private static String shown(JsonNode member) {
        String text = member.toString();
        return text.length() > LONGEST_SHOWN ? text.substring(0, LONGEST_SHOWN) + "..." : text;
    }

    private @Nullable JsonNode member(String... path) {
        JsonNode member = root;
        for (String name : path) {
            member = member.get(name);
            if (member == null) {
                return null;
            }
        }
        return member;
    }
}

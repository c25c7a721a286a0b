package io.throughputoptimizer.api.result;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The JSON of a result as most callers want it: with the best rows only, and without the parts that charts are made
/// of. All else stays as it was, to the byte. The text is cut without being parsed.
public final class BriefResult {
    /// Rows of a table that are kept.
    public static final int ROWS = 100;

    private static final String OMITTED_ROWS = "omitted_rows";
    private static final Set<String> TABLES = Set.of("devices/phases/rows", "devices/pd_ratio/rows", "capacity/rows");
    private static final Map<String, ResultPart> PARTS = Map.of(
            "devices/phases/points",
            ResultPart.PROBES,
            "devices/phases/omitted_points",
            ResultPart.PROBES,
            "explanation/answers/pareto_frontier/points",
            ResultPart.FRONTIER,
            "capacity/rows/instances/load/composition",
            ResultPart.COMPOSITIONS,
            "capacity/rows/instances/peak/composition",
            ResultPart.COMPOSITIONS);
    private static final Member RESULT = Member.tree();

    private final String json;
    private final Set<ResultPart> included;
    private final int rows;
    private final StringBuilder brief;
    private int position;

    /// A member of a result that is cut, or that has such members, whether lists lie between or not.
    private static final class Member {
        private final Map<String, Member> members = new HashMap<>();
        private boolean isTable;
        private @Nullable ResultPart part;

        static Member tree() {
            Member root = new Member();
            TABLES.forEach(path -> root.at(path).isTable = true);
            PARTS.forEach((path, part) -> root.at(path).part = part);
            return root;
        }

        private Member at(String path) {
            Member member = this;
            for (String name : path.split("/", -1)) {
                member = member.members.computeIfAbsent(name, _ -> new Member());
            }
            return member;
        }
    }

    private BriefResult(String json, Set<ResultPart> included) {
        this.json = json;
        this.included = included;
        this.rows = included.contains(ResultPart.ALL_ROWS) ? Integer.MAX_VALUE : ROWS;
        this.brief = new StringBuilder(json.length());
    }

    /// @param json of a [ResultResponse], without white space
    /// @param included parts that are kept
    public static String of(String json, Set<ResultPart> included) {
        BriefResult result = new BriefResult(json, included);
        result.copy(RESULT);
        return result.brief.toString();
    }

    private void copy(@Nullable Member member) {
        if (member == null || member.members.isEmpty()) {
            int begin = position;
            skip();
            brief.append(json, begin, position);
        } else if (json.charAt(position) == '{') {
            copyObject(member);
        } else {
            long _ = copyList(member, Integer.MAX_VALUE);
        }
    }

    private void copyObject(Member object) {
        brief.append('{');
        int first = brief.length();
        long leftOut = 0;
        while (json.charAt(position) != '}') {
            int begin = ++position;
            if (json.charAt(begin) == '}') {
                break;
            }
            skipText();
            String name = json.substring(begin + 1, position - 1);
            position++;
            Member member = object.members.get(name);
            if (member != null && member.part != null && !included.contains(member.part)) {
                skip();
            } else if (name.equals(OMITTED_ROWS)) {
                int number = position;
                skip();
                leftOut += Long.parseLong(json, number, position, 10);
            } else {
                separate(first).append(json, begin, position);
                if (member != null && member.isTable) {
                    leftOut += copyList(member, rows);
                } else {
                    copy(member);
                }
            }
        }
        position++;
        if (leftOut > 0) {
            separate(first).append('"').append(OMITTED_ROWS).append("\":").append(leftOut);
        }
        brief.append('}');
    }

    /// Copies the first elements of a list, or a value that is none. Returns the number of elements that it leaves out.
    private long copyList(Member list, int most) {
        if (json.charAt(position) != '[') {
            copy(null);
            return 0;
        }
        brief.append('[');
        int first = brief.length();
        long elements = 0;
        while (json.charAt(position) != ']') {
            position++;
            if (json.charAt(position) == ']') {
                break;
            }
            if (elements < most) {
                separate(first);
                copy(list);
            } else {
                skip();
            }
            elements++;
        }
        position++;
        brief.append(']');
        return Math.max(elements - most, 0);
    }

    private StringBuilder separate(int first) {
        return brief.length() == first ? brief : brief.append(',');
    }

    /// Moves behind the value that begins here.
    private void skip() {
        int depth = 0;
        do {
            switch (json.charAt(position)) {
                case '"' -> skipText();
                case '{', '[' -> {
                    depth++;
                    position++;
                }
                case '}', ']' -> {
                    depth--;
                    position++;
                }
                default -> position++;
            }
        } while (depth > 0 || !isEnd());
    }

    private boolean isEnd() {
        return position == json.length() || ",}]".indexOf(json.charAt(position)) >= 0;
    }

    /// Moves behind the text that begins here.
    private void skipText() {
        int end = json.indexOf('"', position + 1);
        while (isEscaped(end)) {
            end = json.indexOf('"', end + 1);
        }
        position = end + 1;
    }

    private boolean isEscaped(int quote) {
        int backslash = quote;
        while (json.charAt(backslash - 1) == '\\') {
            backslash--;
        }
        return (quote - backslash) % 2 == 1;
    }
}

package io.throughputoptimizer.api.benchmark;

import java.util.HashMap;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;

/// A path to values of a result file. Slashes separate steps: a name (`~1` for a slash within), the number of an
/// element, `#` for the element at the index of the run (a value that is no list stands for all its elements), `*` for
/// all elements or members. Brackets after a step keep values that fulfill a condition: `[type_=concurrent]` compares a
/// member, `[=decode]` the value. Paths start at the run, paths with a leading `/` at the document.
record ResultPath(boolean isAbsolute, List<Step> steps) {
    private static final Pattern STEP = Pattern.compile("([^\\[]*)(?:\\[([^=]*)=([^]]*)])?");
    private static final Pattern SLASH = Pattern.compile("/(?![^\\[]*])");
    private static final Pattern ELEMENT = Pattern.compile("[0-9]{1,4}");
    static final String EACH = "*";
    private static final String AT_INDEX = "#";

    /// @param member path to the value that the condition compares
    /// @param expected value that the condition requires; absent without a condition
    record Step(String name, List<String> member, @Nullable String expected) {
        static Step of(String text) {
            Matcher step = STEP.matcher(text);
            if (!step.matches()) {
                throw new IllegalArgumentException(text + " is not a step of a path");
            }
            String member = step.group(2);
            return new Step(
                    step.group(1).replace("~1", "/"),
                    member == null || member.isEmpty() ? List.of() : List.of(member.split("/", -1)),
                    step.group(3));
        }

        private boolean accepts(JsonNode value) {
            JsonNode compared = value;
            for (String each : member) {
                compared = compared.path(each);
            }
            return !value.isMissingNode()
                    && !value.isNull()
                    && (expected == null || expected.equalsIgnoreCase(compared.asString("")));
        }

        private Stream<Value> from(Value start, int index) {
            JsonNode node = start.node;
            if (name.equals(EACH)) {
                return (node.isArray()
                                ? IntStream.range(0, node.size()).mapToObj(Integer::toString)
                                : node.propertyNames().stream())
                        .map(start::child);
            }
            if (name.equals(AT_INDEX)) {
                return Stream.of(node.isArray() ? start.child(Integer.toString(index)) : start);
            }
            return Stream.of(start.child(name));
        }
    }

    /// A value of a document and its JSON pointer.
    record Value(JsonNode node, String pointer) {
        private Value child(String name) {
            JsonNode parent = node.isString() ? cell(node.asString()) : node;
            return new Value(
                    parent.isArray() && ELEMENT.matcher(name).matches()
                            ? parent.path(Integer.parseInt(name))
                            : parent.path(name),
                    pointer + "/" + name);
        }

        /// Reads a cell of a table that holds JSON.
        private static JsonNode cell(String text) {
            try {
                return text.startsWith("{") ? JsonMapper.shared().readTree(text) : MissingNode.getInstance();
            } catch (JacksonException _) {
                return MissingNode.getInstance();
            }
        }
    }

    static ResultPath of(String path) {
        boolean absolute = path.startsWith("/");
        return new ResultPath(
                absolute,
                SLASH.splitAsStream(absolute ? path.substring(1) : path)
                        .map(Step::of)
                        .toList());
    }

    /// Returns the values at this path that are present and not null.
    ///
    /// @param index index of the run in its file
    List<Value> find(Value start, int index) {
        List<Value> found = List.of(start);
        for (Step step : steps) {
            found = found.stream()
                    .flatMap(value -> step.from(value, index))
                    .filter(value -> step.accepts(value.node))
                    .toList();
        }
        return found;
    }

    /// The names of paths at one place of a document, each with the names below it.
    static final class Names extends HashMap<String, Names> {
        /// Adds the names of a path, and returns the names below its end.
        Names add(ResultPath path) {
            Names at = this;
            for (Step step : path.steps) {
                boolean element =
                        step.name.equals(AT_INDEX) || ELEMENT.matcher(step.name).matches();
                at = at.computeIfAbsent(element ? EACH : step.name, _ -> new Names());
                Names compared = at;
                for (String name : step.member) {
                    compared = compared.computeIfAbsent(name, _ -> new Names());
                }
            }
            return at;
        }

        @Nullable
        Names below(String name) {
            Names named = get(name);
            return named == null ? get(EACH) : named;
        }
    }
}

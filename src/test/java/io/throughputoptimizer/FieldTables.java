package io.throughputoptimizer;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Tables of the fields of an API description: each object of a request once, and the main objects of responses.
final class FieldTables {
    private static final List<String> REQUESTS =
            List.of("optimizations", "estimates", "simulations", "sweeps", "portfolios", "measurements");

    /// Documents of other operations, which have their own pages.
    private static final Set<String> ELSEWHERE = Set.of("DeviceDocument");

    private static final Pattern DEFAULT = Pattern.compile("\\s*Default: ([^.]*(?:\\.[^\\s.][^.]*)*)\\.(?=\\s|$)");
    private static final Pattern CLAUSE_END = Pattern.compile("[.](?=\\s+[A-Z`]|\\s*$)|;|(?<=[^`]{25}):(?=\\s)");

    private static final Pattern INTERVAL = Pattern.compile("_(band|range)$");

    /// Characters of a list of values that is printed once.
    private static final int LONG_TYPE = 80;

    /// Maxima from here on only guard against overflow.
    private static final double LARGE = 1e6;

    private record Origin(String table, String field) {}

    private final JsonNode description;
    private final Map<String, String> headings = new LinkedHashMap<>();

    /// Heading of the table that described a field of a request, by the field's cells.
    private final Map<List<String>, String> described = new HashMap<>();

    /// Field that listed values first, by their text.
    private final Map<String, Origin> listed = new HashMap<>();

    private final StringBuilder text = new StringBuilder();

    FieldTables(JsonNode description) {
        this.description = description;
    }

    String text() {
        for (String operation : REQUESTS) {
            String path = "/api/v1/" + operation;
            JsonNode body = description
                    .path("paths")
                    .path(path)
                    .path("post")
                    .path("requestBody")
                    .path("content")
                    .path("application/json")
                    .path("schema");
            text.append("## POST ").append(path).append("\n\n");
            appendRequest(operation, name(body), "POST " + path);
        }
        text.append("""
                ## Responses

                Fields that end with `_band` and `_range` are intervals of the field that they are named after.

                """);
        JsonNode result = schema("OptimizationResult").path("properties");
        Stream.of("Job", "OptimizationResult", name(result.path("best")), "Row")
                .distinct()
                .filter(name -> schema(name).has("properties"))
                .forEach(this::appendResponse);
        return text.toString().stripTrailing() + "\n";
    }

    private void appendRequest(String operation, String root, String rootHeading) {
        Deque<String> open = new ArrayDeque<>(List.of(root));
        while (!open.isEmpty()) {
            String name = open.pop();
            if (!name.equals(root)) {
                text.append("### ").append(headings.get(name)).append("\n\n");
            }
            List<String> inner = new ArrayList<>();
            schema(name)
                    .path("properties")
                    .properties()
                    .forEach(field -> objects(field.getValue())
                            .filter(object -> !ELSEWHERE.contains(object) && !headings.containsKey(object))
                            .forEach(object -> {
                                String path =
                                        name.equals(root) ? field.getKey() : headings.get(name) + "." + field.getKey();
                                headings.put(
                                        object, headings.containsValue(path) ? path + " (" + operation + ")" : path);
                                inner.add(object);
                            }));
            inner.reversed().forEach(open::push);
            appendTable(name, name.equals(root) ? rootHeading : headings.get(name));
        }
    }

    private void appendResponse(String name) {
        text.append("### ").append(name).append("\n\n");
        appendTable(name, null);
    }

    /// Appends the table of an object. Fields of requests that another table describes are only named.
    private void appendTable(String name, @Nullable String heading) {
        JsonNode schema = schema(name);
        boolean isRequest = heading != null;
        Set<String> required =
                schema.path("required").valueStream().map(JsonNode::asString).collect(Collectors.toSet());
        List<List<String>> fields = schema.path("properties").properties().stream()
                .filter(field -> isRequest || !INTERVAL.matcher(field.getKey()).find())
                .map(field -> cells(name, field.getKey(), field.getValue(), isRequest ? required : null))
                .toList();
        Map<String, List<String>> elsewhere = isRequest
                ? fields.stream()
                        .collect(Collectors.groupingBy(
                                cells -> describing(cells, heading),
                                LinkedHashMap::new,
                                Collectors.mapping(List::getFirst, Collectors.toList())))
                : new LinkedHashMap<>();
        elsewhere.values().removeIf(names -> names.size() < 2);
        elsewhere.remove(heading);
        List<List<String>> rows = fields.stream()
                .filter(cells -> elsewhere.values().stream().noneMatch(names -> names.contains(cells.getFirst())))
                .toList();
        if (!rows.isEmpty()) {
            List<String> heads = List.of("Field", isRequest ? "Type, default" : "Type", "Description");
            text.append(ReferencePagesTest.table(heads, rows.stream())).append("\n");
        }
        elsewhere.forEach((other, names) -> text.append(rows.isEmpty() ? "As in [" : "Also, as in [")
                .append(other)
                .append("](#")
                .append(anchor(other))
                .append("):\n")
                .append(String.join(", ", names))
                .append(".\n\n"));
    }

    /// Returns the heading of the table that describes a field first.
    private String describing(List<String> cells, String heading) {
        boolean isLink = cells.get(1).contains("](#");
        String first = described.putIfAbsent(isLink ? List.copyOf(cells.subList(0, 2)) : cells, heading);
        return first == null ? heading : first;
    }

    private List<String> cells(String table, String field, JsonNode schema, @Nullable Set<String> required) {
        String words = words(schema);
        String type = once(table, field, type(schema, required != null));
        if (required != null) {
            String value = required.contains(field) ? "required" : defaultValue(words);
            type += value.isEmpty() ? "" : "; " + value;
        }
        return List.of(ReferencePagesTest.code(field), type, firstClause(words));
    }

    /// Returns the type of a field, or where a long one was printed first.
    private String once(String table, String field, String type) {
        if (type.length() <= LONG_TYPE) {
            return type;
        }
        Origin first = listed.putIfAbsent(type, new Origin(table, field));
        if (first == null) {
            return type;
        }
        return "as " + ReferencePagesTest.code(first.field())
                + (first.table().equals(table) ? "" : " of " + first.table());
    }

    private String words(JsonNode field) {
        String own = field.path("description").asString("");
        return own.isEmpty() && field.has("$ref")
                ? schema(name(field)).path("description").asString("")
                : own;
    }

    private static String defaultValue(String words) {
        Matcher found = DEFAULT.matcher(words);
        return found.find() ? "default " + found.group(1).split("[,;](?![^\\[]*])", 2)[0] : "";
    }

    private static String firstClause(String words) {
        String text = DEFAULT.matcher(words).replaceAll("").strip();
        Matcher end = CLAUSE_END.matcher(text);
        return (end.find() ? text.substring(0, end.start()) : text).strip();
    }

    private String type(JsonNode schema, boolean links) {
        if (schema.has("enum")) {
            return schema.path("enum")
                    .valueStream()
                    .map(value -> ReferencePagesTest.code(value.asString()))
                    .collect(Collectors.joining(", "));
        }
        if (schema.has("$ref")) {
            String name = name(schema);
            if (schema(name).has("properties")) {
                return links && headings.containsKey(name) ? "[object](#" + anchor(headings.get(name)) + ")" : "object";
            }
            return type(schema(name), links);
        }
        for (String choice : List.of("anyOf", "oneOf", "allOf")) {
            if (schema.has(choice)) {
                return schema.path(choice)
                        .valueStream()
                        .filter(one -> !one.path("type").asString("").equals("null"))
                        .map(one -> type(one, links))
                        .distinct()
                        .collect(Collectors.joining(" or "));
            }
        }
        return simple(schema, links);
    }

    private String simple(JsonNode schema, boolean links) {
        JsonNode type = schema.path("type");
        String name = type.isArray()
                ? type.valueStream()
                        .map(JsonNode::asString)
                        .filter(one -> !one.equals("null"))
                        .collect(Collectors.joining(" or "))
                : type.asString("");
        if (name.equals("array")) {
            return "list of " + type(schema.path("items"), links);
        }
        if (name.isEmpty() && schema.has("items")) {
            String one = type(schema.path("items"), links);
            return one + " or list";
        }
        String unnamed = schema.has("minimum") ? "number or object" : "any";
        return (name.isEmpty() ? unnamed : name) + bounds(schema);
    }

    private static String bounds(JsonNode schema) {
        List<String> bounds = new ArrayList<>();
        if (schema.has("exclusiveMinimum")) {
            bounds.add("> " + bound(schema.path("exclusiveMinimum")));
        }
        boolean hasMaximum = schema.path("maximum").asDouble(LARGE) < LARGE;
        boolean hasBoth = schema.has("minimum") && hasMaximum;
        if (hasBoth) {
            bounds.add(bound(schema.path("minimum")) + " to " + bound(schema.path("maximum")));
        } else if (schema.has("minimum")) {
            bounds.add("≥ " + bound(schema.path("minimum")));
        } else if (hasMaximum) {
            bounds.add("≤ " + bound(schema.path("maximum")));
        }
        if (schema.has("exclusiveMaximum")) {
            bounds.add("< " + bound(schema.path("exclusiveMaximum")));
        }
        return bounds.isEmpty() ? "" : " " + String.join(", ", bounds);
    }

    private static String bound(JsonNode number) {
        return number.decimalValue().stripTrailingZeros().toPlainString();
    }

    /// Returns the object schemas that a field refers to.
    private Stream<String> objects(JsonNode field) {
        return field.findValues("$ref").stream()
                .map(FieldTables::last)
                .flatMap(name -> schema(name).has("properties") ? Stream.of(name) : objects(schema(name)))
                .distinct();
    }

    private JsonNode schema(String name) {
        return description.path("components").path("schemas").path(name);
    }

    private static String name(JsonNode reference) {
        return last(reference.path("$ref"));
    }

    private static String last(JsonNode reference) {
        String text = reference.asString("");
        return text.substring(text.lastIndexOf('/') + 1);
    }

    /// Returns a heading as it is in addresses.
    static String anchor(String heading) {
        return heading.toLowerCase(Locale.ROOT)
                .replaceAll("[^\\p{L}\\p{N}\\s_-]", "")
                .replace(' ', '-');
    }
}

package io.throughputoptimizer.web.mcp;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.problem.InvalidRequestException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Tools, prompts and pages for agents, `mcp/agents.yaml`.
///
/// @param instructions advice to all agents
/// @param fields arguments that several tools have, by name
/// @param lists lists of results, by name
public record ToolTable(
        String instructions,
        Map<String, Field> fields,
        Map<String, Listed> lists,
        List<Tool> tools,
        List<Prompt> prompts,
        List<Page> pages) {
    private static final String REQUEST = "request";
    private static final ToolTable TABLE = read();

    /// An argument of a tool.
    ///
    /// @param at JSON pointer of its field in the REST request; null if it is none
    /// @param with values of further fields that it brings along, by pointer
    /// @param schema JSON schema
    public record Field(@Nullable String at, @Nullable Map<String, Object> with, Map<String, Object> schema) {}

    /// A list of results.
    ///
    /// @param members members of its elements
    /// @param columns members that the text has in a table; null for none
    /// @param most maximum elements
    public record Listed(List<String> members, @Nullable List<String> columns, int most) {}

    /// A tool.
    ///
    /// @param question question that it answers, for people
    /// @param set fixed fields of its REST request, by pointer
    /// @param reads true if the role `read` suffices
    /// @param fields names of arguments
    /// @param own arguments of this tool only, by name
    /// @param next tools to call afterwards, in words
    public record Tool(
            String name,
            String title,
            String question,
            String description,
            @Nullable Map<String, Object> set,
            @Nullable Boolean reads,
            List<String> fields,
            @Nullable Map<String, Field> own,
            @Nullable List<String> required,
            String next) {

        /// Returns the argument of a name.
        public Field field(String name) {
            return requireNonNull(
                    requireNonNullElse(own, Map.<String, Field>of()).getOrDefault(name, TABLE.fields.get(name)));
        }

        /// Returns the schema of the arguments.
        public Map<String, Object> schema() {
            Map<String, Object> properties = new LinkedHashMap<>();
            fields.forEach(name -> properties.put(name, field(name).schema));
            return Map.of(
                    "type",
                    "object",
                    "properties",
                    properties,
                    "required",
                    requireNonNullElse(required, List.of()),
                    "additionalProperties",
                    false);
        }

        /// Returns the REST request of a call: its fixed fields and its arguments before those of `request`.
        ///
        /// @throws InvalidRequestException if `request` is no object
        public byte[] body(Map<String, Object> arguments) {
            Object further = arguments.getOrDefault(REQUEST, Map.of());
            if (!(further instanceof Map)) {
                throw new InvalidRequestException("/request", "must be an object");
            }
            Map<String, Object> body = Json.of(further).members();
            arguments.forEach((name, value) -> {
                String place = field(name).at;
                if (place != null) {
                    put(body, place, value, true);
                }
            });
            requireNonNullElse(set, Map.<String, Object>of()).forEach((place, value) -> put(body, place, value, true));
            arguments
                    .keySet()
                    .forEach(name -> requireNonNullElse(field(name).with, Map.<String, Object>of())
                            .forEach((place, value) -> put(body, place, value, false)));
            return WireFormat.write(body).getBytes(StandardCharsets.UTF_8);
        }

        @SuppressWarnings("unchecked") // Objects have names of type String.
        private static void put(Map<String, Object> body, String pointer, Object value, boolean replaces) {
            String name = pointer.substring(1);
            int slash = name.indexOf('/');
            if (slash < 0) {
                if (replaces) {
                    body.put(name, value);
                } else {
                    body.putIfAbsent(name, value);
                }
            } else if (body.computeIfAbsent(name.substring(0, slash), _ -> new LinkedHashMap<>())
                    instanceof Map<?, ?> inner) {
                put((Map<String, Object>) inner, name.substring(slash), value, replaces);
            }
        }
    }

    /// A prompt.
    ///
    /// @param arguments descriptions of its arguments, all of them required, by name
    /// @param text message with names of arguments in braces
    public record Prompt(String name, String title, String description, Map<String, String> arguments, String text) {
        /// Returns the message with values of its arguments; an absent one stays a name.
        public String message(Map<String, Object> values) {
            String message = text;
            for (String name : arguments.keySet()) {
                Object value = values.get(name);
                message = value == null ? message : message.replace("{" + name + "}", value.toString());
            }
            return message;
        }
    }

    /// A page of the documentation.
    ///
    /// @param name last part of its URI
    /// @param file path below `docs`
    /// @param optional true for pages that few agents need, in the last section of `llms.txt`
    public record Page(
            String name,
            String title,
            String file,
            @Nullable Boolean optional,
            String about) {
        /// Returns the text of the page.
        public String text() {
            return new String(WireFormat.bundled("/static/agents/" + file), StandardCharsets.UTF_8);
        }

        public String uri() {
            return "docs://" + name;
        }
    }

    /// Returns the table.
    public static ToolTable get() {
        return TABLE;
    }

    /// Returns the tool of a name.
    public Tool tool(String name) {
        return tools.stream().filter(tool -> tool.name.equals(name)).findFirst().orElseThrow();
    }

    private static ToolTable read() {
        return WireFormat.bundled("/mcp/agents.yaml", ToolTable.class);
    }
}

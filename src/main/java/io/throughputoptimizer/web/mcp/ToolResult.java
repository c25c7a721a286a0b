package io.throughputoptimizer.web.mcp;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.web.mcp.ToolTable.Tool;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Result of a tool: a short text, and the fields of the REST response that an agent needs. Used by one thread.
public final class ToolResult {
    private static final int LONGEST_TEXT = 1_500;
    private static final int LONGEST_LINE = 600;
    private static final int LONGEST_CONTENT = 16_384;
    private static final int ROWS_OF_TEXT = 5;
    private static final double WHOLE = 100;
    private static final MathContext DIGITS = new MathContext(3);
    private static final String LEFT_OFF = "left_off";
    private static final String BAND = "_band";

    private final StringBuilder text = new StringBuilder();
    private final Map<String, Object> content = new LinkedHashMap<>();
    private final String next;
    private final boolean isError;

    /// @param next tools to call afterwards, in words
    /// @param isError true for a rejected call
    public ToolResult(String next, boolean isError) {
        this.next = next;
        this.isError = isError;
    }

    public ToolResult(String next) {
        this(next, false);
    }

    public boolean isError() {
        return isError;
    }

    /// Returns the text, at most 1,500 characters. Lines that do not fit are left out, the last one is always there.
    public String text() {
        return text + "Next: " + next;
    }

    /// Returns the structured content, at most 16 KB: the longest list loses its last half, another member is left out,
    /// until the rest fits. `left_off` counts what is missing.
    public Map<String, Object> content() {
        while (WireFormat.write(content).length() > LONGEST_CONTENT) {
            String longest = content.keySet().stream()
                    .filter(name -> !name.equals(LEFT_OFF))
                    .max(Comparator.comparingInt(name ->
                            WireFormat.write(requireNonNull(content.get(name))).length()))
                    .orElseThrow();
            if (content.get(longest) instanceof List<?> list && list.size() > 1) {
                put(longest, list, list.size() / 2);
            } else {
                content.remove(longest);
                leaveOff(longest, 1);
            }
        }
        return content;
    }

    /// Adds lines to the text, each cut if it is very long.
    public ToolResult say(Stream<String> lines) {
        lines.filter(line -> !line.isEmpty())
                .map(line -> line.length() > LONGEST_LINE ? line.substring(0, LONGEST_LINE - 3) + "..." : line)
                .filter(line -> text().length() + line.length() < LONGEST_TEXT)
                .forEach(line -> text.append(line).append('\n'));
        return this;
    }

    public ToolResult say(String... lines) {
        return say(Stream.of(lines));
    }

    /// Adds members to the content.
    public ToolResult put(Map<String, Object> members) {
        content.putAll(members);
        return this;
    }

    private void put(String name, List<?> all, int most) {
        if (!all.isEmpty()) {
            content.put(name, List.copyOf(all.subList(0, Math.min(most, all.size()))));
            leaveOff(name, all.size() - most);
        }
    }

    private void leaveOff(String name, int elements) {
        if (elements > 0) {
            Map<String, Object> counts = new Json(content.get(LEFT_OFF)).members();
            counts.merge(name, elements, (before, more) -> (Integer) before + (Integer) more);
            content.put(LEFT_OFF, counts);
        }
    }

    /// Adds a list to the content, with the members that the table of tools names, and its first elements to the text
    /// if the table names columns.
    ///
    /// @param most maximum elements
    public ToolResult list(String name, Stream<Json> elements, int most) {
        ToolTable.Listed form = requireNonNull(ToolTable.get().lists().get(name));
        List<Map<String, Object>> all =
                elements.map(element -> entry(element, form.members())).toList();
        put(name, all, most);
        List<String> columns = requireNonNullElse(form.columns(), List.<String>of()).stream()
                .filter(column -> all.stream().anyMatch(row -> row.containsKey(column)))
                .toList();
        if (!columns.isEmpty()) {
            say("| " + String.join(" | ", columns) + " |");
            say(all.stream()
                    .limit(ROWS_OF_TEXT)
                    .map(row -> columns.stream()
                            .map(column -> cell(row, column))
                            .collect(Collectors.joining(" | ", "| ", " |"))));
        }
        return this;
    }

    private ToolResult list(String name, Stream<Json> elements) {
        return list(
                name,
                elements,
                requireNonNull(ToolTable.get().lists().get(name)).most());
    }

    /// Returns some members of an object and of the change in it; a layout and instances are in words.
    private static Map<String, Object> entry(Json element, List<String> names) {
        Map<String, Object> entry = new LinkedHashMap<>();
        String layout = layout(element);
        if (!layout.isEmpty()) {
            entry.put("layout", layout);
        }
        entry.putAll(element.at("change").keep(names));
        entry.putAll(element.keep(names));
        entry.computeIfPresent(
                "instances",
                (_, _) -> element.each("instances")
                        .map(group -> group.at("count").text() + " x " + layout(group.at("load", "parallel")))
                        .collect(Collectors.joining(" + ")));
        return entry;
    }

    /// Returns the sizes of a layout above 1, the first one always, and its replicas.
    private static String layout(Json row) {
        String layout = Stream.of(row.at("parallel"), row.at("parallel_p"), row.at("parallel_d"), row)
                .map(parallel -> parallel.at("label").text())
                .filter(label -> !label.isEmpty())
                .map(label -> {
                    String[] sizes = label.split(" \\| ", -1);
                    return Stream.concat(
                                    Stream.of(sizes[0]),
                                    Arrays.stream(sizes).skip(1).filter(size -> !size.endsWith("=1")))
                            .collect(Collectors.joining(" "));
                })
                .collect(Collectors.joining(" : "));
        Json replicas = row.at("replicas");
        return replicas.isPresent() ? layout + " x " + replicas.text() : layout;
    }

    /// Returns a value of a table, with its prediction interval if it has one.
    private static String cell(Map<String, Object> row, String name) {
        Json band = new Json(row.get(name + BAND));
        String figure = words(row.getOrDefault(name, ""));
        return band.at("low").isPresent() && band.at("high").isPresent()
                ? figure + " (" + words(requireNonNull(band.at("low").value())) + " to "
                        + words(requireNonNull(band.at("high").value())) + ")"
                : figure;
    }

    /// Returns a value in words: numbers with three digits, or whole and grouped from 100 on.
    private static String words(Object value) {
        return switch (value) {
            case Double number ->
                Math.abs(number) >= WHOLE
                        ? String.format(Locale.ROOT, "%,.0f", number)
                        : BigDecimal.valueOf(number)
                                .round(DIGITS)
                                .stripTrailingZeros()
                                .toPlainString();
            case Number number -> String.format(Locale.ROOT, "%,d", number.longValue());
            case List<?> list ->
                list.stream()
                        .map(element -> words(requireNonNullElse(element, "")))
                        .collect(Collectors.joining(", "));
            case Map<?, ?> object ->
                object.get("value") instanceof Number number
                        ? words(number)
                        : object.values().stream()
                                .map(member -> words(requireNonNullElse(member, "")))
                                .collect(Collectors.joining(" "));
            default -> value.toString();
        };
    }

    /// Returns the result of a search: its best plan, rows, deployments or ranking, and explanation.
    ///
    /// @param job response of `POST /api/v1/optimizations`
    public static ToolResult ofSearch(Tool tool, Json job) {
        Json found = job.at("result");
        Json best = found.at("best");
        ToolResult result = new ToolResult(
                best.isPresent()
                        ? tool.next()
                        : "what_fits with the same model and devices; explain for changes that help.");
        result.say(found.at("summary").text());
        result.put(found.keep(Set.of("best", "summary")))
                .put(Map.of("cost_model", job.at("request", "cost_model").text()));
        result.say(Stream.of("ttft_ms", "tpot_ms", "tokens_per_s")
                .filter(name -> best.at(name + BAND).isPresent())
                .map(name -> name + " " + cell(best.members(), name))
                .reduce((first, second) -> first + ", " + second)
                .map(bands -> "Bands: " + bands + ".")
                .stream());
        List<Json> ranking = found.each("cross_hardware", "rows").toList();
        Json capacity = found.at("capacity");
        if (capacity.isPresent()) {
            result.list("deployments", capacity.each("rows")).list("shortfalls", capacity.each("shortfalls"));
        } else if (ranking.size() > 1) {
            result.list("ranking", ranking.stream());
        } else {
            result.list(
                    "rows",
                    Stream.concat(
                            found.each("devices", "phases", "rows"),
                            found.each("devices")
                                    .flatMap(device -> device.at("pd_ratio").each("rows"))));
        }
        if (!capacity.isPresent()) {
            result.list("rejected", found.each("devices", "phases", "rejected"));
        }
        Json explanation = found.at("explanation");
        result.list("limits", explanation.each("answers", "bottlenecks"))
                .list("levers", explanation.each("answers", "sensitivities"))
                .list("nearest_feasible", explanation.each("answers", "nearest_feasible"));
        List<String> assumed = found.each("devices", "assumptions")
                .map(one -> one.at("text").text())
                .distinct()
                .toList();
        result.put("assumptions", assumed, Integer.MAX_VALUE);
        return result.say(best.each("warnings").map(warning -> "Warning: " + warning.text()))
                .say(assumed.isEmpty() ? "" : "Assumes: " + String.join("; ", assumed) + ".");
    }

    /// Returns launch commands.
    ///
    /// @param launch response of `POST /api/v1/launch-scripts`
    /// @param script the same in plain text
    public static ToolResult ofLaunch(Tool tool, Json launch, String script) {
        ToolResult result = new ToolResult(tool.next())
                .put(launch.keep(
                        requireNonNull(ToolTable.get().lists().get("launch")).members()))
                .put(Map.of("script", script));
        result.put("not_sent", launch.each("checks", "not_sent").map(Json::text).toList(), Integer.MAX_VALUE);
        return result.say(launch.each("servers")
                        .flatMap(server -> Stream.of(
                                server.at("instances").text() + " instances of "
                                        + server.at("num_devices").text() + " "
                                        + server.at("device").text() + ", MODEL="
                                        + launch.at("model").text() + ":",
                                server.at("command").text())))
                .say("The structured content has the whole script.")
                .say(launch.each("notes").map(Json::text));
    }
}

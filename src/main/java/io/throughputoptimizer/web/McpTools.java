package io.throughputoptimizer.web;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.WireFormat.Syntax;
import io.throughputoptimizer.api.key.Role;
import io.throughputoptimizer.api.metrics.ComparisonRequest;
import io.throughputoptimizer.api.metrics.ComparisonResponse;
import io.throughputoptimizer.api.metrics.MetricsReader;
import io.throughputoptimizer.api.metrics.ServerCommand;
import io.throughputoptimizer.api.problem.InvalidRequestException;
import io.throughputoptimizer.api.problem.Problem;
import io.throughputoptimizer.api.problem.Problem.Fault;
import io.throughputoptimizer.api.problem.ProblemKind;
import io.throughputoptimizer.api.problem.Violation;
import io.throughputoptimizer.api.request.SubmittedRequest;
import io.throughputoptimizer.api.result.LaunchResponse;
import io.throughputoptimizer.catalog.NearestNames;
import io.throughputoptimizer.launch.LaunchScript;
import io.throughputoptimizer.security.Caller;
import io.throughputoptimizer.security.Guard;
import io.throughputoptimizer.web.bound.HttpLimits;
import io.throughputoptimizer.web.mcp.Json;
import io.throughputoptimizer.web.mcp.ToolResult;
import io.throughputoptimizer.web.mcp.ToolTable;
import io.throughputoptimizer.web.mcp.ToolTable.Tool;
import io.throughputoptimizer.web.parameter.ParameterValue;
import io.throughputoptimizer.web.problem.ProblemException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Component;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;
import org.springframework.web.context.request.ServletWebRequest;

/// Calls of tools. Each calls the operation of the REST API that answers the same question, in the thread and with the
/// key of its caller. Thread-safe.
@Component
final class McpTools {
    private static final Logger log = LoggerFactory.getLogger(McpTools.class);

    private static final String WAIT = "wait=30";
    private static final int MOST_LISTED = 100;
    private static final int LAYOUTS = 20;
    private static final int PARAMETERS = 20;
    private static final int FEW_DEVICES = 8;
    private static final String LIST_MODELS = "list_models";
    private static final String LIST_DEVICES = "list_devices";
    private static final String READ_METRICS = "read_metrics";
    private static final String COMPARE_RUNNING = "compare_running";
    private static final String CONTEXT_TOKENS = "context_tokens";
    private static final String DEVICE = "device";
    private static final String DEVICES = "devices";
    private static final String NUM_DEVICES = "num_devices";
    private static final String MODEL = "model_id";
    private static final String QUERY = "q";
    private static final int LONGEST_QUERY = 200;
    private static final int LONGEST_ARGUMENT = 400;

    private final OptimizationController optimizations;
    private final LaunchScriptController launches;
    private final AutoscalingController autoscalers;
    private final ContextController contexts;
    private final ComparisonController comparisons;
    private final CatalogController catalog;
    private final RequestValidation judge;
    private final ProblemAdvice problems;
    private final HttpLimits limits;

    McpTools(
            OptimizationController optimizations,
            LaunchScriptController launches,
            AutoscalingController autoscalers,
            ContextController contexts,
            ComparisonController comparisons,
            CatalogController catalog,
            RequestValidation judge,
            ProblemAdvice problems,
            HttpLimits limits) {
        this.optimizations = optimizations;
        this.launches = launches;
        this.autoscalers = autoscalers;
        this.contexts = contexts;
        this.comparisons = comparisons;
        this.catalog = catalog;
        this.judge = judge;
        this.problems = problems;
        this.limits = limits;
    }

    /// Call that is suggested after a rejected one. Long arguments are left out.
    private record Next(String tool, Map<String, Object> arguments) {
        Next {
            arguments = new LinkedHashMap<>(arguments);
            arguments.values().removeIf(value -> WireFormat.write(value).length() > LONGEST_ARGUMENT);
        }

        String words() {
            String json = WireFormat.write(arguments);
            return json.length() > LONGEST_ARGUMENT
                    ? tool + " with corrected arguments."
                    : arguments.isEmpty() ? tool + "." : tool + " with " + json + ".";
        }
    }

    /// Returns the result of a call; of a rejected one the problem and a next call.
    ///
    /// @param arguments arguments without nulls
    ToolResult call(Tool tool, Map<String, Object> arguments) {
        long startedAt = System.nanoTime();
        try {
            requireRate();
            requireRole(tool);
            requireKnown(tool, arguments);
            return answer(tool, arguments);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return rejected(tool, arguments, ProblemException.searchesBusy(limits.retryAfter()));
        } catch (RuntimeException failure) {
            return rejected(tool, arguments, failure);
        } finally {
            log.info(
                    "tool {} of {} took {} ms",
                    tool.name(),
                    Caller.current().name(),
                    (System.nanoTime() - startedAt) / 1_000_000);
        }
    }

    private static void requireRate() {
        Duration wait = Guard.wait(request().getRequest());
        if (wait != null) {
            throw ProblemException.rateLimited(wait);
        }
    }

    private static void requireRole(Tool tool) {
        Caller caller = Caller.current();
        if (tool.reads() == null && !caller.roles().contains(Role.SUBMIT)) {
            throw ProblemException.roleNeeded(tool.name(), caller.name(), Role.SUBMIT.word());
        }
    }

    private static void requireKnown(Tool tool, Map<String, Object> arguments) {
        List<Violation> unknown = arguments.keySet().stream()
                .filter(name -> !tool.fields().contains(name))
                .map(name -> new Violation("/" + name, "is unknown; allowed: " + String.join(", ", tool.fields())))
                .toList();
        if (!unknown.isEmpty()) {
            throw new InvalidRequestException(unknown);
        }
    }

    private ToolResult answer(Tool tool, Map<String, Object> arguments) throws InterruptedException {
        return switch (tool.name()) {
            case "plan", "capacity", "explain", "compare_devices" ->
                ToolResult.ofSearch(
                        tool,
                        Json.of(requireNonNull(optimizations
                                        .submit(submitted(tool, arguments), WAIT, null, "false", null)
                                        .getBody())
                                .made()));
            case "what_fits" -> contexts(tool, arguments);
            case "launch_command" -> launch(tool, arguments);
            case "autoscaling" -> autoscaling(tool, arguments);
            case LIST_MODELS -> models(tool, arguments);
            case LIST_DEVICES -> devices(tool, arguments);
            case "read_command" -> command(tool, arguments);
            case READ_METRICS -> metrics(tool, arguments);
            default -> {
                ComparisonResponse compared = comparisons.compare(
                        WireFormat.read(Syntax.JSON, tool.body(arguments), ComparisonRequest.class));
                yield new ToolResult(tool.next())
                        .put(Json.of(compared).members())
                        .say(compared.text().lines());
            }
        };
    }

    private ToolResult contexts(Tool tool, Map<String, Object> arguments) throws InterruptedException {
        Json found = Json.of(contexts.of(
                () -> judge.judge(submitted(tool, arguments), false).effective(),
                text(arguments, "concurrency", "1"),
                text(arguments, CONTEXT_TOKENS)));
        List<Json> layouts = found.each("layouts")
                .sorted(Comparator.comparingDouble((Json layout) -> -most(layout)))
                .toList();
        long fitting = layouts.stream().filter(layout -> most(layout) > 0).count();
        Map<String, Object> content = found.members();
        content.remove("layouts");
        content.put("fits", fitting > 0);
        return new ToolResult(tool.next())
                .put(content)
                .say("%d of %d layouts hold requests of %s tokens."
                        .formatted(
                                fitting,
                                layouts.size(),
                                found.at(CONTEXT_TOKENS).text()))
                .list("layouts", layouts.stream(), LAYOUTS);
    }

    /// Returns the most requests that a layout holds.
    private static double most(Json layout) {
        return requireNonNullElse(layout.at("most_requests").number(), 0.0);
    }

    private static SubmittedRequest submitted(Tool tool, Map<String, Object> arguments) {
        return SubmittedRequest.read(Syntax.JSON, tool.body(arguments));
    }

    /// Returns an argument as a query parameter of the REST API; null if absent.
    private static @Nullable String text(Map<String, Object> arguments, String name) {
        Object value = arguments.get(name);
        return value == null ? null : value.toString();
    }

    private static String text(Map<String, Object> arguments, String name, String otherwise) {
        return requireNonNullElse(text(arguments, name), otherwise);
    }

    private ToolResult launch(Tool tool, Map<String, Object> arguments) throws InterruptedException {
        LaunchResponse launch = launches.launch(
                submitted(tool, arguments),
                WAIT,
                text(arguments, "engine"),
                text(arguments, "rank", "1"),
                null,
                text(arguments, "check", "false"));
        return ToolResult.ofLaunch(tool, Json.of(launch), LaunchScript.of(launch));
    }

    private ToolResult autoscaling(Tool tool, Map<String, Object> arguments) throws InterruptedException {
        MultiValueMap<String, String> query = new LinkedMultiValueMap<>();
        Json given = new Json(arguments);
        given.each(AutoscalingParameters.FORMATS)
                .forEach(format -> query.add(AutoscalingParameters.FORMATS, format.text()));
        if (given.at(AutoscalingParameters.RATE_PROFILE).isPresent()) {
            query.add(
                    AutoscalingParameters.RATE_PROFILE,
                    given.at(AutoscalingParameters.RATE_PROFILE).text().replaceAll("[\\[\\] ]", ""));
        }
        Json found = Json.of(autoscalers.ofRequest(submitted(tool, arguments), WAIT, query));
        return new ToolResult(tool.next())
                .put(found.members())
                .list("parameters", found.each("parameters"), PARAMETERS)
                .say(found.each("notes").map(Json::text))
                .say(found.each("files")
                        .flatMap(file -> file.at("content").text().lines()));
    }

    private ToolResult models(Tool tool, Map<String, Object> arguments) {
        int limit = ParameterValue.asInt("limit", text(arguments, "limit", "20"), 1, MOST_LISTED);
        return listed(
                tool,
                "models",
                Json.of(catalog.models()).each("models").map(model -> {
                    Map<String, Object> entry = model.members();
                    entry.put(
                            "cost_models",
                            model.at("supported")
                                    .each("cost_models")
                                    .map(Json::text)
                                    .toList());
                    return new Json(entry);
                }),
                "id",
                text(arguments, QUERY, ""),
                limit);
    }

    private ToolResult devices(Tool tool, Map<String, Object> arguments) {
        Json all = Json.of(catalog.devices());
        List<String> calibrated = all.each("calibrated").map(Json::text).toList();
        return listed(
                tool,
                DEVICES,
                all.each(DEVICES).map(device -> {
                    Map<String, Object> entry = device.members();
                    entry.put(
                            "memory_gb",
                            requireNonNullElse(
                                    device.at("memory", "capacity_gb").value(), 0));
                    entry.put(
                            "cost_model", calibrated.contains(device.at("name").text()) ? "calibrated" : "analytic");
                    return new Json(entry);
                }),
                "name",
                text(arguments, QUERY, ""),
                MOST_LISTED);
    }

    /// Returns the entries whose names have all words of a query, or the nearest ones if none has.
    private static ToolResult listed(
            Tool tool, String list, Stream<Json> entries, String name, String query, int limit) {
        List<String> words = List.of(query.strip().toLowerCase(Locale.ROOT).split("\\s+", 0));
        Map<String, Json> all = new LinkedHashMap<>();
        entries.forEach(entry -> all.put(entry.at(name).text(), entry));
        List<String> matching = all.keySet().stream()
                .filter(one -> words.stream().allMatch(one.toLowerCase(Locale.ROOT)::contains))
                .toList();
        List<String> found = matching.isEmpty() ? NearestNames.of(query, all.keySet()) : matching;
        return new ToolResult(tool.next())
                .say(matching.size() + " " + list + (matching.isEmpty() ? ", nearest:" : ":"))
                .list(list, found.stream().map(all::get), limit);
    }

    private static ToolResult command(Tool tool, Map<String, Object> arguments) {
        Json command = Json.of(ServerCommand.read(
                text(arguments, "command", ""),
                new ServerCommand.Stated(
                        ServerController.instances(text(arguments, MetricsReader.INSTANCES, "1")),
                        text(arguments, DEVICE),
                        null,
                        null)));
        return new ToolResult(tool.next())
                .put(command.members())
                .say(
                        command.at("model_id").text() + " on "
                                + command.at("num_devices").text() + " devices.",
                        command.at("instances").text() + " instances, layout "
                                + WireFormat.write(command.at("parallel").members()) + ", engine "
                                + WireFormat.write(command.at("engine").members()) + ".");
    }

    private static ToolResult metrics(Tool tool, Map<String, Object> arguments) {
        Object prometheus = arguments.get("prometheus");
        String text = prometheus == null ? text(arguments, "text", "") : WireFormat.write(prometheus);
        Json traffic = Json.of(ServerController.metrics(
                text(arguments, MetricsReader.SOURCE),
                text(arguments, MetricsReader.SERVED_MODEL),
                text(arguments, MetricsReader.INSTANCES),
                text(arguments, CONTEXT_TOKENS),
                stated -> {
                    try {
                        return MetricsReader.read(
                                new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)),
                                prometheus != null,
                                stated);
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                }));
        Map<String, Object> content = traffic.members();
        Map<String, Object> workload = traffic.at("workload").members();
        if (!Boolean.TRUE.equals(arguments.get("bins"))) {
            Map<String, Object> lengths = traffic.at("lengths").members();
            lengths.replaceAll((_, length) -> without(length, "bins"));
            content.put("lengths", lengths);
            Stream.of("input", "output").forEach(side -> {
                Double mean = traffic.at("lengths", side, "mean").number();
                workload.remove((side.equals("input") ? "length" : side) + "_distribution");
                if (mean != null) {
                    workload.putIfAbsent(side + "_length", Math.round(mean));
                }
            });
            content.put("workload", workload);
        }
        return new ToolResult(tool.next())
                .put(content)
                .say(
                        "Workload " + WireFormat.write(workload) + ", demand "
                                + WireFormat.write(traffic.at("demand").members()) + ".",
                        "Latency " + WireFormat.write(traffic.at("latency").members()) + ".")
                .say(traffic.each("warnings").map(Json::text));
    }

    private static Map<String, Object> without(Object object, String name) {
        Map<String, Object> members = new Json(object).members();
        members.remove(name);
        return members;
    }

    private ToolResult rejected(Tool tool, Map<String, Object> arguments, RuntimeException failure) {
        ResponseEntity<Problem> response = problems.answer(failure, request());
        Problem problem = requireNonNull(response.getBody());
        Next next = next(tool, arguments, problem);
        String wait = response.getHeaders().getFirst(HttpHeaders.RETRY_AFTER);
        ToolResult result = new ToolResult((wait == null ? "" : "after " + wait + " s, ") + next.words(), true)
                .say(problem.detail())
                .say(requireNonNullElse(problem.errors(), List.<Fault>of()).stream()
                        .skip(1)
                        .map(Fault::detail))
                .put(Json.of(problem).members())
                .put(Map.of("next", Json.of(next).members()));
        return wait == null ? result : result.put(Map.of("retry_after_s", Integer.parseInt(wait)));
    }

    private static ServletWebRequest request() {
        return new ServletWebRequest(
                ((ServletRequestAttributes) RequestContextHolder.currentRequestAttributes()).getRequest());
    }

    /// Returns the call that most likely helps: it looks up an unknown name, or is the same call without rejected
    /// arguments.
    private static Next next(Tool tool, Map<String, Object> arguments, Problem problem) {
        List<Fault> faults = requireNonNullElse(problem.errors(), List.<Fault>of());
        for (Fault fault : faults) {
            String at = requireNonNullElse(fault.pointer(), "");
            if (at.endsWith("/model_id")) {
                return lookup(LIST_MODELS, arguments.get(MODEL));
            }
            if (at.startsWith("/device") || at.startsWith("/num_devices/")) {
                return lookup(LIST_DEVICES, device(arguments, at.substring(at.lastIndexOf('/') + 1)));
            }
            if (tool.name().equals(COMPARE_RUNNING) && (at.startsWith("/metrics") || at.startsWith("/traffic"))) {
                return new Next(READ_METRICS, Map.of("text", text(arguments, "metrics", "")));
            }
        }
        Map<String, Object> others = new LinkedHashMap<>(arguments);
        others.keySet()
                .removeIf(name ->
                        !tool.fields().contains(name) || faults.stream().anyMatch(fault -> isAt(tool, name, fault)));
        if (ProblemKind.CANNOT_LAUNCH.word().equals(problem.kind())) {
            Tool plan = ToolTable.get().tool("plan");
            others.keySet().retainAll(plan.fields());
            return new Next(plan.name(), others);
        }
        if (ProblemKind.TOO_LARGE_TO_ANSWER.word().equals(problem.kind())) {
            if (arguments.get(DEVICES) instanceof List<?> devices) {
                others.put(DEVICES, devices.stream().limit(1).toList());
            }
            others.put(NUM_DEVICES, FEW_DEVICES);
        }
        return new Next(tool.name(), others);
    }

    /// @param index place in the list of devices, if it is a number
    private static @Nullable Object device(Map<String, Object> arguments, String index) {
        Object named = arguments.getOrDefault(DEVICE, arguments.get(DEVICES));
        if (!(named instanceof List<?> names)) {
            return named;
        }
        return names.stream()
                .skip(index.matches("\\d{1,3}") ? Integer.parseInt(index) : 0)
                .findFirst()
                .orElse(null);
    }

    private static boolean isAt(Tool tool, String name, Fault fault) {
        String at = requireNonNullElse(fault.pointer(), "/" + fault.parameter());
        return at.equals("/" + name) || at.equals(tool.field(name).at());
    }

    private static Next lookup(String tool, @Nullable Object name) {
        return new Next(
                tool,
                name instanceof String text && text.length() <= LONGEST_QUERY && !text.isBlank()
                        ? Map.of(QUERY, text.replaceFirst("^\\d+x", ""))
                        : Map.of());
    }
}

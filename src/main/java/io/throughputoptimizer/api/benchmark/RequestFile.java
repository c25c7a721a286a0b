package io.throughputoptimizer.api.benchmark;

import static java.util.Objects.requireNonNull;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.WireFormat.Syntax;
import io.throughputoptimizer.api.benchmark.ImportResponse.ExperimentResponse;
import io.throughputoptimizer.api.benchmark.ImportResponse.LeftOutResponse;
import io.throughputoptimizer.api.benchmark.ResultPath.Value;
import io.throughputoptimizer.api.problem.InvalidRequestException;
import io.throughputoptimizer.api.request.CheckpointName;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// A reader of inputs of AISimulate as requests, by the mapping `imports/aisimulate.yaml`. Used by one thread.
public final class RequestFile {
    private static final int LONGEST = 1 << 20;
    private static final int LONGEST_TEXT = 256;
    private static final int MOST_SIZES = 64;
    private static final int MOST_DEVICES = 65_536;
    private static final int USUAL_DEVICES = 32;
    private static final int USUAL_CONCURRENCY = 10;
    private static final String USUAL = "the default of AISimulate";
    private static final String WORKERS = "engine/workers/";
    private static final Mapping MAPPING = WireFormat.bundled("/imports/aisimulate.yaml", Mapping.class);

    /// @param sections top-level fields that a file can have
    /// @param reject faults of values, by path
    /// @param leftOut reasons why values have no field here, by path
    private record Mapping(
            String tool,
            String name,
            List<String> sections,
            Map<String, String> reject,
            Map<String, String> leftOut,
            List<Field> fields) {}

    /// A field of a request.
    ///
    /// @param to path in the request
    /// @param from paths in the file
    /// @param is `integer` or `number`; text if absent
    /// @param usual value without one in the file
    /// @param values values of the request by those of the file
    /// @param missing fault of a file without a value
    private record Field(
            String to,
            List<String> from,
            @Nullable String is,
            @Nullable Object usual,
            @Nullable Map<String, String> values,
            @Nullable String missing) {}

    private final Value root;
    private final Map<String, Object> request = new LinkedHashMap<>();
    private final List<String> assumed = new ArrayList<>();
    private final Map<String, String> leftOut = new TreeMap<>();
    private final TreeSet<String> read = new TreeSet<>();

    private RequestFile(JsonNode document) {
        this.root = new Value(document, "");
    }

    /// Reads an input of `aisimulate predict` or `aisimulate recommend`, in YAML or JSON.
    ///
    /// @param isModel true for model ids of the catalog
    /// @throws InvalidRequestException naming the field, if the document is another one or a value is invalid
    public static ImportResponse read(InputStream stream, Predicate<String> isModel) throws IOException {
        byte[] document = stream.readNBytes(LONGEST + 1);
        if (document.length > LONGEST) {
            throw refused("", "must be at most " + LONGEST + " bytes.");
        }
        JsonNode root = JsonMapper.shared()
                .readTree(WireFormat.parse(Syntax.YAML, document, Object.class).json());
        if (!MAPPING.sections.containsAll(root.propertyNames())
                || !root.path("engine").has("model")
                || !root.path("engine").path("workers").isObject()) {
            throw refused(
                    "",
                    "must be an input of " + MAPPING.tool + ": engine with model and workers, and no fields but "
                            + String.join(", ", MAPPING.sections)
                            + ". For AIConfigurator, docs/reference/aiconfigurator.md has the fields.");
        }
        return new ImportResponse(List.of(new RequestFile(root).experiment(isModel)));
    }

    private ExperimentResponse experiment(Predicate<String> isModel) {
        MAPPING.reject.forEach((path, fault) -> find(path).forEach(value -> {
            throw refused(value.pointer() + "/type", fault);
        }));
        MAPPING.leftOut.forEach((path, reason) -> find(path).forEach(value -> leave(value, reason)));
        MAPPING.fields.forEach(this::take);
        name(isModel);
        layOut("pd_ratio".equals(request.get("mode")));
        if (request.containsKey("demand")) {
            request.put("mode", "capacity");
        }
        passOver(root);
        return new ExperimentResponse(
                MAPPING.name,
                request,
                assumed,
                leftOut.entrySet().stream()
                        .map(field -> new LeftOutResponse(field.getKey(), field.getValue()))
                        .toList());
    }

    private void take(Field field) {
        Value value = field.from.stream()
                .flatMap(path -> find(path).stream())
                .filter(found -> !found.node().asString("").equals("auto"))
                .filter(found -> !leftOut.containsKey(dotted(found)))
                .findFirst()
                .orElse(null);
        field.from.forEach(path -> find(path).forEach(found -> read.add(found.pointer())));
        if (value == null) {
            if (field.missing != null) {
                throw refused("/" + field.from.getLast(), field.missing);
            }
            if (field.usual != null) {
                assume(field.to, translated(field, field.usual, null), USUAL);
            }
            return;
        }
        Value first = first(value);
        Object stated =
                "integer".equals(field.is) ? integer(first) : "number".equals(field.is) ? number(first) : text(first);
        put(field.to, translated(field, stated, first));
    }

    private static Object translated(Field field, Object stated, @Nullable Value value) {
        if (field.values == null) {
            return stated;
        }
        String known = field.values.get(stated.toString());
        if (known == null) {
            throw refused(
                    requireNonNull(value).pointer(),
                    "unknown value \"" + stated + "\"; allowed: "
                            + String.join(", ", new TreeSet<>(field.values.keySet())) + ".");
        }
        return known;
    }

    /// Names the model, the weight format and the device as the catalog does.
    private void name(Predicate<String> isModel) {
        CheckpointName checkpoint =
                new CheckpointName(requireNonNull(request.get("model_id")).toString());
        request.put("model_id", isModel.test(checkpoint.base()) ? checkpoint.base() : checkpoint.name());
        request.put(
                "devices",
                List.of(requireNonNull(request.get("devices"))
                        .toString()
                        .toUpperCase(Locale.ROOT)
                        .replace('-', '_')
                        .replaceFirst("_\\d+GB$", "")));
        String scheme = checkpoint.scheme();
        if (scheme == null) {
            leftOut.put("engine.model", "the name does not tell the weight format; set quantization.scheme");
        } else {
            assume("quantization.scheme", scheme, "the name of the checkpoint");
        }
    }

    /// Adds sizes, devices and the load. A file without `optimization` has exactly one layout.
    private void layOut(boolean apart) {
        boolean fixed = !root.node().has("optimization");
        long devices = 0;
        int ranks = 0;
        Map<String, TreeSet<Integer>> sizes = new LinkedHashMap<>();
        for (String role : apart ? List.of("prefill", "decode") : List.of("aggregated")) {
            for (Value layout : layouts(role)) {
                List<Integer> pipelines = sizes(layout, "pipeline", true);
                if (pipelines.stream().allMatch(size -> size > 1)) {
                    throw refused(
                            layout.pointer() + "/pipeline",
                            "must be 1, got " + pipelines.getFirst() + ". Pipeline parallelism is not supported.");
                }
                List<Integer> tensor = sizes(layout, "tensor", fixed);
                List<Integer> data = sizes(layout, "attention_data", fixed);
                List<Integer> experts = sizes(layout, "moe_expert", fixed);
                List<Integer> replicas = sizes(layout, "replicas", true);
                sizes.computeIfAbsent("search.tp_sizes", _ -> new TreeSet<>()).addAll(tensor);
                sizes.computeIfAbsent("search.dp_sizes", _ -> new TreeSet<>()).addAll(data);
                sizes.computeIfAbsent("search.ep_sizes", _ -> new TreeSet<>()).addAll(experts);
                boolean derived = true;
                if (fixed) {
                    int instance = tensor.getFirst() * data.getFirst();
                    devices += (long) instance * replicas.getFirst();
                    ranks = data.getFirst() * replicas.getFirst();
                    if (apart) {
                        put("pd_ratio." + role + "_devices_per_instance", List.of(instance));
                    }
                    derived = sizes(layout, "moe_tensor", true).getFirst() * experts.getFirst() != instance;
                } else {
                    find(path(layout) + "/replicas").forEach(value -> leave(value, "the search finds the replicas"));
                }
                if (derived) {
                    find(path(layout) + "/moe_tensor").forEach(value -> leave(value, "is devices / moe_expert"));
                }
            }
        }
        sizes.forEach((field, values) -> {
            if (!values.isEmpty()) {
                put(field, List.copyOf(values));
            }
        });
        if (fixed) {
            if (devices > MOST_DEVICES) {
                throw refused(
                        "/engine/workers", "must have at most " + MOST_DEVICES + " devices, got " + devices + ".");
            }
            put("num_devices", devices);
        } else {
            take(new Field(
                    "num_devices",
                    List.of("optimization/constraints/max_candidate_gpus"),
                    "integer",
                    USUAL_DEVICES,
                    null,
                    null));
        }
        load(fixed && !apart, ranks);
    }

    private void load(boolean fixed, int ranks) {
        find("traffic/source/type").forEach(value -> read.add(value.pointer()));
        find("traffic/load/type").forEach(value -> read.add(value.pointer()));
        if (request.containsKey("demand")) {
            return;
        }
        List<Value> stated = find("traffic/load[type=concurrency]/concurrency");
        if (!fixed) {
            stated.forEach(value -> leave(value, "the search finds the concurrency of each layout"));
        } else if (!stated.isEmpty() || find("traffic/load").isEmpty()) {
            int concurrency = stated.isEmpty() ? USUAL_CONCURRENCY : integer(first(stated.getFirst()));
            int batch = (concurrency + ranks - 1) / ranks;
            String why = "concurrency " + concurrency + (ranks > 1 ? " over " + ranks + " ranks" : "");
            List<Integer> range = List.of(batch, batch);
            if (stated.isEmpty() || ranks > 1) {
                assume("search.batch_range", range, stated.isEmpty() ? why + ", " + USUAL : why);
            } else {
                put("search.batch_range", range);
            }
        }
    }

    /// Returns the parallelism of a role; several if the file lists them as presets.
    private List<Value> layouts(String role) {
        String path = WORKERS + role + "/parallelism";
        List<Value> listed = find(path + "/preset/*");
        find(path + "/preset").forEach(value -> read.add(value.pointer()));
        return listed.isEmpty()
                ? List.of(new Value(
                        root.node().path("engine").path("workers").path(role).path("parallelism"), "/" + path))
                : listed;
    }

    /// Returns the sizes that a layout states for one dimension.
    ///
    /// @param usual true for 1 without a statement, false for none
    private List<Integer> sizes(Value layout, String name, boolean usual) {
        JsonNode node = layout.node().path(name);
        String pointer = layout.pointer() + "/" + name;
        read.add(pointer);
        if (node.isMissingNode() || node.isNull()) {
            return usual ? List.of(1) : List.of();
        }
        if (node.path("choices").isArray() && node.path("choices").size() <= MOST_SIZES) {
            return IntStream.range(0, node.path("choices").size())
                    .map(index -> integer(new Value(node.path("choices").path(index), pointer + "/choices/" + index)))
                    .boxed()
                    .toList();
        }
        if (node.path("range").isObject()) {
            JsonNode range = node.path("range");
            int low = integer(new Value(range.path("min"), pointer + "/range/min"));
            int high = integer(new Value(range.path("max"), pointer + "/range/max"));
            int step = range.has("step") ? integer(new Value(range.path("step"), pointer + "/range/step")) : 1;
            return IntStream.iterate(low, size -> size <= high, size -> size + step)
                    .limit(MOST_SIZES)
                    .boxed()
                    .toList();
        }
        return List.of(integer(new Value(node, pointer)));
    }

    /// Returns the first value of a domain of values.
    private Value first(Value value) {
        JsonNode choices = value.node().path("choices");
        if (!choices.isArray() || choices.isEmpty()) {
            return value;
        }
        if (choices.size() > 1) {
            leave(value, "only the first of its choices is read");
        }
        return new Value(choices.path(0), value.pointer() + "/choices/0");
    }

    private static int integer(Value value) {
        if (!value.node().isInt() || value.node().asInt() < 1) {
            throw refused(value.pointer(), "must be an integer of at least 1, got " + value.node() + ".");
        }
        return value.node().asInt();
    }

    private static double number(Value value) {
        double number = value.node().asDouble(Double.NaN);
        if (!value.node().isNumber() || !(number > 0 && number < Double.POSITIVE_INFINITY)) {
            throw refused(value.pointer(), "must be a number above 0, got " + value.node() + ".");
        }
        return number;
    }

    private static String text(Value value) {
        String text = value.node().isString() || value.node().isNumber()
                ? value.node().asString()
                : "";
        if (text.isEmpty() || text.length() > LONGEST_TEXT) {
            throw refused(value.pointer(), "must be a string of 1 to " + LONGEST_TEXT + " characters.");
        }
        return text;
    }

    private List<Value> find(String path) {
        return ResultPath.of(path).find(root, 0);
    }

    private static String path(Value value) {
        return value.pointer().substring(1);
    }

    private static String dotted(Value value) {
        return path(value).replace('/', '.');
    }

    private void leave(Value value, String reason) {
        read.add(value.pointer());
        leftOut.put(dotted(value), reason);
    }

    private void assume(String path, Object value, String why) {
        assumed.add(path + " is " + value + ": " + why);
        put(path, value);
    }

    @SuppressWarnings("unchecked") // only this method fills the maps
    private void put(String path, Object value) {
        Map<String, Object> fields = request;
        int dot = path.indexOf('.');
        if (dot > 0) {
            fields = (Map<String, Object>)
                    request.computeIfAbsent(path.substring(0, dot), _ -> new LinkedHashMap<String, Object>());
        }
        fields.put(path.substring(dot + 1), value);
    }

    /// Leaves out all that was not read.
    private void passOver(Value value) {
        if (read.contains(value.pointer())) {
            return;
        }
        if (value.node().isObject() && !value.node().isEmpty()) {
            value.node()
                    .propertyNames()
                    .forEach(name -> passOver(new Value(value.node().path(name), value.pointer() + "/" + name)));
        } else if (!value.node().isEmpty() || value.node().isValueNode()) {
            leftOut.put(dotted(value), "not read");
        }
    }

    private static InvalidRequestException refused(String pointer, String fault) {
        return new InvalidRequestException(pointer, fault);
    }
}

package io.throughputoptimizer.api.benchmark;

import io.throughputoptimizer.api.Bounds;
import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.benchmark.ResultFormats.ResultFile;
import io.throughputoptimizer.api.problem.InvalidRequestException;
import io.throughputoptimizer.api.problem.Violation;
import io.throughputoptimizer.api.request.MeasurementRequest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The parameters of a result file: values that the file does not have, of the server most of all.
public final class ServerParameters {
    /// Pointers into the request of the parameters that become its members; each ends with the parameter's name.
    private static final List<String> MEMBERS = List.of(
            "/model_id",
            "/device",
            "/quantization/scheme",
            "/quantization/linear",
            "/quantization/attention",
            "/engine/backend",
            "/engine/version",
            "/engine/kv_cache_dtype");

    private static final Map<String, String> REQUIRED = Map.of(
            "model_id", "the served model",
            "device", "a device of the catalog",
            "backend", "the serving engine",
            "version", "the version of the engine");

    private static final List<String> SERVER = List.of("version", "tp", "dp", "ep", "device", "replicas");

    /// Names of all parameters.
    public static final Set<String> NAMES = Stream.of(
                    MEMBERS.stream().map(ServerParameters::name),
                    SERVER.stream(),
                    Stream.of("concurrency", "input_length", "output_length", "served_model"))
            .flatMap(names -> names)
            .collect(Collectors.toCollection(LinkedHashSet::new));

    private final Map<String, String> given = new LinkedHashMap<>();

    /// @param given values by name; blank values count as missing
    public ServerParameters(Map<String, String> given) {
        given.forEach((name, value) -> {
            if (NAMES.contains(name) && !value.isBlank()) {
                this.given.put(name, value.strip());
            }
        });
    }

    private static String name(String pointer) {
        return pointer.substring(pointer.lastIndexOf('/') + 1);
    }

    /// A parameter that is missing, invalid, or differs from the file.
    public static final class InvalidException extends RuntimeException {
        private final String parameter;

        private InvalidException(String parameter, String rule) {
            super(rule);
            this.parameter = parameter;
        }

        public String parameter() {
            return parameter;
        }
    }

    /// A request from a file and its parameters.
    ///
    /// @param notes notes of each row
    /// @param places place of each row in the file
    public record FileRequest(MeasurementRequest request, List<List<String>> notes, List<String> places) {

        /// Returns the rejection with places of the file instead of pointers into the request.
        ///
        /// @throws InvalidException if a parameter is invalid
        public InvalidRequestException located(InvalidRequestException rejection) {
            return ServerParameters.located(rejection, places);
        }
    }

    private static InvalidRequestException located(InvalidRequestException rejection, List<String> places) {
        List<Violation> located = new ArrayList<>();
        for (Violation violation : rejection.violations()) {
            String pointer = violation.pointer();
            if (MEMBERS.contains(pointer)) {
                throw new InvalidException(name(pointer), violation.message());
            }
            if (pointer.endsWith("/parallel") || pointer.contains("/parallel/")) {
                throw new InvalidException(pointer.endsWith("/ep") ? "ep" : "tp", violation.message());
            }
            String[] parts = pointer.split("/", -1);
            if (parts.length >= 3 && parts[1].equals("rows")) {
                String member = parts.length > 3 ? " " + parts[3] : "";
                located.add(
                        new Violation("", places.get(Integer.parseInt(parts[2])) + member + " " + violation.message()));
            } else {
                located.add(violation);
            }
        }
        return new InvalidRequestException(located);
    }

    /// Returns the request that the file and the parameters make.
    ///
    /// @throws InvalidException if a value is missing in both, or they differ
    public FileRequest with(ResultFile file) {
        List<Map<String, Object>> rows = new ArrayList<>();
        List<List<String>> notes = new ArrayList<>();
        List<String> places = new ArrayList<>();
        for (FileRow row : file.rows()) {
            requireSameServer(row);
            List<String> ofRow = new ArrayList<>(row.notes());
            rows.add(row(row, ofRow));
            notes.add(ofRow);
            places.add(row.place());
        }
        Map<String, Object> request = new LinkedHashMap<>();
        Map<String, Map<String, Object>> parts = new LinkedHashMap<>();
        for (String pointer : MEMBERS) {
            String name = name(pointer);
            String value = given.get(name);
            String[] path = pointer.split("/", -1);
            if (value != null) {
                (path.length == 2 ? request : parts.computeIfAbsent(path[1], _ -> new LinkedHashMap<>()))
                        .put(name, value);
            } else if (REQUIRED.containsKey(name)) {
                throw new InvalidException(name, "is required: set " + REQUIRED.get(name));
            }
        }
        request.putAll(parts);
        request.put("rows", rows);
        byte[] document = WireFormat.write(request).getBytes(StandardCharsets.UTF_8);
        try {
            return new FileRequest(
                    WireFormat.read(WireFormat.Syntax.JSON, document, MeasurementRequest.class), notes, places);
        } catch (InvalidRequestException e) {
            throw located(e, places);
        }
    }

    /// Rejects a file of another model, version or layout.
    private void requireSameServer(FileRow row) {
        String parameter = given.containsKey("served_model") ? "served_model" : "model_id";
        String expected = given.get(parameter);
        if (row.model() != null && expected != null && !row.model().equals(expected)) {
            throw new InvalidException(
                    parameter,
                    "must be the model of " + row.place() + ", " + shown(row.model()) + ", got " + shown(expected)
                            + ". If both are the same model, set served_model to its name in the file");
        }
        for (String name : SERVER) {
            String own = row.server().get(name);
            String value = given.get(name);
            if (own != null && value != null && !own.equals(value)) {
                throw new InvalidException(
                        name, "must be the value of " + row.place() + ", " + shown(own) + ", got " + shown(value));
            }
        }
    }

    private Map<String, Object> row(FileRow row, List<String> notes) {
        int dp = number(row, "dp");
        int replicas = number(row, "replicas");
        Map<String, Object> parallel = new LinkedHashMap<>();
        parallel.put("tp", number(row, "tp", "set the tensor parallel size of an instance"));
        parallel.put("dp", dp);
        parallel.put("ep", number(row, "ep"));
        double all = row.concurrency() == null || given.containsKey("concurrency")
                ? number(row, "concurrency", row.place() + " has no concurrency. Add concurrency=... to the address")
                : row.concurrency();
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("parallel", parallel);
        members.put("concurrency", ofInstance(row, all, dp, replicas, notes));
        members.put("input_length", length(row.inputTokens(), row, "input_length"));
        members.put("output_length", length(row.outputTokens(), row, "output_length"));
        if (row.requests() > 0) {
            members.put("waves", Math.max(1, row.requests() / all));
        }
        putFigure(members, "tpot_ms", row.tpotMillis());
        putFigure(members, "ttft_ms", row.ttftMillis());
        putFigure(members, "tokens_per_s", row.tokensPerSecond() == null ? null : row.tokensPerSecond() / replicas);
        return members;
    }

    private static void putFigure(Map<String, Object> members, String name, @Nullable Double figure) {
        if (figure != null) {
            members.put(name, figure);
        }
    }

    /// Returns the concurrency of one instance, a multiple of its data parallel size.
    private long ofInstance(FileRow row, double all, int dp, int replicas, List<String> notes) {
        double ofRank = all / replicas / dp;
        if ((!row.mean() || given.containsKey("concurrency")) && ofRank != Math.rint(ofRank)) {
            throw new InvalidException(
                    replicas > 1 ? "replicas" : "dp",
                    "must divide the " + plain(all) + " concurrent requests of " + row.place() + ", got "
                            + (replicas > 1 ? replicas : dp));
        }
        if (replicas > 1) {
            notes.add(plain(all) + " requests outstanding at " + replicas + " instances, " + plain(ofRank * dp)
                    + " at each");
        }
        return Math.max(1, Math.round(ofRank)) * dp;
    }

    private static String plain(double number) {
        return number == Math.rint(number) ? Long.toString((long) number) : String.format(Locale.ROOT, "%.2f", number);
    }

    private long length(@Nullable Double mean, FileRow row, String name) {
        return mean == null
                ? number(row, name, row.place() + " has no lengths. Add " + name + "=... to the address")
                : Math.max(1, Math.round(mean));
    }

    /// Returns a number that is 1 where neither the parameters nor the file have it.
    private int number(FileRow row, String name) {
        return given.containsKey(name) || row.server().containsKey(name) ? number(row, name, "") : 1;
    }

    private int number(FileRow row, String name, String reason) {
        String text = given.containsKey(name) ? given.get(name) : row.server().get(name);
        if (text == null) {
            throw new InvalidException(name, "is required: " + reason);
        }
        int number = text.matches("[0-9]{1,9}") ? Integer.parseInt(text) : 0;
        if (number < 1 || number > Bounds.COUNT) {
            throw new InvalidException(
                    name, "must be a whole number from 1 to " + Bounds.COUNT + ", got " + shown(text));
        }
        return number;
    }

    private static String shown(String text) {
        return "\"" + (text.length() > 80 ? text.substring(0, 80) + "..." : text) + "\"";
    }
}

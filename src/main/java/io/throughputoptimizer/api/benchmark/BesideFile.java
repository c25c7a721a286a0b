package io.throughputoptimizer.api.benchmark;

import io.throughputoptimizer.api.Bounds;
import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.problem.InvalidRequestException;
import io.throughputoptimizer.api.problem.Violation;
import io.throughputoptimizer.api.request.MeasurementRequest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What is said beside a file that a benchmark tool wrote: of the server all that the file does not say.
public final class BesideFile {
    /// Names of what can be said.
    public static final List<String> NAMES = List.of(
            "model_id",
            "device",
            "scheme",
            "linear",
            "attention",
            "kv_cache",
            "backend",
            "version",
            "tp",
            "dp",
            "ep",
            "replicas",
            "concurrency",
            "input_length",
            "output_length",
            "served_model");

    /// What violations of the request that is made of both are about, by pointer.
    private static final Map<String, String> MEMBERS = Map.of(
            "/model_id", "model_id",
            "/device", "device",
            "/engine/backend", "backend",
            "/engine/version", "version",
            "/engine/kv_cache", "kv_cache",
            "/quantization/scheme", "scheme",
            "/quantization/linear", "linear",
            "/quantization/attention", "attention");

    private final Map<String, String> said;

    /// @param said values by name; those that are blank count as missing
    public BesideFile(Map<String, String> said) {
        Map<String, String> given = new LinkedHashMap<>();
        said.forEach((name, value) -> {
            if (NAMES.contains(name) && !value.isBlank()) {
                given.put(name, value.strip());
            }
        });
        this.said = Map.copyOf(given);
    }

    /// What both say together.
    ///
    /// @param request of all rows
    /// @param notes of each row
    /// @param places where each row stands in the file
    public record Together(MeasurementRequest request, List<List<String>> notes, List<String> places) {

        /// The fault of a request that was made of both, where it came from.
        ///
        /// @throws MissingBesideException if it is about what was said beside the file
        public InvalidRequestException where(InvalidRequestException refusal) {
            return BesideFile.where(refusal, places);
        }
    }

    private static InvalidRequestException where(InvalidRequestException refusal, List<String> places) {
        List<Violation> moved = new ArrayList<>();
        for (Violation violation : refusal.violations()) {
            String pointer = violation.pointer();
            String beside = MEMBERS.get(pointer);
            if (beside != null) {
                throw new MissingBesideException(beside, violation.message());
            }
            if (pointer.endsWith("/parallel") || pointer.contains("/parallel/")) {
                throw new MissingBesideException(pointer.endsWith("/ep") ? "ep" : "tp", violation.message());
            }
            moved.add(moved(violation, places));
        }
        return new InvalidRequestException(moved);
    }

    private static Violation moved(Violation violation, List<String> places) {
        String[] parts = violation.pointer().split("/", -1);
        if (parts.length < 3 || !parts[1].equals("rows")) {
            return violation;
        }
        String place = places.get(Integer.parseInt(parts[2]));
        String member = parts.length > 3 ? " " + parts[3] : "";
        return new Violation("", place + member + " " + violation.message());
    }

    /// @throws MissingBesideException if something is missing in both, or they say different things
    public Together with(ResultFile file) {
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
        request.put("model_id", needed("model_id", "the model that was served"));
        request.put("device", needed("device", "a device of the catalogue"));
        Map<String, Object> quantization = new LinkedHashMap<>();
        for (String name : List.of("scheme", "linear", "attention")) {
            put(quantization, name);
        }
        if (!quantization.isEmpty()) {
            request.put("quantization", quantization);
        }
        Map<String, Object> engine = new LinkedHashMap<>();
        engine.put("backend", needed("backend", "the engine that served"));
        engine.put("version", needed("version", "the version of the engine"));
        put(engine, "kv_cache");
        request.put("engine", engine);
        request.put("rows", rows);
        byte[] together = WireFormat.write(request).getBytes(StandardCharsets.UTF_8);
        try {
            return new Together(
                    WireFormat.read(WireFormat.Syntax.JSON, together, MeasurementRequest.class), notes, places);
        } catch (InvalidRequestException e) {
            throw where(e, places);
        }
    }

    private void put(Map<String, Object> part, String name) {
        if (said.containsKey(name)) {
            part.put(name, said.get(name));
        }
    }

    /// A file of another model, version or layout than is said teaches nothing about the server.
    private void requireSameServer(FileRow row) {
        String model = row.model();
        String expected = said.containsKey("served_model") ? said.get("served_model") : said.get("model_id");
        if (model != null && expected != null && !model.equals(expected)) {
            throw new MissingBesideException(
                    said.containsKey("served_model") ? "served_model" : "model_id",
                    "is " + shown(expected) + ", and " + row.place() + " is of " + shown(model)
                            + ": where that is the same model, served_model says so");
        }
        for (String name : List.of("version", "tp", "dp", "ep", "device", "replicas")) {
            String own = row.server().get(name);
            String beside = said.get(name);
            if (own != null && beside != null && !own.equals(beside)) {
                throw new MissingBesideException(
                        name, "is " + shown(beside) + ", and " + row.place() + " says " + shown(own));
            }
        }
    }

    private Map<String, Object> row(FileRow row, List<String> notes) {
        int dp = whole(row, "dp", 1);
        Map<String, Object> parallel = new LinkedHashMap<>();
        parallel.put("tp", wholeNeeded(row, "tp", "the tensor parallel size of an instance"));
        parallel.put("dp", dp);
        parallel.put("ep", whole(row, "ep", 1));
        int replicas = whole(row, "replicas", 1);
        double all = concurrency(row);
        long of = ofInstance(row, all, dp, replicas, notes);
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("parallel", parallel);
        members.put("concurrency", of);
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

    /// Requests at all replicas.
    private double concurrency(FileRow row) {
        if (said.containsKey("concurrency")) {
            return whole(row, "concurrency", 1);
        }
        if (row.concurrency() == null) {
            throw new MissingBesideException(
                    "concurrency", "is missing: " + row.place() + " does not say how many requests were outstanding");
        }
        return row.concurrency();
    }

    private long ofInstance(FileRow row, double all, int dp, int replicas, List<String> notes) {
        double ofRank = all / replicas / dp;
        boolean mean = row.mean() && !said.containsKey("concurrency");
        if (!mean && ofRank != Math.rint(ofRank)) {
            throw new MissingBesideException(
                    replicas > 1 ? "replicas" : "dp",
                    "is " + (replicas > 1 ? replicas : dp) + ": the " + plain(all) + " requests outstanding in "
                            + row.place() + " cannot be shared evenly");
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
        if (mean != null) {
            return Math.max(1, Math.round(mean));
        }
        return wholeNeeded(row, name, row.place() + " does not say how long requests were");
    }

    private int whole(FileRow row, String name, int otherwise) {
        return said.containsKey(name) || row.server().containsKey(name) ? wholeNeeded(row, name, "") : otherwise;
    }

    private int wholeNeeded(FileRow row, String name, String why) {
        String text = said.containsKey(name) ? said.get(name) : row.server().get(name);
        if (text == null) {
            throw new MissingBesideException(name, "is missing: " + why);
        }
        try {
            int number = Integer.parseInt(text);
            if (number >= 1 && number <= Bounds.COUNT) {
                return number;
            }
        } catch (NumberFormatException _) {
            // Refused below, as a number out of range is.
        }
        throw new MissingBesideException(
                name, "is " + shown(text) + ": a whole number from 1 to " + Bounds.COUNT + " is needed");
    }

    private String needed(String name, String what) {
        String value = said.get(name);
        if (value == null) {
            throw new MissingBesideException(name, "is missing: " + what + " is needed");
        }
        return value;
    }

    private static String shown(String text) {
        return "\"" + (text.length() > 80 ? text.substring(0, 80) + "..." : text) + "\"";
    }
}

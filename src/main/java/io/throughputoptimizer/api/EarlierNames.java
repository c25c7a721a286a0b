package io.throughputoptimizer.api;

import java.io.StringWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.json.JsonMapper;

/// Conversion of stored JSON from the names of earlier versions to those of this version. All else stays as it was,
/// to the character.
public final class EarlierNames {
    /// Version of results whose names are these.
    public static final int RESULT_VERSION = 2;

    private static final Pattern VERSION = Pattern.compile("\"result_version\":(\\d+)");

    /// Names in requests and results.
    private static final Map<String, String> NAMES = Map.ofEntries(
            Map.entry("request_latency_ms", "e2e_latency_ms"),
            Map.entry("request_latency_ms_band", "e2e_latency_ms_band"),
            Map.entry("request_latency_ms_range", "e2e_latency_ms_range"),
            Map.entry("request_latency_percent", "e2e_latency_percent"),
            Map.entry("token_budget", "max_batched_tokens"),
            Map.entry("max_running", "max_num_seqs"),
            Map.entry("length_ratio", "random_range_ratio"),
            Map.entry("qps", "requests_per_s"),
            Map.entry("qps_band", "requests_per_s_band"),
            Map.entry("qps_range", "requests_per_s_range"),
            Map.entry("qps_per_device", "requests_per_s_per_device"),
            Map.entry("qps_per_device_band", "requests_per_s_per_device_band"),
            Map.entry("sustained_qps", "sustained_requests_per_s"),
            Map.entry("balanced_qps", "balanced_requests_per_s"),
            Map.entry("p_qps", "prefill_requests_per_s"),
            Map.entry("d_qps", "decode_requests_per_s"),
            Map.entry("p_sustained_qps", "prefill_sustained_requests_per_s"),
            Map.entry("d_sustained_qps", "decode_sustained_requests_per_s"),
            Map.entry("ttft_p", "ttft_ms"),
            Map.entry("tpot_d", "tpot_ms"),
            Map.entry("binds", "limited_by"),
            Map.entry("binds_p", "limited_by_prefill"),
            Map.entry("binds_d", "limited_by_decode"),
            Map.entry("rows_left_out", "omitted_rows"),
            Map.entry("points_left_out", "omitted_points"),
            Map.entry("left_out_ratio", "omitted_ratio"),
            Map.entry("left_out", "omitted"),
            Map.entry("what_would_help", "sensitivities"));

    /// Names in objects of one name, by that name.
    private static final Map<String, Map<String, String>> NAMES_WITHIN = Map.of(
            "engine", Map.of("kv_cache", "kv_cache_dtype"),
            "change", Map.of("kv_cache", "kv_cache_dtype"),
            "changes", Map.of("kv_cache", "kv_cache_dtype"),
            "group", Map.of("kv_cache", "kv_cache_dtype"),
            "speculation", Map.of("tokens", "num_draft_tokens", "accepted", "acceptance_length"),
            "variant", Map.of("accepted", "acceptance_length"),
            "mtp_acceptance", Map.of("accepted", "length"),
            "answers", Map.of("binding", "bottlenecks", "frontier", "pareto_frontier"));

    /// Fields of a request's `speculation` that are in its `acceptance` now.
    private static final Map<String, String> ACCEPTANCE =
            Map.of("accepted", "length", "rates", "rates", "curve", "curve");

    /// Text values, and pointers that name axes of sweeps.
    private static final Map<String, String> VALUES = Map.of(
            "request_latency", "e2e_latency",
            "request_latency_limit", "e2e_latency_limit",
            "token_budget", "max_batched_tokens",
            "balanced_qps", "balanced_requests_per_s",
            "/slo/request_latency_ms", "/slo/e2e_latency_ms",
            "/engine/token_budget", "/engine/max_batched_tokens",
            "/engine/max_running", "/engine/max_num_seqs",
            "/engine/kv_cache", "/engine/kv_cache_dtype",
            "/traffic/length_ratio", "/traffic/random_range_ratio",
            "/speculation/tokens", "/speculation/num_draft_tokens");

    /// Columns of CSV, which name the figures of sweeps.
    private static final Map<String, String> COLUMNS = Map.ofEntries(
            Map.entry("device_name", "device"),
            Map.entry("ttft", "ttft_ms"),
            Map.entry("tpot", "tpot_ms"),
            Map.entry("request_latency", "e2e_latency_ms"),
            Map.entry("token/s", "tokens_per_s"),
            Map.entry("token/s/device", "tokens_per_s_per_device"),
            Map.entry("plain_token/s", "plain_tokens_per_s"),
            Map.entry("plain_ttft", "plain_ttft_ms"),
            Map.entry("plain_tpot", "plain_tpot_ms"),
            Map.entry("most_token/s", "most_tokens_per_s"),
            Map.entry("most_qps", "most_requests_per_s"),
            Map.entry("qps/device", "requests_per_s_per_device"),
            Map.entry("req/s", "requests_per_s"),
            Map.entry("most_req/s", "most_requests_per_s"),
            Map.entry("peak_req/s", "peak_requests_per_s"),
            Map.entry("accepted", "acceptance_length"),
            Map.entry("percentage_breakdowns", "breakdown"),
            Map.entry("percentage_breakdowns(p)", "prefill_breakdown"),
            Map.entry("percentage_breakdowns(d)", "decode_breakdown"),
            Map.entry("total_GB", "total_gb"),
            Map.entry("weight_GB", "weight_gb"),
            Map.entry("kv_cache_GB", "kv_cache_gb"),
            Map.entry("activation_GB", "activation_gb"),
            Map.entry("reserved_GB", "reserved_gb"),
            Map.entry("avail_GB", "available_gb"));

    /// Beginnings of names that other names of columns go on from, as `ttft_low`.
    private static final List<String> ENDS = List.of("_low", "_high");

    private static final Set<String> NAMED = union(
            List.of(NAMES.keySet(), VALUES.keySet(), Set.of("kv_cache", "tokens", "accepted", "binding", "frontier")));
    private static final Set<String> WITH_COLUMN = union(List.of(NAMES.keySet(), VALUES.keySet(), COLUMNS.keySet()));

    private EarlierNames() {}

    private static Set<String> union(List<Set<String>> names) {
        return names.stream().flatMap(Set::stream).collect(Collectors.toUnmodifiableSet());
    }

    /// Returns whether a document has one of the names in quotation marks, also with one of the ends.
    private static boolean hasAny(String json, Set<String> names) {
        int begin = json.indexOf('"');
        int end = json.indexOf('"', begin + 1);
        while (begin >= 0 && end >= 0) {
            if (names.contains(stem(json.substring(begin + 1, end)))) {
                return true;
            }
            begin = end;
            end = json.indexOf('"', begin + 1);
        }
        return false;
    }

    private static String stem(String name) {
        for (String end : ENDS) {
            if (name.endsWith(end)) {
                return name.substring(0, name.length() - end.length());
            }
        }
        return name;
    }

    /// Returns a stored request, also one of a sweep.
    public static String inRequest(String json) {
        return hasAny(json, NAMED) ? new Copy(true, UnaryOperator.identity()).of(json) : json;
    }

    /// Returns a stored result.
    public static String inResult(String json) {
        Matcher version = VERSION.matcher(json);
        boolean current = version.find() && Integer.parseInt(version.group(1)) >= RESULT_VERSION;
        return current || !hasAny(json, NAMED) ? json : new Copy(false, UnaryOperator.identity()).of(json);
    }

    /// Returns the stored cells of a sweep.
    public static String inCells(String json) {
        return hasAny(json, WITH_COLUMN) ? new Copy(false, EarlierNames::column).of(json) : json;
    }

    /// Returns the name of a column of CSV, which names a figure of sweeps.
    public static String column(String name) {
        for (String end : ENDS) {
            if (name.endsWith(end)) {
                return column(name.substring(0, name.length() - end.length())) + end;
            }
        }
        return COLUMNS.getOrDefault(name, NAMES.getOrDefault(name, name));
    }

    /// A copy of a document under other names.
    private static final class Copy {
        private static final String MODEL_CONFIG = "model_config";
        private static final Set<String> OF_PHASES = Set.of("ttft_p", "tpot_d");

        private final boolean ofRequest;
        private final UnaryOperator<String> columns;
        private final StringWriter text = new StringWriter();

        Copy(boolean ofRequest, UnaryOperator<String> columns) {
            this.ofRequest = ofRequest;
            this.columns = columns;
        }

        String of(String json) {
            try (JsonParser parser = JsonMapper.shared().createParser(json);
                    JsonGenerator generator = JsonMapper.shared().createGenerator(text)) {
                parser.nextToken();
                copy(parser, generator, "");
            }
            return text.toString();
        }

        /// @param within name of the field that the value is in, also as an element of its list
        private void copy(JsonParser parser, JsonGenerator generator, String within) {
            switch (parser.currentToken()) {
                case START_OBJECT -> copyObject(parser, generator, within);
                case START_ARRAY -> {
                    generator.writeStartArray();
                    while (parser.nextToken() != JsonToken.END_ARRAY) {
                        copy(parser, generator, within);
                    }
                    generator.writeEndArray();
                }
                case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> generator.writeNumber(parser.getString());
                case VALUE_STRING -> {
                    String value = parser.getString();
                    generator.writeString(within.equals(MODEL_CONFIG) ? value : VALUES.getOrDefault(value, value));
                }
                default -> generator.copyCurrentEvent(parser);
            }
        }

        private void copyObject(JsonParser parser, JsonGenerator generator, String within) {
            generator.writeStartObject();
            Map<String, String> ofPhases = new LinkedHashMap<>();
            while (parser.nextToken() != JsonToken.END_OBJECT) {
                String name = parser.currentName();
                parser.nextToken();
                if (within.equals(MODEL_CONFIG)) {
                    generator.writeName(name);
                    copy(parser, generator, MODEL_CONFIG);
                } else if (OF_PHASES.contains(name) && parser.currentToken().isNumeric()) {
                    ofPhases.put(NAMES.get(name), parser.getString());
                } else if (ofRequest && within.equals("speculation") && ACCEPTANCE.containsKey(name)) {
                    generator.writeName("acceptance");
                    generator.writeStartObject();
                    generator.writeName(ACCEPTANCE.get(name));
                    copy(parser, generator, name);
                    generator.writeEndObject();
                } else {
                    String renamed = renamed(within, name);
                    ofPhases.remove(renamed);
                    generator.writeName(renamed);
                    if (renamed.equals("result_version")) {
                        generator.writeNumber(RESULT_VERSION);
                    } else {
                        copy(parser, generator, name);
                    }
                }
            }
            ofPhases.forEach((name, number) -> {
                generator.writeName(name);
                generator.writeNumber(number);
            });
            generator.writeEndObject();
        }

        private String renamed(String within, String name) {
            Map<String, String> inside = NAMES_WITHIN.getOrDefault(within, Map.of());
            String known = inside.getOrDefault(name, NAMES.getOrDefault(name, name));
            return known.equals(name)
                    ? columns.apply(name.startsWith("/") ? VALUES.getOrDefault(name, name) : name)
                    : known;
        }
    }
}

package io.throughputoptimizer.api.imported;

import static java.util.Objects.requireNonNullElse;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.problem.InvalidRequestException;
import io.throughputoptimizer.api.problem.Violation;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Reads files of AIConfigurator: experiments of its command line (`exps`, and one object for each), and requests for a
/// prediction (`schema_version: aic-estimate-request/1.0.0`). Facts: `sdk/task_v2.py` and
/// `sdk/config_adapter/schemas/estimate-request-v1.schema.json` of ai-dynamo/aiconfigurator 095f58a.
final class AiconfiguratorReader {
    /// Experiments of a file.
    static final int MOST_EXPERIMENTS = 100;

    private static final String LIST = "exps";
    private static final String SCHEMA = "schema_version";
    private static final String PREDICTION = "aic-estimate-request/";

    private static final Set<String> AFD = Set.of("afd");

    /// What it assumes of requests that say nothing.
    private static final int USUAL_INPUT = 4000;

    private static final int USUAL_OUTPUT = 1000;
    private static final double USUAL_TTFT = 1000;
    private static final double USUAL_TPOT = 50;
    private static final String DEFAULT = "the default of AIConfigurator";

    private static final List<Integer> USUAL_INSTANCES = List.of(1, 2, 4, 8);

    private AiconfiguratorReader() {}

    /// @throws InvalidRequestException if it is no such file
    static List<ImportedRequest> read(WireFormat.Syntax syntax, byte[] document) {
        Map<?, ?> all = WireFormat.read(syntax, document, Map.class);
        ImportedMembers file = new ImportedMembers("", all);
        if (file.has(SCHEMA)) {
            String version = requireNonNullElse(file.text(SCHEMA), "");
            if (!version.startsWith(PREDICTION)) {
                throw refused("/" + SCHEMA, "is \"" + version + "\": " + PREDICTION + "1.0.0 is needed");
            }
            return List.of(ImportedPrediction.of(file));
        }
        return experiments(file, all);
    }

    private static List<ImportedRequest> experiments(ImportedMembers file, Map<?, ?> all) {
        Set<String> names = new LinkedHashSet<>();
        if (all.get(LIST) instanceof List<?> listed) {
            listed.forEach(name -> names.add(String.valueOf(name)));
        } else {
            all.forEach((name, value) -> {
                if (value instanceof Map<?, ?>) {
                    names.add(String.valueOf(name));
                }
            });
        }
        if (names.isEmpty()) {
            throw refused("", "has no experiment: exps, or an object for each, or schema_version is needed");
        }
        if (names.size() > MOST_EXPERIMENTS) {
            throw refused("/" + LIST, "has " + names.size() + " experiments: at most " + MOST_EXPERIMENTS);
        }
        return names.stream()
                .map(name -> {
                    if (!file.has(name)) {
                        throw refused("/" + LIST, "names " + shortened(name) + ", which is not in the file");
                    }
                    return experiment(name, file.inner(name));
                })
                .toList();
    }

    private static ImportedRequest experiment(String name, ImportedMembers asked) {
        ImportedRequest read = new ImportedRequest(shortened(name));
        String mode = requireNonNullElse(asked.text("serving_mode"), "agg");
        if (AFD.contains(mode)) {
            read.leave("serving_mode", "attention and feed-forward parts on devices of their own are not modelled");
        }
        boolean apart = mode.equals("disagg");
        read.put("mode", apart ? "pd_ratio" : "aggregation").put("cost_model", "calibrated");
        String side = apart ? "decode_" : "";
        String model =
                requireNonNullElse(asked.text(side + "model_path"), requireNonNullElse(asked.text("model_path"), ""));
        read.put("model_id", model.isEmpty() ? null : model);
        devices(read, asked, apart);
        engine(read, asked, apart, model);
        workload(read, asked);
        limits(read, asked);
        search(read, asked, apart);
        ImportedDrafts.of(read, asked);
        return ImportedLeftovers.of(read, asked, apart);
    }

    private static void devices(ImportedRequest read, ImportedMembers asked, boolean apart) {
        String decode = asked.text(apart ? "decode_system_name" : "system_name");
        String prefill = apart ? asked.text("prefill_system_name") : decode;
        List<String> kinds = devices(prefill, decode);
        read.put("devices", kinds.isEmpty() ? null : kinds);
        Integer total = asked.whole("total_gpus");
        if (total == null) {
            read.assume("num_devices", 8, "the file does not say total_gpus");
        } else {
            read.put("num_devices", total);
        }
        if (kinds.size() > 1 && prefill != null && decode != null) {
            read.put("pd_ratio/prefill_devices", device(prefill)).put("pd_ratio/decode_devices", device(decode));
            read.leave("total_gpus", "there are as many devices of each of both kinds here, not of both together");
        }
    }

    /// Those that are named, each once.
    static List<String> devices(@Nullable String prefill, @Nullable String decode) {
        Set<String> kinds = new LinkedHashSet<>();
        if (prefill != null) {
            kinds.add(device(prefill));
        }
        if (decode != null) {
            kinds.add(device(decode));
        }
        return List.copyOf(kinds);
    }

    /// Devices are called as systems, in upper case.
    static String device(String system) {
        return system.toUpperCase(Locale.ROOT);
    }

    private static void engine(ImportedRequest read, ImportedMembers asked, boolean apart, String model) {
        String prefix = apart ? "decode_" : "";
        read.put("engine/backend", requireNonNullElse(asked.text(prefix + "backend_name"), "trtllm"));
        read.put("engine/version", asked.text(prefix + "backend_version"));
        if (apart) {
            same(read, asked, "model_path");
            same(read, asked, "backend_name");
            same(read, asked, "backend_version");
        }
        ImportedFormats.of(
                read,
                model,
                asked.text(prefix + "gemm_quant_mode"),
                asked.text(prefix + "moe_quant_mode"),
                asked.text(prefix + "kvcache_quant_mode"),
                prefix);
        if (apart) {
            same(read, asked, "gemm_quant_mode");
            same(read, asked, "moe_quant_mode");
            same(read, asked, "kvcache_quant_mode");
        }
    }

    /// Both sides of a pair are of one model, engine and number format.
    private static void same(ImportedRequest read, ImportedMembers asked, String member) {
        String prefill = asked.text("prefill_" + member);
        String decode = asked.text("decode_" + member);
        if (prefill != null && !prefill.equals(decode)) {
            read.leave("prefill_" + member, "both sides of a pair have that of decode here");
        }
    }

    private static void workload(ImportedRequest read, ImportedMembers asked) {
        Integer input = asked.whole("isl");
        Integer output = asked.whole("osl");
        if (input == null) {
            read.assume("workload/input_length", USUAL_INPUT, DEFAULT);
        } else {
            read.put("workload/input_length", input);
        }
        if (output == null) {
            read.assume("workload/output_length", USUAL_OUTPUT, DEFAULT);
        } else {
            read.put("workload/output_length", output);
        }
        prefix(read, asked.whole("prefix"), input == null ? USUAL_INPUT : input);
    }

    static void prefix(ImportedRequest read, @Nullable Integer cached, int input) {
        if (cached != null && cached > 0) {
            read.put("workload/prefix_cache_hit_rate", (double) cached / input);
        }
    }

    /// A limit on whole answers stands alone unless others are given.
    private static void limits(ImportedRequest read, ImportedMembers asked) {
        Double whole = asked.number("request_latency");
        Double ttft = asked.number("ttft");
        Double tpot = asked.number("tpot");
        read.put("slo/request_latency_ms", whole);
        read.put("slo/ttft_ms", ttft).put("slo/tpot_ms", tpot);
        if (whole == null && ttft == null) {
            read.assume("slo/ttft_ms", USUAL_TTFT, DEFAULT);
        }
        if (whole == null && tpot == null) {
            read.assume("slo/tpot_ms", USUAL_TPOT, DEFAULT);
        }
    }

    private static void search(ImportedRequest read, ImportedMembers asked, boolean apart) {
        if (!apart) {
            read.put("search/tp_sizes", asked.wholes("agg_tp_candidates"));
            read.put("search/dp_sizes", asked.wholes("agg_dp_candidates"));
            read.put("search/ep_sizes", asked.wholes("agg_moe_ep_candidates"));
            if (!asked.has("agg_tp_candidates")) {
                read.assume("search/tp_sizes", List.of(), "all powers of two, as AIConfigurator tries them");
            }
            return;
        }
        Integer most = asked.whole("total_gpus");
        for (String side : List.of("prefill", "decode")) {
            List<Integer> sizes = asked.wholes(side + "_num_gpu_candidates");
            String path = "pd_ratio/" + side + "_devices_per_instance";
            if (sizes == null) {
                read.assume(
                        path,
                        USUAL_INSTANCES.stream()
                                .filter(size -> most == null || size <= most)
                                .toList(),
                        "the file does not say " + side + "_num_gpu_candidates");
            } else {
                read.put(path, sizes);
            }
        }
        both(read, asked, "tp", "tp_sizes");
        both(read, asked, "dp", "dp_sizes");
        both(read, asked, "moe_ep", "ep_sizes");
        if (!asked.has("prefill_tp_candidates") && !asked.has("decode_tp_candidates")) {
            read.assume("search/tp_sizes", List.of(), "all powers of two, as AIConfigurator tries them");
        }
    }

    /// Sizes are tried on both sides here.
    private static void both(ImportedRequest read, ImportedMembers asked, String size, String member) {
        List<Integer> prefill = asked.wholes("prefill_" + size + "_candidates");
        List<Integer> decode = asked.wholes("decode_" + size + "_candidates");
        Set<Integer> all = new LinkedHashSet<>(requireNonNullElse(prefill, List.of()));
        all.addAll(requireNonNullElse(decode, List.of()));
        read.put("search/" + member, prefill == null && decode == null ? null : new ArrayList<>(all));
        if (prefill != null && decode != null && !prefill.equals(decode)) {
            read.leave("prefill_" + size + "_candidates", "search." + member + " are tried on both sides here");
        }
    }

    static String shortened(String name) {
        return name.length() <= 128 ? name : name.substring(0, 128);
    }

    private static InvalidRequestException refused(String pointer, String message) {
        return new InvalidRequestException(List.of(new Violation(pointer, message)));
    }
}

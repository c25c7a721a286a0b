package io.throughputoptimizer.api.autoscaling;

import static java.util.Objects.requireNonNullElse;

import io.throughputoptimizer.api.ObjectName;
import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.autoscaling.AutoscalingOptions.Format;
import io.throughputoptimizer.api.autoscaling.AutoscalingResponse.FileResponse;
import io.throughputoptimizer.api.autoscaling.AutoscalingResponse.ParameterResponse;
import io.throughputoptimizer.api.request.EngineRequest;
import io.throughputoptimizer.api.request.ObjectiveRequest;
import io.throughputoptimizer.api.request.OptimizationRequest;
import io.throughputoptimizer.api.result.CapacityResponse.DeploymentResponse;
import io.throughputoptimizer.api.result.CapacityResponse.GroupResponse;
import io.throughputoptimizer.core.workload.HistogramBins;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Files of autoscalers, from the templates in the folder `autoscaling`. `${name}` stands for a value; a line whose
/// value
/// is unknown is left out.
final class AutoscalerFiles {
    private static final Pattern HOLE = Pattern.compile("\\$\\{([a-z_.]+)}");
    private static final int SHOWN = 4;
    private static final double SPARE_DEFAULT = 0.1;

    private final OptimizationRequest request;
    private final DeploymentResponse plan;
    private final AutoscalingOptions options;
    private final Map<String, String> values = new HashMap<>();

    AutoscalerFiles(
            OptimizationRequest request,
            DeploymentResponse plan,
            AutoscalingOptions options,
            List<ParameterResponse> parameters) {
        this.request = request;
        this.plan = plan;
        this.options = options;
        for (ParameterResponse one : parameters) {
            values.put(one.name(), plain(one.value()));
            values.put("about." + one.name(), about(one));
        }
        describe();
    }

    /// Returns the name of the objects.
    static String name(OptimizationRequest request, AutoscalingOptions options) {
        return options.name() == null ? ObjectName.of(requireNonNullElse(request.modelId(), "model")) : options.name();
    }

    /// Returns the text of a file in the folder of templates.
    static String text(String name) {
        return new String(WireFormat.bundled("/autoscaling/" + name), StandardCharsets.UTF_8);
    }

    static String shown(double number) {
        return number == Math.rint(number) ? Long.toString((long) number) : HistogramBins.general(number, SHOWN);
    }

    private static String about(ParameterResponse one) {
        String ends = one.low() == null || one.high() == null
                ? ""
                : " (" + shown(one.low()) + " to " + shown(one.high()) + ")";
        return shown(one.value()) + ends + ": " + one.formula();
    }

    private static String plain(double number) {
        return number == Math.rint(number)
                ? Long.toString((long) number)
                : BigDecimal.valueOf(number).stripTrailingZeros().toPlainString();
    }

    private void describe() {
        String name = name(request, options);
        String model = requireNonNullElse(request.modelId(), name);
        EngineRequest engine = request.engine();
        String named = engine == null || engine.backend() == null
                ? null
                : engine.backend().of(plan.device());
        String backend = requireNonNullElse(named, "vllm");
        values.put("name", name);
        values.put("namespace", options.namespace());
        values.put("model", model);
        String label = "{model_name=\"" + model + "\"" + (backend.equals("sglang") ? ",priority=\"\"}" : "}");
        List<String> metrics = switch (backend) {
            case "sglang" -> List.of("sglang:num_running_reqs", "sglang:num_queue_reqs");
            case "trtllm" -> List.of("trtllm_num_requests_running", "trtllm_num_requests_waiting");
            default -> List.of("vllm:num_requests_running", "vllm:num_requests_waiting");
        };
        values.put(
                "query", metrics.stream().map(one -> "sum(" + one + label + ")").collect(Collectors.joining(" + ")));
        values.put("metric", metrics.getFirst().replace(':', '_'));
        values.put("backend", backend.startsWith("vllm") ? "vllm" : backend);
        Double price = price(request, plan);
        GroupResponse last = plan.instances().getLast();
        values.put("cost", price == null ? "10.0" : plain(price * last.devicesPerInstance()));
        String cache = values.get(Autoscaling.CACHE);
        if (cache != null && Double.parseDouble(cache) < SPARE_DEFAULT) {
            // The default must not exceed the threshold.
            values.put("kv_spare_trigger", plain(Double.parseDouble(cache) / 2));
        }
        plan(last);
    }

    /// Describes the plan to the planner of Dynamo.
    private void plan(GroupResponse last) {
        boolean split = plan.instances().size() > 1;
        values.put("mode", split ? "disagg" : "agg");
        values.put("decode_devices", Integer.toString(last.devicesPerInstance()));
        double most = Double.parseDouble(values.get(Autoscaling.MAX)) * last.devicesPerInstance();
        if (split) {
            values.put(
                    "prefill_devices",
                    Integer.toString(plan.instances().getFirst().devicesPerInstance()));
            most = requireNonNullElse(plan.numDevicesUnfavourable(), (long) Math.ceil(1.5 * plan.numDevices()));
        }
        values.put("most_devices", plain(most));
        Double ttft = finite(request.slo().ttftMs());
        Double tpot = finite(request.slo().tpotLimitMs());
        if (ttft != null && tpot != null) {
            values.put("target", "sla");
            values.put("sla.ttft_ms", ttft.toString());
            values.put("sla.tpot_ms", tpot.toString());
        } else if (values.containsKey(Autoscaling.CACHE_UP)) {
            values.put("target", "load");
            Stream.of(Autoscaling.CACHE_UP, Autoscaling.CACHE_DOWN)
                    .forEach(rate -> values.put("load." + rate, values.get(rate)));
            values.put("load.about", values.get("about." + Autoscaling.CACHE_UP));
        }
    }

    /// Returns the price of a device for an hour; null if the request has none.
    static @Nullable Double price(OptimizationRequest request, DeploymentResponse plan) {
        ObjectiveRequest objective = request.objective();
        return objective == null || objective.pricePerDeviceHour() == null
                ? null
                : objective.pricePerDeviceHour().of(plan.device());
    }

    static @Nullable Double finite(@Nullable Double millis) {
        return millis == null || millis.isInfinite() ? null : millis;
    }

    /// Returns the files of the requested formats, without those whose numbers are unknown.
    List<FileResponse> all() {
        return options.formats().stream()
                .sorted()
                .filter(format -> format == Format.DYNAMO
                        || values.containsKey(format == Format.WVA ? Autoscaling.CACHE : Autoscaling.TARGET))
                .map(this::file)
                .toList();
    }

    private FileResponse file(Format format) {
        String name = format.wireName();
        List<String> templates = switch (format) {
            case KEDA -> List.of(options.formats().contains(Format.LLM_D) ? "keda-llm-d" : name);
            case WVA -> values.containsKey("sla.ttft_ms") ? List.of(name, "wva-queueing") : List.of(name);
            case HPA, LLM_D, DYNAMO -> List.of(name);
        };
        return new FileResponse(
                name,
                name + ".yaml",
                templates.stream().map(template -> filled(template + ".yaml")).collect(Collectors.joining("---\n")));
    }

    private String filled(String template) {
        return text(template)
                .lines()
                .filter(line -> HOLE.matcher(line).results().allMatch(hole -> values.containsKey(hole.group(1))))
                .map(line -> HOLE.matcher(line).replaceAll(hole -> Matcher.quoteReplacement(values.get(hole.group(1))))
                        + "\n")
                .collect(Collectors.joining());
    }
}

package io.throughputoptimizer.launch;

import static io.throughputoptimizer.launch.ServerPod.ordered;

import io.throughputoptimizer.api.result.LaunchResponse.OptionResponse;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// A plan as an LLMInferenceService of KServe (`serving.kserve.io/v1alpha2`). KServe's templates start vLLM in
/// its own image; `parallelism` carries the sizes of the row and `VLLM_ADDITIONAL_ARGS` its other options.
///
/// Aggregated and decode instances are in `spec`, prefill instances in `prefill`. On several nodes, `template`
/// defines the leader of a server and `worker` its other nodes.
final class KserveService {
    static final String SOURCE = "config/llmisvcconfig of KServe";

    /// Options that the templates set from `parallelism`, on one node and on several.
    private static final Set<String> SET_ALWAYS = Set.of("--tensor-parallel-size");

    private static final Set<String> SET_IN_GROUPS =
            Set.of("--tensor-parallel-size", "--data-parallel-size", "--enable-expert-parallel");

    /// Variable whose value in commands is a shell expression.
    private static final String OWN_ADDRESS = "VLLM_NIXL_SIDE_CHANNEL_HOST";

    private final LaunchPlan plan;

    KserveService(LaunchPlan plan) {
        this.plan = plan;
    }

    /// Returns the fields of `spec`.
    ///
    /// @param servers servers, prefill before decode
    /// @throws CannotLaunchException if a data parallel rank spans several nodes
    Map<String, Object> spec(List<PlacedServer> servers) {
        String model = plan.served().model();
        Map<String, Object> spec = new LinkedHashMap<>();
        spec.put("model", ordered("uri", uri(model), "name", model));
        spec.putAll(workload(servers.getLast()));
        Map<String, Object> router = ordered("route", Map.of(), "gateway", Map.of());
        router.put("scheduler", Map.of());
        spec.put("router", router);
        if (plan.isSplit()) {
            spec.put("prefill", workload(servers.getFirst()));
        }
        return spec;
    }

    /// Returns the address of the checkpoint; a placeholder for quantized rows, which must be replaced.
    private String uri(String model) {
        return "hf://" + (plan.quantization() == null ? model : "SET-THE-QUANTIZED-CHECKPOINT");
    }

    private static Map<String, Object> workload(PlacedServer placed) {
        boolean grouped = placed.nodes() > 1;
        LaunchPlan.Layout layout = placed.layout();
        Map<String, Object> parallelism = new LinkedHashMap<>(Map.of("tensor", layout.tp()));
        if (grouped) {
            if (layout.tp() > placed.devices() || placed.devices() % layout.tp() != 0) {
                throw KubernetesManifests.cannot("KServe has no template for data parallel ranks of " + layout.tp()
                        + " devices on nodes of " + placed.devices());
            }
            parallelism.put("data", layout.dp());
            parallelism.put("dataLocal", placed.devices() / layout.tp());
            parallelism.put("expert", options(placed, Set.of()).contains("--enable-expert-parallel"));
        }
        Map<String, Object> workload = ordered("replicas", placed.server().instances(), "parallelism", parallelism);
        Map<String, Object> pod = Map.of("containers", List.of(runs(placed, grouped ? SET_IN_GROUPS : SET_ALWAYS)));
        workload.put("template", pod);
        if (grouped) {
            workload.put("worker", pod);
        }
        return workload;
    }

    /// @param set options set by the templates
    private static Map<String, Object> runs(PlacedServer placed, Set<String> set) {
        List<Map<String, Object>> environment = new ArrayList<>();
        placed.server()
                .environment()
                .forEach((variable, value) -> environment.add(
                        variable.equals(OWN_ADDRESS)
                                ? ordered(
                                        "name",
                                        variable,
                                        "valueFrom",
                                        Map.of("fieldRef", Map.of("fieldPath", "status.podIP")))
                                : ordered("name", variable, "value", value)));
        environment.add(ordered("name", "VLLM_ADDITIONAL_ARGS", "value", String.join(" ", options(placed, set))));
        Map<String, Object> runs = ordered("name", "main", "env", environment);
        Map<String, String> devices = Map.of(placed.resource(), Integer.toString(placed.devices()));
        runs.put("resources", ordered("limits", devices, "requests", devices));
        return runs;
    }

    /// Returns the options in shell syntax.
    private static List<String> options(PlacedServer placed, Set<String> without) {
        return placed.server().options().stream()
                .map(OptionResponse::option)
                .filter(option -> !option.isEmpty()
                        && !without.contains(ShellWords.of(option).getFirst()))
                .toList();
    }
}

package io.throughputoptimizer.launch;

import static io.throughputoptimizer.launch.ServerPod.ordered;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A plan as values of the chart `llm-d-modelservice`: aggregated instances are its decode instances, without
/// prefill instances.
///
/// Prefill instances listen on the routing port; decode instances listen behind a routing proxy.
final class LlmdValues {
    private static final int ROUTED = 8000;
    private static final int BEHIND_PROXY = 8200;

    private final LaunchPlan plan;
    private final ServerPod pod;
    private final String name;

    /// @param name name of all objects
    LlmdValues(LaunchPlan plan, ServerPod pod, String name) {
        this.plan = plan;
        this.pod = pod;
        this.name = name;
    }

    Map<String, Object> of(List<PlacedServer> servers) {
        String model = plan.served().model();
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("fullnameOverride", name);
        Map<String, Object> artifacts = ordered("name", model, "uri", "hf://" + model);
        artifacts.put("labels", ordered("llm-d.ai/inferenceServing", "true", "llm-d.ai/model", name));
        values.put("modelArtifacts", artifacts);
        boolean grouped = servers.stream().anyMatch(placed -> placed.nodes() > 1);
        values.put("multinode", grouped);
        values.put("accelerator", Map.of("type", "nvidia"));
        Map<String, Object> proxy = new LinkedHashMap<>(Map.of("enabled", plan.isSplit()));
        if (plan.isSplit()) {
            proxy.put("targetPort", BEHIND_PROXY);
            proxy.put("connector", "nixlv2");
        }
        values.put("routing", ordered("servicePort", ROUTED, "proxy", proxy));
        values.put("decode", role(servers.getLast(), plan.isSplit() ? BEHIND_PROXY : ROUTED));
        values.put(
                "prefill", plan.isSplit() ? role(servers.getFirst(), ROUTED) : ordered("create", false, "replicas", 0));
        return values;
    }

    private Map<String, Object> role(PlacedServer placed, int port) {
        Map<String, Object> role =
                ordered("create", true, "replicas", placed.server().instances());
        LaunchPlan.Layout layout = placed.layout();
        Map<String, Object> parallelism = ordered("tensor", layout.tp(), "data", layout.dp());
        parallelism.put("dataLocal", Math.max(1, placed.devices() / layout.tp()));
        parallelism.put("workers", placed.nodes());
        role.put("parallelism", parallelism);
        Map<String, Object> runs = ordered("name", "vllm", "image", pod.image());
        runs.put("modelCommand", "custom");
        runs.put("command", List.of("/bin/sh", "-c"));
        runs.put("args", List.of(pod.script(placed, port)));
        runs.put("ports", List.of(ordered("name", "metrics", "containerPort", port)));
        runs.put(
                "resources",
                ordered(
                        "limits",
                        Map.of(placed.resource(), Integer.toString(placed.devices())),
                        "requests",
                        Map.of(placed.resource(), Integer.toString(placed.devices()))));
        runs.put("mountModelVolume", false);
        runs.put("volumeMounts", List.of(ServerPod.sharedMemoryMount()));
        role.put("containers", List.of(runs));
        role.put("volumes", List.of(ServerPod.sharedMemory()));
        return role;
    }
}

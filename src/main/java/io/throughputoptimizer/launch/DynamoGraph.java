package io.throughputoptimizer.launch;

import static io.throughputoptimizer.launch.ServerPod.ordered;

import io.throughputoptimizer.api.result.LaunchResponse.OptionResponse;
import io.throughputoptimizer.catalog.EngineOptions.Dynamo;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A plan as a Dynamo graph: a frontend for clients, and workers, which the operator groups over several nodes.
final class DynamoGraph {
    private static final String MODEL = "$(MODEL)";

    private final LaunchPlan plan;
    private final Dynamo dynamo;
    private final String framework;

    /// @param framework name of the engine
    DynamoGraph(LaunchPlan plan, Dynamo dynamo, String framework) {
        this.plan = plan;
        this.dynamo = dynamo;
        this.framework = framework;
    }

    Map<String, Object> spec(List<PlacedServer> servers) {
        Map<String, Object> services = new LinkedHashMap<>();
        services.put("Frontend", frontend());
        servers.forEach(placed -> services.put(plan.isSplit() ? placed.server().role() : "worker", worker(placed)));
        return ordered("backendFramework", framework, "services", services);
    }

    private Map<String, Object> frontend() {
        Map<String, Object> service = ordered("componentType", "frontend", "replicas", 1);
        Map<String, Object> runs =
                ordered("image", dynamo.image(), "command", List.of("python3", "-m", "dynamo.frontend"));
        runs.put("args", List.of("--http-port", "8000"));
        service.put("extraPodSpec", Map.of("mainContainer", runs));
        return service;
    }

    private Map<String, Object> worker(PlacedServer placed) {
        Map<String, Object> service = new LinkedHashMap<>();
        service.put("componentType", "worker");
        if (plan.isSplit()) {
            service.put("subComponentType", placed.server().role());
        }
        service.put("replicas", placed.server().instances());
        if (placed.nodes() > 1) {
            service.put("multinode", Map.of("nodeCount", placed.nodes()));
        }
        service.put("resources", Map.of("limits", Map.of("gpu", Integer.toString(placed.devices()))));
        Map<String, Object> runs =
                ordered("image", dynamo.image(), "command", List.of("python3", "-m", dynamo.module()));
        runs.put("args", arguments(placed));
        runs.put("env", List.of(ordered("name", "MODEL", "value", model())));
        service.put("extraPodSpec", Map.of("mainContainer", runs));
        return service;
    }

    private String model() {
        String words = plan.quantization();
        String model = plan.served().model();
        return words == null ? model : "a checkpoint of " + model + " quantized as " + words;
    }

    private List<String> arguments(PlacedServer placed) {
        List<String> arguments = new ArrayList<>(List.of(dynamo.model(), MODEL));
        placed.server().options().stream()
                .map(OptionResponse::option)
                .map(ShellWords::of)
                .filter(words -> !dynamo.without().contains(words.getFirst()))
                .forEach(arguments::addAll);
        switch (placed.server().role()) {
            case "prefill" -> arguments.addAll(ShellWords.of(dynamo.prefill()));
            case "decode" -> arguments.addAll(ShellWords.of(dynamo.decode()));
            default -> {
                // The worker runs both phases.
            }
        }
        return arguments;
    }
}

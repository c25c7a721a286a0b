package io.throughputoptimizer.launch;

import io.throughputoptimizer.api.result.LaunchResponse;
import io.throughputoptimizer.api.result.LaunchResponse.FileResponse;
import io.throughputoptimizer.api.result.LaunchResponse.ServerResponse;
import io.throughputoptimizer.catalog.EngineOptions;
import io.throughputoptimizer.catalog.EngineOptions.Container;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The Pod of a server of a plan, or of its part on one node.
record ServerPod(LaunchResponse launch, EngineOptions engine, Container container) {
    static final String HTTP = "http";

    private static final String END_OF_FILE = "END_OF_FILE";

    /// Maximum time to load weights: 360 probes of 10 seconds.
    private static final int STARTUP_TRIES = 360;

    private static final int READY_TRIES = 3;
    private static final int PROBE_SECONDS = 10;

    /// Returns an object with its fields in the given order.
    static Map<String, Object> ordered(String first, Object one, String second, Object other) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put(first, one);
        members.put(second, other);
        return members;
    }

    /// @param answers true if it serves requests
    Map<String, Object> template(Map<String, Object> labels, PlacedServer placed, boolean answers) {
        Map<String, Object> pod = new LinkedHashMap<>();
        // Otherwise each Service of the namespace sets variables that engines can mistake for their own.
        pod.put("enableServiceLinks", false);
        pod.put("containers", List.of(runs(placed, answers)));
        pod.put("volumes", List.of(sharedMemory()));
        return ordered("metadata", Map.of("labels", labels), "spec", pod);
    }

    static Map<String, Object> sharedMemory() {
        return ordered("name", "shm", "emptyDir", Map.of("medium", "Memory"));
    }

    private Map<String, Object> runs(PlacedServer placed, boolean answers) {
        ServerResponse server = placed.server();
        Map<String, Object> runs = new LinkedHashMap<>();
        runs.put("name", launch.engine());
        runs.put("image", image());
        runs.put("command", List.of("/bin/sh", "-c"));
        runs.put("args", List.of(script(placed, server.port())));
        if (answers) {
            runs.put("ports", List.of(ordered("name", HTTP, "containerPort", server.port())));
        }
        runs.put("resources", Map.of("limits", Map.of(placed.resource(), placed.devices())));
        if (answers) {
            runs.put("startupProbe", probe(STARTUP_TRIES));
            runs.put("readinessProbe", probe(READY_TRIES));
        }
        runs.put("volumeMounts", List.of(sharedMemoryMount()));
        return runs;
    }

    static Map<String, Object> sharedMemoryMount() {
        return ordered("name", "shm", "mountPath", "/dev/shm");
    }

    String image() {
        return Settings.filled(container.image(), Map.of("version", engine.version()));
    }

    private Map<String, Object> probe(int tries) {
        Map<String, Object> probe = new LinkedHashMap<>();
        probe.put("httpGet", ordered("path", container.health(), "port", HTTP));
        probe.put("periodSeconds", PROBE_SECONDS);
        probe.put("failureThreshold", tries);
        return probe;
    }

    /// Returns the script of one server. All servers of a kind use the same port, each in its own Pod.
    String script(PlacedServer placed, int port) {
        ServerResponse server = placed.server();
        StringBuilder script = new StringBuilder(launch.checkpoint()).append('\n');
        server.environment()
                .forEach((variable, value) -> script.append("export ")
                        .append(variable)
                        .append('=')
                        .append(value)
                        .append('\n'));
        FileResponse file = server.file();
        if (file != null) {
            script.append("cat > ").append(file.name()).append(" <<'" + END_OF_FILE + "'\n");
            script.append(file.content().stripTrailing()).append("\n" + END_OF_FILE + "\n");
        }
        script.append("exec ").append(command(server, port));
        if (!container.options().isEmpty()) {
            script.append(Launcher.CONTINUED).append(container.options());
        }
        String group = placed.group(engine.title(), container.nodes());
        if (!group.isEmpty()) {
            script.append(Launcher.CONTINUED).append(group);
        }
        return script.append('\n').toString();
    }

    /// Returns the command with that port, which the command of a single server does not name.
    private String command(ServerResponse server, int port) {
        String told = server.command()
                .replace("\"${PORT:-" + server.port() + "}\"", Integer.toString(port))
                .replace(port(server.port()), port(port));
        return port == engine.port() || told.contains(port(port)) ? told : told + Launcher.CONTINUED + port(port);
    }

    private String port(int number) {
        return Settings.filled(String.join(" ", engine.portOption().texts()), Map.of("port", number));
    }
}

package io.throughputoptimizer.launch;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.result.LaunchResponse;
import io.throughputoptimizer.api.result.LaunchResponse.FileResponse;
import io.throughputoptimizer.api.result.LaunchResponse.ServerResponse;
import io.throughputoptimizer.catalog.EngineOptions;
import io.throughputoptimizer.catalog.EngineOptions.Container;
import io.throughputoptimizer.launch.CannotLaunchException.Subject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/// A plan as objects of Kubernetes: a Deployment and a Service for each kind of server, whose Pods run the
/// command of the plan, one Pod for each server.
final class KubernetesManifests {
    /// Of names of objects, so that what their Pods are called stays within the 63 characters of a label.
    private static final int LONGEST_NAME = 45;

    /// Room for a role behind the name of the model.
    private static final int LONGEST_MODEL = LONGEST_NAME - "-prefill".length();

    private static final String HTTP = "http";
    private static final String NAME_LABEL = "app.kubernetes.io/name";
    private static final String END_OF_FILE = "END_OF_FILE";

    /// Longest that loading weights may take: 360 times 10 seconds.
    private static final int STARTUP_TRIES = 360;

    private static final int READY_TRIES = 3;
    private static final int PROBE_SECONDS = 10;

    private final LaunchPlan plan;
    private final EngineOptions engine;
    private final Container container;
    private final int devicesPerNode;

    /// @param devicesPerNode devices that a node of the cluster holds
    /// @throws CannotLaunchException if no document says how the engine runs in a container
    KubernetesManifests(LaunchPlan plan, EngineOptions engine, int devicesPerNode) {
        this.plan = plan;
        this.engine = engine;
        this.devicesPerNode = devicesPerNode;
        Container known = engine.container();
        if (known == null) {
            throw cannot("no image of " + engine.title() + " is known that starts from a command alone");
        }
        this.container = known;
    }

    /// @param launch commands of the plan, one entry for each of its kinds of instances
    /// @throws CannotLaunchException if a server does not fit on a node, or nobody knows what Kubernetes
    ///     calls its devices
    String of(LaunchResponse launch) {
        List<Map<String, Object>> objects = new ArrayList<>();
        for (int kind = 0; kind < launch.servers().size(); kind++) {
            ServerResponse server = launch.servers().get(kind);
            if (server.numDevices() > devicesPerNode) {
                throw cannot("a server of " + server.numDevices() + " devices takes several nodes of " + devicesPerNode
                        + ", and the Pod of a Deployment is on one");
            }
            String name = name(server);
            objects.add(deployment(name, server, launch, resource(kind)));
            objects.add(service(name, server));
        }
        StringBuilder text = new StringBuilder();
        comments(launch)
                .forEach(comment -> text.append("# ")
                        .append(comment.replaceAll("\\R", "\n# "))
                        .append('\n'));
        objects.forEach(object -> text.append("---\n").append(WireFormat.document(WireFormat.Syntax.YAML, object)));
        return text.toString();
    }

    private List<String> comments(LaunchResponse launch) {
        List<String> comments = new ArrayList<>();
        comments.add(launch.model() + " on " + launch.device() + ", row " + launch.rank() + ", " + launch.engine() + " "
                + launch.engineVersion());
        comments.add("Written by the figures of the row; the service ran none of it.");
        int devices = launch.servers().stream()
                .mapToInt(server -> server.numDevices() * server.instances())
                .sum();
        comments.add(devices + " devices in all: of nodes with " + devicesPerNode + ", at least " + nodes(launch));
        comments.add("image and health check: " + container.source());
        EngineOptions.Router router = engine.router();
        launch.notes().stream()
                .filter(note -> router == null || !Objects.equals(note, router.note()))
                .forEach(comments::add);
        launch.unsure().forEach(unsure -> comments.add("unsure: " + unsure));
        launch.withoutOption().forEach(lacking -> comments.add("no option for " + lacking));
        if (plan.quantization() != null) {
            comments.add("the containers stop until their variable MODEL says where the quantized checkpoint lies");
        }
        if (plan.isSplit()) {
            comments.add("clients ask a router, which is none of these objects: it is told the address of each Pod,"
                    + " which the names of the Services stand for, and the port of its kind");
        } else if (launch.servers().getFirst().instances() > 1) {
            comments.add("the Service spreads connections; the figures are those of requests that are spread evenly");
        }
        return comments;
    }

    /// Kinds on devices of one kind may share a node: those with more devices take their nodes first, the
    /// others what is left there.
    private int nodes(LaunchResponse launch) {
        List<ServerResponse> servers = new ArrayList<>(launch.servers());
        servers.sort((one, other) -> Integer.compare(other.numDevices(), one.numDevices()));
        ServerResponse large = servers.getFirst();
        int together = devicesPerNode / large.numDevices();
        int nodes = Math.ceilDiv(large.instances(), together);
        if (servers.size() == 1) {
            return nodes;
        }
        ServerResponse small = servers.getLast();
        int of = small.numDevices();
        int room = 0;
        if (small.device().equals(large.device())) {
            int last = large.instances() - (nodes - 1) * together;
            room = (nodes - 1) * ((devicesPerNode - together * large.numDevices()) / of)
                    + (devicesPerNode - last * large.numDevices()) / of;
        }
        return nodes + Math.ceilDiv(Math.max(0, small.instances() - room), devicesPerNode / of);
    }

    private String resource(int kind) {
        LaunchPlan.Device device = plan.instances().get(kind).device();
        String resource = container.resources().get(device.vendor());
        if (resource == null) {
            throw cannot("what Kubernetes calls devices as " + device.name() + " where " + engine.title()
                    + " runs on them is not known");
        }
        return resource;
    }

    private Map<String, Object> deployment(String name, ServerResponse server, LaunchResponse launch, String resource) {
        Map<String, Object> labels = Map.of(NAME_LABEL, name);
        Map<String, Object> spec = new LinkedHashMap<>();
        spec.put("replicas", server.instances());
        spec.put("selector", Map.of("matchLabels", labels));
        // A rolling update waits for devices that the Pods to be replaced hold.
        spec.put("strategy", Map.of("type", "Recreate"));
        spec.put("template", template(labels, server, launch, resource));
        return object("apps/v1", "Deployment", name, spec);
    }

    private Map<String, Object> template(
            Map<String, Object> labels, ServerResponse server, LaunchResponse launch, String resource) {
        Map<String, Object> runs = new LinkedHashMap<>();
        runs.put("name", launch.engine());
        runs.put("image", Settings.filled(container.image(), Map.of("version", engine.version())));
        runs.put("command", List.of("/bin/sh", "-c"));
        runs.put("args", List.of(script(server, launch)));
        runs.put("ports", List.of(ordered("name", HTTP, "containerPort", server.port())));
        runs.put("resources", Map.of("limits", Map.of(resource, server.numDevices())));
        runs.put("startupProbe", probe(STARTUP_TRIES));
        runs.put("readinessProbe", probe(READY_TRIES));
        runs.put("volumeMounts", List.of(ordered("name", "shm", "mountPath", "/dev/shm")));
        Map<String, Object> pod = new LinkedHashMap<>();
        // Else each Service of the namespace sets variables, which engines may take for their own.
        pod.put("enableServiceLinks", false);
        pod.put("containers", List.of(runs));
        pod.put("volumes", List.of(ordered("name", "shm", "emptyDir", Map.of("medium", "Memory"))));
        return ordered("metadata", Map.of("labels", labels), "spec", pod);
    }

    private Map<String, Object> probe(int tries) {
        Map<String, Object> probe = new LinkedHashMap<>();
        probe.put("httpGet", ordered("path", container.health(), "port", HTTP));
        probe.put("periodSeconds", PROBE_SECONDS);
        probe.put("failureThreshold", tries);
        return probe;
    }

    /// What the script of the plan has of one server. All of a kind listen on one port, each in a Pod of its own.
    private String script(ServerResponse server, LaunchResponse launch) {
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
        script.append("exec ")
                .append(server.command().replace("\"${PORT:-" + server.port() + "}\"", "" + server.port()));
        if (!container.options().isEmpty()) {
            script.append(Launcher.CONTINUED).append(container.options());
        }
        return script.append('\n').toString();
    }

    /// Instances that serve alone are behind one address; those that prefill or decode have none, so that
    /// a router sees each.
    private Map<String, Object> service(String name, ServerResponse server) {
        Map<String, Object> spec = new LinkedHashMap<>();
        int port = engine.port();
        if (plan.isSplit()) {
            spec.put("clusterIP", "None");
            port = server.port();
        }
        spec.put("selector", Map.of(NAME_LABEL, name));
        Map<String, Object> served = ordered("name", HTTP, "port", port);
        served.put("targetPort", HTTP);
        spec.put("ports", List.of(served));
        return object("v1", "Service", name, spec);
    }

    private static Map<String, Object> object(String version, String kind, String name, Map<String, Object> spec) {
        Map<String, Object> object = ordered("apiVersion", version, "kind", kind);
        object.put("metadata", ordered("name", name, "labels", Map.of(NAME_LABEL, name)));
        object.put("spec", spec);
        return object;
    }

    private static Map<String, Object> ordered(String first, Object one, String second, Object other) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put(first, one);
        members.put(second, other);
        return members;
    }

    /// A DNS label that starts with a letter, as names of Services do.
    private String name(ServerResponse server) {
        String model = plan.served().model();
        String last = model.substring(model.lastIndexOf('/') + 1).toLowerCase(Locale.ROOT);
        String plain = last.replaceAll("[^a-z0-9]+", "-").replaceAll("^-|-$", "");
        String label = plain.matches("[a-z].*") ? plain : "model-" + plain;
        String shortened =
                label.substring(0, Math.min(label.length(), LONGEST_MODEL)).replaceAll("-+$", "");
        return plan.isSplit() ? shortened + "-" + server.role() : shortened;
    }

    private static CannotLaunchException cannot(String reason) {
        return new CannotLaunchException(Subject.ENGINE, "There are no manifests of this row: " + reason);
    }
}

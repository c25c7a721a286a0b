package io.throughputoptimizer.launch;

import static io.throughputoptimizer.launch.ServerPod.ordered;

import io.throughputoptimizer.api.ObjectName;
import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.result.LaunchResponse;
import io.throughputoptimizer.api.result.LaunchResponse.ServerResponse;
import io.throughputoptimizer.catalog.EngineOptions;
import io.throughputoptimizer.catalog.EngineOptions.Container;
import io.throughputoptimizer.catalog.EngineOptions.Dynamo;
import io.throughputoptimizer.catalog.EngineOptions.Nodes;
import io.throughputoptimizer.launch.CannotLaunchException.Subject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/// A plan as Kubernetes objects: a Deployment and a Service per kind of server. Each Pod runs the command of
/// one server.
final class KubernetesManifests {
    private static final String NAME_LABEL = "app.kubernetes.io/name";

    private final LaunchPlan plan;
    private final EngineOptions engine;
    private final Container container;
    private final ManifestKind kind;
    private final int devicesPerNode;

    /// @param kind kind of the objects
    /// @param devicesPerNode devices per node of the cluster
    /// @throws CannotLaunchException if the engine has no documented container
    KubernetesManifests(LaunchPlan plan, EngineOptions engine, ManifestKind kind, int devicesPerNode) {
        this.plan = plan;
        this.kind = kind;
        this.engine = engine;
        this.devicesPerNode = devicesPerNode;
        Container known = engine.container();
        if (known == null) {
            throw cannot("no image of " + engine.title() + " is known that starts from a command alone");
        }
        this.container = known;
    }

    /// @param launch commands of the plan, one entry per kind of instance
    /// @throws CannotLaunchException if a server does not fit on nodes, or the Kubernetes resource name of its
    ///     devices is unknown
    String of(LaunchResponse launch) {
        List<PlacedServer> servers = new ArrayList<>();
        for (int index = 0; index < launch.servers().size(); index++) {
            ServerResponse server = launch.servers().get(index);
            if (server.numDevices() > devicesPerNode && !kind.spansNodes()) {
                throw cannot("a server of " + server.numDevices() + " devices takes several nodes of " + devicesPerNode
                        + ", and the Pod of a Deployment is on one");
            }
            servers.add(PlacedServer.of(
                    name(server), server, plan.instances().get(index).layout(), resource(index), devicesPerNode));
        }
        StringBuilder text = new StringBuilder();
        comments(launch, servers)
                .forEach(comment -> text.append("# ")
                        .append(comment.replaceAll("\\R", "\n# "))
                        .append('\n'));
        objects(launch, servers)
                .forEach(object -> text.append("---\n").append(WireFormat.document(WireFormat.Syntax.YAML, object)));
        return text.toString();
    }

    private List<Map<String, Object>> objects(LaunchResponse launch, List<PlacedServer> servers) {
        ServerPod pod = new ServerPod(launch, engine, container);
        return switch (kind) {
            case DEPLOYMENT ->
                servers.stream()
                        .flatMap(placed -> Stream.of(deployment(placed, pod), service(placed)))
                        .toList();
            case LEADER_WORKER_SET ->
                servers.stream()
                        .flatMap(placed -> Stream.of(group(placed, pod), service(placed)))
                        .toList();
            case DYNAMO ->
                List.of(object(
                        "nvidia.com/v1alpha1",
                        "DynamoGraphDeployment",
                        modelName(),
                        new DynamoGraph(plan, dynamo(), launch.engine()).spec(servers)));
            case LLM_D -> {
                refuseOtherThanVllm("the chart of llm-d serves", launch);
                yield List.of(new LlmdValues(plan, pod, modelName()).of(servers));
            }
            case KSERVE -> {
                refuseOtherThanVllm("KServe's templates serve", launch);
                yield List.of(object(
                        "serving.kserve.io/v1alpha2",
                        "LLMInferenceService",
                        modelName(),
                        new KserveService(plan).spec(servers)));
            }
        };
    }

    private void refuseOtherThanVllm(String what, LaunchResponse launch) {
        if (!launch.engine().equals("vllm")) {
            throw cannot(what + " with vLLM, not with " + engine.title());
        }
    }

    private Dynamo dynamo() {
        Dynamo dynamo = container.dynamo();
        if (dynamo == null) {
            throw cannot("no document says how Dynamo runs " + engine.title());
        }
        return dynamo;
    }

    private List<String> comments(LaunchResponse launch, List<PlacedServer> servers) {
        List<String> comments = new ArrayList<>();
        comments.add(launch.model() + " on " + launch.device() + ", row " + launch.rank() + ", " + launch.engine() + " "
                + launch.engineVersion());
        comments.add("Written by the figures of the row; the service ran none of it.");
        int devices = launch.servers().stream()
                .mapToInt(server -> server.numDevices() * server.instances())
                .sum();
        comments.add(devices + " devices in all: of nodes with " + devicesPerNode + ", at least " + nodes(servers));
        comments.add(source());
        EngineOptions.Router router = engine.router();
        launch.notes().stream()
                .filter(note -> router == null || !Objects.equals(note, router.note()))
                .forEach(comments::add);
        launch.unsure().forEach(unsure -> comments.add("unsure: " + unsure));
        launch.withoutOption().forEach(lacking -> comments.add("no option for " + lacking));
        if (plan.quantization() != null) {
            comments.add(
                    kind == ManifestKind.KSERVE
                            ? "nothing starts until model.uri says where the checkpoint quantized as "
                                    + plan.quantization() + " lies"
                            : "the containers stop until their variable MODEL says where the quantized checkpoint lies");
        }
        comments.addAll(routing(launch));
        return comments;
    }

    private String source() {
        return switch (kind) {
            case DEPLOYMENT -> "image and health check: " + container.source();
            case LEADER_WORKER_SET, LLM_D -> {
                Nodes nodes = container.nodes();
                yield "image and health check: " + container.source()
                        + (nodes == null ? "" : "; several nodes: " + nodes.source());
            }
            case DYNAMO -> "image and roles: " + dynamo().source() + " of Dynamo";
            case KSERVE -> "images, health checks and roles: " + KserveService.SOURCE;
        };
    }

    /// Returns notes on the address for clients and on routing.
    private List<String> routing(LaunchResponse launch) {
        return switch (kind) {
            case DYNAMO -> List.of("clients ask the frontend, which sends requests to the workers");
            case LLM_D ->
                List.of("values of the chart llm-d-modelservice; clients ask the gateway of llm-d, whose InferencePool"
                        + " selects the labels of modelArtifacts");
            case KSERVE ->
                List.of(
                        "the containers have KServe's own image of vLLM, which may be of another version than "
                                + engine.version() + ", whose options these are",
                        "clients ask the gateway of KServe, whose scheduler sends requests to the servers");
            case DEPLOYMENT, LEADER_WORKER_SET -> {
                if (plan.isSplit()) {
                    yield List.of("clients ask a router, which is none of these objects: it is told the address of each"
                            + " Pod, which the names of the Services stand for, and the port of its kind");
                }
                yield launch.servers().getFirst().instances() > 1
                        ? List.of("the Service spreads connections; the figures are those of requests that are spread"
                                + " evenly")
                        : List.of();
            }
        };
    }

    /// Returns the number of nodes. Different servers can share a node if their devices are equal; those with
    /// more devices are placed first.
    private int nodes(List<PlacedServer> all) {
        List<PlacedServer> servers = new ArrayList<>(all);
        servers.sort((one, other) -> Integer.compare(other.devices(), one.devices()));
        PlacedServer large = servers.getFirst();
        int together = devicesPerNode / large.devices();
        int nodes = Math.ceilDiv(large.pods(), together);
        if (servers.size() == 1) {
            return nodes;
        }
        PlacedServer small = servers.getLast();
        int of = small.devices();
        int room = 0;
        if (small.server().device().equals(large.server().device())) {
            int last = large.pods() - (nodes - 1) * together;
            room = (nodes - 1) * ((devicesPerNode - together * large.devices()) / of)
                    + (devicesPerNode - last * large.devices()) / of;
        }
        return nodes + Math.ceilDiv(Math.max(0, small.pods() - room), devicesPerNode / of);
    }

    private String resource(int index) {
        LaunchPlan.Device device = plan.instances().get(index).device();
        String resource = container.resources().get(device.vendor());
        if (resource == null) {
            throw cannot("what Kubernetes calls devices as " + device.name() + " where " + engine.title()
                    + " runs on them is not known");
        }
        return resource;
    }

    private Map<String, Object> deployment(PlacedServer placed, ServerPod pod) {
        Map<String, Object> labels = Map.of(NAME_LABEL, placed.name());
        Map<String, Object> spec = new LinkedHashMap<>();
        spec.put("replicas", placed.server().instances());
        spec.put("selector", Map.of("matchLabels", labels));
        // A rolling update would wait for devices held by the old Pods.
        spec.put("strategy", Map.of("type", "Recreate"));
        spec.put("template", pod.template(labels, placed, true));
        return object("apps/v1", "Deployment", placed.name(), spec);
    }

    private Map<String, Object> group(PlacedServer placed, ServerPod pod) {
        return object(
                "leaderworkerset.x-k8s.io/v1",
                "LeaderWorkerSet",
                placed.name(),
                LeaderWorkerSets.spec(placed, pod, Map.of(NAME_LABEL, placed.name())));
    }

    /// Returns the Service of a server: one address for aggregated instances; headless for prefill and decode
    /// instances, so that a router sees each.
    private Map<String, Object> service(PlacedServer placed) {
        String name = placed.name();
        ServerResponse server = placed.server();
        Map<String, Object> spec = new LinkedHashMap<>();
        int port = engine.port();
        if (plan.isSplit()) {
            spec.put("clusterIP", "None");
            port = server.port();
        }
        Map<String, Object> selected = new LinkedHashMap<>(Map.of(NAME_LABEL, name));
        if (kind == ManifestKind.LEADER_WORKER_SET) {
            selected.put(LeaderWorkerSets.ROLE_LABEL, LeaderWorkerSets.LEADER);
        }
        spec.put("selector", selected);
        Map<String, Object> served = ServerPod.ordered("name", ServerPod.HTTP, "port", port);
        served.put("targetPort", ServerPod.HTTP);
        spec.put("ports", List.of(served));
        return object("v1", "Service", name, spec);
    }

    private static Map<String, Object> object(String version, String kind, String name, Map<String, Object> spec) {
        Map<String, Object> object = ServerPod.ordered("apiVersion", version, "kind", kind);
        object.put("metadata", ServerPod.ordered("name", name, "labels", Map.of(NAME_LABEL, name)));
        object.put("spec", spec);
        return object;
    }

    private String name(ServerResponse server) {
        return plan.isSplit() ? modelName() + "-" + server.role() : modelName();
    }

    private String modelName() {
        return ObjectName.of(plan.served().model());
    }

    static CannotLaunchException cannot(String reason) {
        return new CannotLaunchException(Subject.ENGINE, "There are no manifests of this row: " + reason);
    }

    /// Servers as groups of Pods, the first of which answers requests.
    ///
    /// The environment of a group contains `LWS_GROUP_SIZE`, `LWS_WORKER_INDEX` and `LWS_LEADER_ADDRESS`.
    static final class LeaderWorkerSets {
        static final String LEADER = "leader";
        static final String ROLE_LABEL = "app.kubernetes.io/component";

        private LeaderWorkerSets() {}

        /// Returns the fields of `spec`.
        static Map<String, Object> spec(PlacedServer placed, ServerPod pod, Map<String, Object> labels) {
            Map<String, Object> leading = new LinkedHashMap<>(labels);
            leading.put(ROLE_LABEL, LEADER);
            Map<String, Object> group = new LinkedHashMap<>();
            group.put("size", placed.nodes());
            // A restarted member could not rejoin the others, so the whole group restarts.
            group.put("restartPolicy", "RecreateGroupOnPodRestart");
            group.put("leaderTemplate", pod.template(leading, placed, true));
            group.put("workerTemplate", pod.template(labels, placed, false));
            return ordered("replicas", placed.server().instances(), "leaderWorkerTemplate", group);
        }
    }
}

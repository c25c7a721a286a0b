package io.throughputoptimizer.launch;

import static io.throughputoptimizer.launch.ServerPod.ordered;

import java.util.LinkedHashMap;
import java.util.Map;

/// Servers as groups of Pods, the first of which answers requests.
///
/// The environment of a group contains `LWS_GROUP_SIZE`, `LWS_WORKER_INDEX` and `LWS_LEADER_ADDRESS`.
final class LeaderWorkerSets {
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

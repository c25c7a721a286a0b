package io.throughputoptimizer.launch;

import io.throughputoptimizer.api.result.LaunchResponse.ServerResponse;
import io.throughputoptimizer.catalog.EngineOptions.Nodes;
import io.throughputoptimizer.launch.LaunchPlan.Layout;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Identical servers placed on the nodes of a cluster.
///
/// @param name name of their objects
/// @param layout layout of one server
/// @param resource Kubernetes resource name of their devices
/// @param nodes nodes per server, with equal devices on each
record PlacedServer(String name, ServerResponse server, Layout layout, String resource, int nodes) {
    /// @param devicesPerNode devices per node
    /// @throws CannotLaunchException if they do not fit on whole nodes
    static PlacedServer of(String name, ServerResponse server, Layout layout, String resource, int devicesPerNode) {
        int devices = server.numDevices();
        int nodes = Math.ceilDiv(devices, devicesPerNode);
        if (devices % nodes != 0) {
            throw KubernetesManifests.cannot("a server of " + devices + " devices takes " + nodes + " nodes of "
                    + devicesPerNode + ", and has not as many devices on each");
        }
        return new PlacedServer(name, server, layout, resource, nodes);
    }

    /// Returns the devices of a server on one node.
    int devices() {
        return server.numDevices() / nodes;
    }

    /// Returns the Pods of all servers.
    int pods() {
        return server.instances() * nodes;
    }

    /// Returns the additional options of each node of a server; empty on one node.
    ///
    /// @param known multi-node options of the engine; null if undocumented
    /// @throws CannotLaunchException if the server cannot span nodes
    String group(String engine, @Nullable Nodes known) {
        if (nodes == 1) {
            return "";
        }
        if (known == null) {
            throw KubernetesManifests.cannot("no document says how a server of " + engine + " takes several nodes");
        }
        boolean whole = layout.tp() <= devices();
        if (whole ? devices() % layout.tp() != 0 : layout.dp() > 1) {
            throw KubernetesManifests.cannot("data parallel ranks of " + layout.tp() + " devices do not share nodes of "
                    + devices() + " devices evenly");
        }
        if (whole && known.expertsOnly() && !layout.routed()) {
            throw KubernetesManifests.cannot(
                    "data parallel ranks of " + engine + " without routed experts do not span nodes");
        }
        String told = Settings.filled(
                whole ? known.ranks() : known.tensor(),
                Map.of("nodes", nodes, "local", Math.max(1, devices() / layout.tp())));
        return known.follower().isEmpty()
                ? told
                : told + " $(test \"$LWS_WORKER_INDEX\" -eq 0 || echo " + known.follower() + ")";
    }
}

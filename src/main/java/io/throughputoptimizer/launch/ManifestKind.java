package io.throughputoptimizer.launch;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/// Targets of manifests.
public enum ManifestKind {
    /// Plain Kubernetes.
    DEPLOYMENT("deployment"),
    /// Kubernetes with LeaderWorkerSet, required for servers on several nodes.
    LEADER_WORKER_SET("leaderworkerset"),
    /// Operator of NVIDIA Dynamo.
    DYNAMO("dynamo"),
    /// The model service chart of llm-d.
    LLM_D("llm-d"),
    /// The LLM controller of KServe.
    KSERVE("kserve");

    private final String wireName;

    ManifestKind(String wireName) {
        this.wireName = wireName;
    }

    public String wireName() {
        return wireName;
    }

    /// Returns the kind of a name, or empty.
    public static Optional<ManifestKind> of(String name) {
        return Arrays.stream(values())
                .filter(kind -> kind.wireName.equals(name.toLowerCase(Locale.ROOT)))
                .findFirst();
    }

    /// Returns whether a server can span several nodes.
    boolean spansNodes() {
        return this != DEPLOYMENT;
    }
}

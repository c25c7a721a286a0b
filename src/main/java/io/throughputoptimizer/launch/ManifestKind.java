package io.throughputoptimizer.launch;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/// What manifests of a row are for.
public enum ManifestKind {
    /// Kubernetes alone.
    DEPLOYMENT("deployment"),
    /// Kubernetes with LeaderWorkerSet, which servers on several nodes need.
    LEADER_WORKER_SET("leaderworkerset"),
    /// The operator of Dynamo.
    DYNAMO("dynamo"),
    /// The chart of llm-d for models.
    LLM_D("llm-d"),
    /// The controller of KServe for language models.
    KSERVE("kserve");

    private final String wireName;

    ManifestKind(String wireName) {
        this.wireName = wireName;
    }

    public String wireName() {
        return wireName;
    }

    /// The kind of that name.
    public static Optional<ManifestKind> of(String name) {
        return Arrays.stream(values())
                .filter(kind -> kind.wireName.equals(name.toLowerCase(Locale.ROOT)))
                .findFirst();
    }

    /// Whether a server may take several nodes.
    boolean spansNodes() {
        return this != DEPLOYMENT;
    }
}

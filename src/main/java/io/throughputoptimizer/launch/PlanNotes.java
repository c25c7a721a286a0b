package io.throughputoptimizer.launch;

import io.throughputoptimizer.api.request.EngineRequest;
import io.throughputoptimizer.api.request.OptimizationRequest;
import io.throughputoptimizer.catalog.Catalogs;
import io.throughputoptimizer.catalog.EngineOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Notes on a plan beyond its options.
final class PlanNotes {
    private PlanNotes() {}

    /// Returns the notes on a plan; the first states that the figures are those of another engine, if so.
    ///
    /// @param engine engine to start
    static List<String> of(Catalogs catalogs, OptimizationRequest request, LaunchPlan plan, String engine) {
        List<String> notes = new ArrayList<>();
        plan.instances().stream()
                .map(instance -> priced(request, instance.device().name()))
                .flatMap(Optional::stream)
                .distinct()
                .filter(priced -> !priced.equals(engine))
                .map(priced -> "the figures are those of " + title(catalogs, priced) + "; these commands start "
                        + title(catalogs, engine) + ", which may serve more or less")
                .forEach(notes::add);
        notes.addAll(plan.notes());
        return notes;
    }

    /// Returns the engine that a plan on a kind of device is priced for; empty if the cost model has none.
    static Optional<String> priced(OptimizationRequest request, String device) {
        EngineRequest asked = request.engine();
        return asked == null || asked.backend() == null ? Optional.empty() : Optional.ofNullable(asked.backend(device));
    }

    private static String title(Catalogs catalogs, String engine) {
        EngineOptions known = catalogs.launch().get(engine);
        return known == null ? engine : known.title();
    }

    /// Returns the notes on several servers.
    static List<String> of(Network network, EngineOptions engine) {
        List<String> notes = new ArrayList<>();
        EngineOptions.Router router = network.router();
        if (network.tellsPorts() && engine.form() == EngineOptions.Form.JSON) {
            notes.add("each server takes a port of its own, from " + network.port(0)
                    + ", which its file says: write one file for each");
        }
        if (!network.isListed()) {
            notes.add("a router of more than " + Network.MOST_ROUTED + " servers is not written out");
        }
        note(router).ifPresent(notes::add);
        return notes;
    }

    private static Optional<String> note(EngineOptions.@Nullable Router router) {
        return Optional.ofNullable(router).map(EngineOptions.Router::note).filter(Objects::nonNull);
    }
}

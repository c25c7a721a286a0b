package io.throughputoptimizer.launch;

import io.throughputoptimizer.api.request.OptimizationRequest;
import io.throughputoptimizer.api.result.CrossHardwareResponse;
import io.throughputoptimizer.api.result.CrossHardwareResponse.RankedResponse;
import io.throughputoptimizer.api.result.LaunchResponse;
import io.throughputoptimizer.api.result.ResultResponse;
import io.throughputoptimizer.api.result.catalog.LaunchEnginesResponse;
import io.throughputoptimizer.api.result.catalog.LaunchEnginesResponse.BestLaunchResponse;
import io.throughputoptimizer.api.result.catalog.LaunchEnginesResponse.EngineResponse;
import io.throughputoptimizer.catalog.Catalogs;
import io.throughputoptimizer.launch.CannotLaunchException.Subject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Selects the engines that can start a row, and the default one.
public final class EngineChoice {
    private static final int BEST = 1;

    private EngineChoice() {}

    /// Engines with their commands.
    ///
    /// @param launches commands of the engines that can start the row
    private record Choice(List<EngineResponse> engines, Map<String, LaunchResponse> launches) {}

    /// @param device kind of device in a result with several; null for the first that has the row
    /// @param rank place of the row in its table, from 1
    /// @throws CannotLaunchException if there is no such row
    public static LaunchEnginesResponse of(
            Catalogs catalogs, OptimizationRequest request, ResultResponse result, @Nullable String device, int rank) {
        return new LaunchEnginesResponse(choice(catalogs, request, result, device, rank).engines);
    }

    private static Choice choice(
            Catalogs catalogs, OptimizationRequest request, ResultResponse result, @Nullable String device, int rank) {
        LaunchPlan plan = new PlanReader(catalogs, request, result, device).read(rank);
        Map<String, LaunchResponse> launches = new LinkedHashMap<>();
        Map<String, String> refusals = new HashMap<>();
        for (String engine : catalogs.launch().keySet()) {
            try {
                launches.put(engine, new Launcher(catalogs, engine).launch(request, plan, rank, false));
            } catch (CannotLaunchException e) {
                if (e.subject() != Subject.ENGINE) {
                    throw e;
                }
                refusals.put(engine, String.valueOf(e.getMessage()));
            }
        }
        String first = ofRequest(catalogs, request, plan)
                .or(() -> launches.keySet().stream().findFirst())
                .orElse("");
        List<EngineResponse> engines = new ArrayList<>();
        catalogs.launch()
                .forEach((engine, options) -> engines.add(
                        new EngineResponse(engine, options.title(), engine.equals(first), refusals.get(engine))));
        return new Choice(engines, launches);
    }

    /// Returns the engine that the request names for the devices of a row; empty if it names none that can be
    /// started.
    ///
    /// @throws CannotLaunchException if there is no such row
    public static Optional<String> ofRequest(
            Catalogs catalogs, OptimizationRequest request, ResultResponse result, Launcher.Asked row) {
        return ofRequest(catalogs, request, row.plan(catalogs, request, result));
    }

    private static Optional<String> ofRequest(Catalogs catalogs, OptimizationRequest request, LaunchPlan plan) {
        return PlanNotes.priced(request, plan.instances().getLast().device().name())
                .filter(catalogs.launch()::containsKey);
    }

    /// Returns the commands of the best row: for the device that leads the first ranking, with the default
    /// engine or else the first that can start it. Empty without rows.
    public static Optional<BestLaunchResponse> ofBest(
            Catalogs catalogs, OptimizationRequest request, ResultResponse result) {
        String device = leader(result).orElse(null);
        Choice choice;
        try {
            choice = choice(catalogs, request, result, device, BEST);
        } catch (CannotLaunchException _) {
            return Optional.empty();
        }
        String engine = choice.engines.stream()
                .filter(one -> one.refusal() == null)
                .min(Comparator.comparing(one -> !one.chosen()))
                .map(EngineResponse::engine)
                .orElse(null);
        String script = engine == null ? null : LaunchScript.of(Objects.requireNonNull(choice.launches.get(engine)));
        return Optional.of(new BestLaunchResponse(engine, script, choice.engines));
    }

    /// Returns the device that leads the first ranking; empty with one kind of device or without rankings.
    private static Optional<String> leader(ResultResponse result) {
        List<CrossHardwareResponse> rankings = result.crossHardware();
        return rankings == null
                ? Optional.empty()
                : rankings.stream()
                        .flatMap(ranking -> ranking.rows().stream())
                        .findFirst()
                        .map(RankedResponse::device);
    }
}

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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Selects the engines that can start a row, and the default one.
public final class EngineChoice {
    private static final int BEST = 1;

    private EngineChoice() {}

    /// @param device kind of device in a result with several; null for the first that has the row
    /// @param rank place of the row in its table, from 1
    /// @throws CannotLaunchException if there is no such row
    public static LaunchEnginesResponse of(
            Catalogs catalogs, OptimizationRequest request, ResultResponse result, @Nullable String device, int rank) {
        Map<String, Optional<String>> refusals = new LinkedHashMap<>();
        for (String engine : catalogs.launch().keySet()) {
            refusals.put(engine, refusal(catalogs, engine, request, result, device, rank));
        }
        LaunchPlan plan = new PlanReader(catalogs, request, result, device).read(rank);
        String first = ofRequest(catalogs, request, plan)
                .or(() -> refusals.entrySet().stream()
                        .filter(engine -> engine.getValue().isEmpty())
                        .map(Map.Entry::getKey)
                        .findFirst())
                .orElse("");
        List<EngineResponse> engines = new ArrayList<>();
        catalogs.launch()
                .forEach((engine, options) -> engines.add(new EngineResponse(
                        engine,
                        options.title(),
                        engine.equals(first),
                        refusals.getOrDefault(engine, Optional.empty()).orElse(null))));
        return new LaunchEnginesResponse(engines);
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
        List<EngineResponse> engines;
        try {
            engines = of(catalogs, request, result, device, BEST).engines();
        } catch (CannotLaunchException _) {
            return Optional.empty();
        }
        String engine = engines.stream()
                .filter(one -> one.refusal() == null)
                .min(Comparator.comparing(one -> !one.chosen()))
                .map(EngineResponse::engine)
                .orElse(null);
        String script = engine == null
                ? null
                : LaunchScript.of(new Launcher(catalogs, engine)
                        .launch(request, result, new Launcher.Asked(device, BEST, null), false));
        return Optional.of(new BestLaunchResponse(engine, script, engines));
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

    private static Optional<String> refusal(
            Catalogs catalogs,
            String engine,
            OptimizationRequest request,
            ResultResponse result,
            @Nullable String device,
            int rank) {
        try {
            LaunchResponse _ = new Launcher(catalogs, engine)
                    .launch(request, result, new Launcher.Asked(device, rank, null), false);
            return Optional.empty();
        } catch (CannotLaunchException e) {
            if (e.subject() != Subject.ENGINE) {
                throw e;
            }
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }
}

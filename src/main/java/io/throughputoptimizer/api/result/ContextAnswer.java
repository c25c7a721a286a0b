package io.throughputoptimizer.api.result;

import io.throughputoptimizer.api.reading.SearchQuestion;
import io.throughputoptimizer.api.result.ContextsResponse.LayoutResponse;
import io.throughputoptimizer.api.result.figure.ParallelResponse;
import io.throughputoptimizer.api.result.figure.PhaseName;
import io.throughputoptimizer.core.calibrated.CalibratedProblem;
import io.throughputoptimizer.core.calibrated.TriedReplica;
import io.throughputoptimizer.core.deployment.Obstacle;
import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.forward.ForwardEstimator;
import io.throughputoptimizer.core.memory.RankMemory;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.replica.CacheRoom;
import io.throughputoptimizer.core.search.OptimizationProblem;
import io.throughputoptimizer.core.search.TriedInstance;
import io.throughputoptimizer.core.workload.ContextRoom;
import io.throughputoptimizer.core.workload.Phase;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Longest requests on the layouts of a search.
public final class ContextAnswer {
    private final SearchQuestion question;
    private final ModelArchitecture model;
    private final long mostTokens;
    private final ForwardEstimator estimator;
    private final Runnable checkpoint;

    /// @param beyond whether requests may be longer than the model is made for
    /// @param checkpoint is called before each layout, and may end the work by an exception
    public ContextAnswer(SearchQuestion question, boolean beyond, ForwardEstimator estimator, Runnable checkpoint) {
        this.question = question;
        this.model = switch (question) {
            case SearchQuestion.Analytic(var problem, var _, var _, var _) -> problem.model();
            case SearchQuestion.Capacity(var problem, var _) -> problem.model();
            case SearchQuestion.Calibrated(var problem, var _, var _) -> problem.model();
            case SearchQuestion.MeasuredCapacity(var problem) ->
                problem.measured().model();
        };
        this.mostTokens = beyond ? Long.MAX_VALUE : model.contextTokens();
        this.estimator = estimator;
        this.checkpoint = checkpoint;
    }

    /// Key of a layout.
    public record LayoutKey(String device, PhaseName phase, String label) {}

    /// An instance, and what fits it.
    private record Tried(
            LayoutKey key,
            ParallelLayout layout,
            ParallelResponse parallel,
            Optional<Obstacle> obstacle,
            Supplier<ContextRoom> room) {
        private static Tried of(
                String device,
                Phase phase,
                ParallelLayout layout,
                ParallelResponse parallel,
                Optional<Obstacle> obstacle,
                Supplier<ContextRoom> room) {
            return new Tried(
                    new LayoutKey(device, PhaseName.of(phase), parallel.label()), layout, parallel, obstacle, room);
        }
    }

    /// @param concurrency requests at once on an instance
    /// @param tokens of requests to be counted; absent for those of the question's longest
    public ContextsResponse all(long concurrency, @Nullable Long tokens) {
        return of(concurrency, tokens, _ -> true);
    }

    /// Returns the contexts of the layouts that match.
    public ContextsResponse of(long concurrency, @Nullable Long tokens, Predicate<LayoutKey> meant) {
        long counted = tokens == null ? longest() : tokens;
        List<Tried> tried = tried().filter(one -> meant.test(one.key)).toList();
        List<LayoutResponse> layouts = tried.stream()
                .limit(ContextsResponse.MOST_LAYOUTS)
                .map(one -> layout(one, concurrency, counted))
                .toList();
        long leftOut = (long) tried.size() - layouts.size();
        return new ContextsResponse(
                model.contextTokens(), concurrency, counted, layouts, leftOut == 0 ? null : (Long) leftOut);
    }

    private LayoutResponse layout(Tried one, long concurrency, long tokens) {
        checkpoint.run();
        if (one.obstacle.isPresent()) {
            return row(one, null, null, null, null, null, one.obstacle.get().reason());
        }
        long ranks = (long) one.layout.dp() * one.layout.pp();
        ContextRoom room = one.room.get();
        long fits = room.longest(Math.ceilDiv(concurrency, ranks));
        long most = room.most(tokens);
        RankMemory memory = room instanceof CacheRoom cache
                ? cache.memoryAtMost(most, tokens).orElse(null)
                : null;
        return row(
                one,
                fits == 0 ? null : (Long) Math.min(fits, mostTokens),
                fits == 0 || fits == ContextRoom.LONGEST ? null : (Long) fits,
                most == ContextRoom.MOST ? null : (Long) (most * ranks),
                memory == null ? null : (Double) (ranks * memory.requestsAdmitted(tokens)),
                memory == null ? null : (Double) (ranks * memory.requestsHeld(tokens)),
                null);
    }

    private static LayoutResponse row(
            Tried one,
            @Nullable Long longest,
            @Nullable Long byMemory,
            @Nullable Long most,
            @Nullable Double admitted,
            @Nullable Double held,
            @Nullable String obstacle) {
        return new LayoutResponse(
                one.key.device,
                one.key.phase,
                one.layout.deviceCount(),
                one.parallel,
                longest,
                byMemory,
                most,
                admitted,
                held,
                obstacle);
    }

    /// Tokens of the longest request that the question is about.
    private long longest() {
        return switch (question) {
            case SearchQuestion.Analytic(var problem, var _, var _, var _) -> longest(problem.demand());
            case SearchQuestion.Capacity(var problem, var _) -> longest(problem.demand());
            case SearchQuestion.Calibrated(var problem, var _, var _) -> longest(problem);
            case SearchQuestion.MeasuredCapacity(var problem) -> longest(problem.measured());
        };
    }

    private long longest(OptimizationProblem.Demand demand) {
        return (long) Math.ceil(demand.longest(model).tokens());
    }

    private static long longest(CalibratedProblem problem) {
        return problem.demand().traffic().longestTokens();
    }

    private Stream<Tried> tried() {
        return switch (question) {
            case SearchQuestion.Analytic(var problem, var _, var _, var _) ->
                TriedInstance.of(problem).map(this::tried);
            case SearchQuestion.Capacity(var problem, var _) ->
                problem.instances().flatMap(TriedInstance::of).map(this::tried);
            case SearchQuestion.Calibrated(var problem, var _, var _) ->
                TriedReplica.of(problem).map(ContextAnswer::tried);
            case SearchQuestion.MeasuredCapacity(var problem) ->
                problem.instances().map(ContextAnswer::tried);
        };
    }

    private Tried tried(TriedInstance instance) {
        return Tried.of(
                instance.deployment().device().name(),
                instance.phase(),
                instance.deployment().layout(),
                ParallelResponse.from(instance.candidate()),
                instance.deployment().obstacle(),
                () -> instance.room(estimator));
    }

    private static Tried tried(TriedReplica instance) {
        return Tried.of(
                instance.device().name(),
                instance.phase(),
                instance.deployment().layout(),
                ParallelResponse.from(instance.deployment()),
                instance.deployment().servingObstacle(),
                instance::room);
    }
}

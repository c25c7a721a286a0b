package io.throughputoptimizer.core.explain;

import static java.util.Objects.requireNonNull;

import io.throughputoptimizer.core.explain.Variants.Variant;
import io.throughputoptimizer.core.fleet.FleetOptimizer;
import io.throughputoptimizer.core.fleet.FleetResult;
import io.throughputoptimizer.core.search.OptimizationResult;
import io.throughputoptimizer.core.search.Optimizer;
import io.throughputoptimizer.core.search.SearchMonitor;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/// Searches for the answers to questions, and counts what that took. Used by one thread.
final class Inquiry {
    private final @Nullable Optimizer optimizer;
    private final SearchMonitor monitor;
    private long searches;
    private long points;

    /// A changed question that has an answer.
    record Answered(Variant variant, Plan plan) {}

    /// About measured devices.
    static Inquiry ofFleets(SearchMonitor monitor) {
        return new Inquiry(null, monitor);
    }

    /// @param optimizer absent for fleets, which need none
    Inquiry(@Nullable Optimizer optimizer, SearchMonitor monitor) {
        this.optimizer = optimizer;
        this.monitor = new SearchMonitor() {
            @Override
            public void pointEvaluated() {
                monitor.pointEvaluated();
            }

            @Override
            public void passPriced() {
                monitor.passPriced();
            }

            @Override
            public boolean cancelled() {
                return monitor.cancelled();
            }
        };
    }

    Optional<Plan> best(Asked asked) {
        searches++;
        return switch (asked) {
            case Question question -> best(question);
            case FleetQuestion question -> best(question);
        };
    }

    private Optional<Plan> best(Question question) {
        OptimizationResult result = requireNonNull(optimizer).optimize(question.problem(), monitor);
        points += result.statistics().points();
        return Plan.best(
                result.devices().getFirst(), question.aim(), question.problem().demand());
    }

    private Optional<Plan> best(FleetQuestion question) {
        FleetResult result = FleetOptimizer.optimize(question.problem(), monitor);
        points += result.points();
        return Plan.best(result.devices().getFirst().found(), question.problem());
    }

    /// A changed question and its best plan; empty when nothing keeps the limits.
    Optional<Answered> answered(Variant variant) {
        return best(variant.question()).map(plan -> new Answered(variant, plan));
    }

    /// A batch size was evaluated without a search.
    ///
    /// @throws CancellationException when the monitor says so
    void countPoint() {
        if (monitor.cancelled()) {
            throw new CancellationException("the explanation was cancelled");
        }
        monitor.pointEvaluated();
        points++;
    }

    long searches() {
        return searches;
    }

    long points() {
        return points;
    }
}

package io.throughputoptimizer.core.explain;

import io.throughputoptimizer.core.calibrated.CalibratedOptimizer;
import io.throughputoptimizer.core.calibrated.CalibratedProblem;
import io.throughputoptimizer.core.calibrated.CalibratedResult;
import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.explain.Variants.Variant;
import io.throughputoptimizer.core.forward.ForwardEstimate;
import io.throughputoptimizer.core.forward.ForwardEstimator;
import io.throughputoptimizer.core.forward.ForwardShape;
import io.throughputoptimizer.core.forward.PassEstimator;
import io.throughputoptimizer.core.load.TtftSimulations;
import io.throughputoptimizer.core.search.OptimizationResult;
import io.throughputoptimizer.core.search.Optimizer;
import io.throughputoptimizer.core.search.SearchMonitor;
import io.throughputoptimizer.core.serving.SimulationAllowance;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/// Runs the searches of an explanation and counts their cost. Not thread-safe.
final class ExplanationSearch {
    /// Maximum number of simulations per device.
    static final int MOST_SIMULATIONS = 2000;

    /// Maximum number of concurrencies of pairs of several sizes, per pair of kinds.
    static final int MOST_TRIED_OF_PAIRS = 500_000;

    /// Maximum number of simulated steps per device, and again for the Pareto frontier. Consecutive equal steps
    /// count once.
    static final long MOST_STEPS = 10_000_000;

    /// Maximum number of simulated steps of crowded ranks per device, without those of the Pareto frontier: about as
    /// many as [#MOST_SIMULATIONS] have.
    static final long MOST_CROWDED_STEPS = 50_000_000;

    private final Optimizer optimizer;
    private final SearchMonitor asker;
    private final SearchMonitor monitor;
    private final long mostSteps;
    private final AtomicLong walked = new AtomicLong();
    /// TTFT simulations of the searches for one device.
    private final TtftSimulations searched = new TtftSimulations(this::walk);
    private final Set<Lever> leftOut = new LinkedHashSet<>();
    private long searches;
    private long points;
    private long simulations;
    private long spent;
    private long triedOfPairs;
    private long simulatedSteps;

    /// Thrown when a search exceeds the budget of simulated steps.
    private static final class StepsSpentException extends RuntimeException {
        private StepsSpentException(CancellationException ended) {
            super(ended);
        }
    }

    /// A feasible changed search and its best plan.
    record Answered(Variant variant, Plan plan) {}

    /// @param mostSteps maximum number of simulated steps per device: [#MOST_STEPS] or [#MOST_CROWDED_STEPS]
    ExplanationSearch(Optimizer optimizer, SearchMonitor monitor, long mostSteps) {
        this.mostSteps = mostSteps;
        this.optimizer = optimizer;
        this.asker = monitor;
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
            public void stepSimulated() {
                walked.incrementAndGet();
                monitor.stepSimulated();
            }

            @Override
            public boolean cancelled() {
                return monitor.cancelled() || walked.get() >= mostSteps;
            }
        };
    }

    /// Returns the allowance for evaluations of batch sizes outside a search.
    SimulationAllowance simulation() {
        SimulationAllowance memory = optimizer.allowance();
        return new SimulationAllowance() {
            @Override
            public void require(long bytes) {
                memory.require(bytes);
            }

            @Override
            public void stepped() {
                simulatedSteps++;
                asker.stepSimulated();
                failWhenCancelled();
            }
        };
    }

    private void walk(int steps) {
        walked.addAndGet(steps);
        monitor.failWhenCancelled();
    }

    /// Returns the simulations of the TTFT of crowded steps outside a search.
    TtftSimulations crowded() {
        return searched.reportingTo(steps -> {
            simulatedSteps += steps;
            failWhenCancelled();
        });
    }

    /// Returns an estimator that throws CancellationException once the monitor canceled the work.
    ForwardEstimator watched(ForwardEstimator estimator) {
        return new ForwardEstimator() {
            @Override
            public ForwardEstimate estimate(Deployment deployment, ForwardShape shape) {
                failWhenCancelled();
                return estimator.estimate(deployment, shape);
            }

            @Override
            public PassEstimator on(Deployment deployment) {
                PassEstimator passes = estimator.on(deployment);
                return shape -> {
                    failWhenCancelled();
                    return passes.estimate(shape);
                };
            }
        };
    }

    Optional<Plan> best(Question asked) {
        searches++;
        return switch (asked) {
            case RooflineQuestion question -> best(question);
            case CalibratedQuestion question -> best(question);
        };
    }

    private Optional<Plan> best(RooflineQuestion question) {
        try {
            OptimizationResult result = optimizer.optimize(question.problem(), monitor);
            points += result.statistics().points();
            return Plan.best(result.devices().getFirst(), question);
        } catch (CancellationException ended) {
            failWhenCancelled();
            throw new StepsSpentException(ended);
        }
    }

    private Optional<Plan> best(CalibratedQuestion question) {
        CalibratedProblem problem = question.problem();
        try {
            CalibratedResult result = CalibratedOptimizer.plans(
                    problem.with(problem.demand().withoutSimulatedRows()), monitor, optimizer.workers(), searched);
            points += result.points();
            simulations += result.simulations();
            spent += result.simulations();
            if (problem.countsInstances()) {
                triedOfPairs += result.points();
            }
            return Plan.best(result.devices().getFirst().found(), question.problem());
        } catch (CancellationException ended) {
            failWhenCancelled();
            throw new StepsSpentException(ended);
        }
    }

    /// Runs searches for changes of levers. Returns empty, and records the levers as left out, if they exceed
    /// the budget of steps.
    <T> Optional<T> whole(Collection<? extends Lever> levers, Supplier<Optional<T>> work) {
        try {
            return work.get();
        } catch (StepsSpentException _) {
            leftOut.addAll(levers);
            return Optional.empty();
        }
    }

    /// Returns the changed search and its best plan, or empty if none is feasible.
    Optional<Answered> answered(Variant variant) {
        return best(variant.question()).map(plan -> new Answered(variant, plan));
    }

    /// Returns whether the budgets allow another change of a lever; records the lever as left out if not. Call
    /// before each unit of work, which then runs completely.
    boolean affords(Lever lever) {
        return (spent < MOST_SIMULATIONS || leaveOut(lever)) && affordsPairs(lever) && affordsSteps(lever);
    }

    /// Checks only the budget of pair concurrencies.
    boolean affordsPairs(Lever lever) {
        return triedOfPairs < MOST_TRIED_OF_PAIRS || leaveOut(lever);
    }

    private boolean affordsSteps(Lever lever) {
        return walked.get() < mostSteps || leaveOut(lever);
    }

    private boolean leaveOut(Lever lever) {
        leftOut.add(lever);
        return false;
    }

    /// Returns the levers whose changes were not all searched since the last call, and resets the budgets
    /// [#MOST_SIMULATIONS], [#MOST_TRIED_OF_PAIRS] and of steps.
    List<Lever> leftOut() {
        List<Lever> known = List.copyOf(leftOut);
        leftOut.clear();
        spent = 0;
        triedOfPairs = 0;
        searched.clear();
        simulatedSteps += walked.getAndSet(0);
        return known;
    }

    /// Counts a simulation outside a search.
    void countSimulation() {
        simulations++;
        spent++;
    }

    /// @throws CancellationException if the monitor canceled the work
    void failWhenCancelled() {
        asker.failWhenCancelled();
    }

    /// Counts a batch size evaluated outside a search.
    ///
    /// @throws CancellationException if the monitor canceled the work
    void countPoint() {
        failWhenCancelled();
        monitor.pointEvaluated();
        points++;
    }

    long searches() {
        return searches;
    }

    long points() {
        return points;
    }

    long simulations() {
        return simulations;
    }

    /// Returns the number of simulated steps of instances with chunked prefill, or of crowded ranks.
    long simulatedSteps() {
        return simulatedSteps + walked.get();
    }
}

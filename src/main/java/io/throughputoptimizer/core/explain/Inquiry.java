package io.throughputoptimizer.core.explain;

import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.explain.Variants.Variant;
import io.throughputoptimizer.core.forward.ForwardEstimate;
import io.throughputoptimizer.core.forward.ForwardEstimator;
import io.throughputoptimizer.core.forward.ForwardShape;
import io.throughputoptimizer.core.forward.PassEstimator;
import io.throughputoptimizer.core.measured.MeasuredOptimizer;
import io.throughputoptimizer.core.measured.MeasuredProblem;
import io.throughputoptimizer.core.measured.MeasuredResult;
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

/// Searches for the answers to questions, and counts what that took. Used by one thread.
final class Inquiry {
    /// For one device.
    static final int MOST_SIMULATIONS = 2000;

    /// Concurrencies of pairs of several sizes, of one pair of kinds.
    static final int MOST_TRIED_OF_PAIRS = 500_000;

    /// Steps that instances are simulated in, for one device, and as many again for what can be had at all. A row of
    /// equal steps is one.
    static final long MOST_STEPS = 10_000_000;

    private final Optimizer optimizer;
    private final SearchMonitor asker;
    private final SearchMonitor monitor;
    private final AtomicLong walked = new AtomicLong();
    private final Set<Lever> leftOut = new LinkedHashSet<>();
    private long searches;
    private long points;
    private long simulations;
    private long spent;
    private long triedOfPairs;
    private long simulatedSteps;

    /// A search was ended because it would have simulated too much.
    private static final class StepsSpentException extends RuntimeException {
        private StepsSpentException(CancellationException ended) {
            super(ended);
        }
    }

    /// A changed question that has an answer.
    record Answered(Variant variant, Plan plan) {}

    Inquiry(Optimizer optimizer, SearchMonitor monitor) {
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
                return monitor.cancelled() || walked.get() >= MOST_STEPS;
            }
        };
    }

    /// What evaluations of batch sizes without a search may take.
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

    /// The same passes, of which each is refused once the asker wants no answer any more.
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
            case MeasuredQuestion question -> best(question);
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

    private Optional<Plan> best(MeasuredQuestion question) {
        MeasuredProblem problem = question.problem();
        MeasuredResult result = MeasuredOptimizer.optimize(
                problem.with(problem.demand().withoutSimulatedRows()), monitor, optimizer.workers());
        points += result.points();
        simulations += result.simulations();
        spent += result.simulations();
        if (problem.countsInstances()) {
            triedOfPairs += result.points();
        }
        return Plan.best(result.devices().getFirst().found(), question.problem());
    }

    /// What comes of searches for changes of levers; empty, and remembered, where these would simulate more than
    /// [#MOST_STEPS].
    <T> Optional<T> whole(Collection<? extends Lever> levers, Supplier<Optional<T>> work) {
        try {
            return work.get();
        } catch (StepsSpentException _) {
            leftOut.addAll(levers);
            return Optional.empty();
        }
    }

    /// A changed question and its best plan; empty when nothing keeps the limits.
    Optional<Answered> answered(Variant variant) {
        return best(variant.question()).map(plan -> new Answered(variant, plan));
    }

    /// Whether there are simulations, and concurrencies of pairs, left for changes of a lever; else it is remembered.
    /// Asked before each piece of work, which is then done whole.
    boolean affords(Lever lever) {
        return (spent < MOST_SIMULATIONS || leaveOut(lever)) && affordsPairs(lever) && affordsSteps(lever);
    }

    /// The same of concurrencies of pairs alone.
    boolean affordsPairs(Lever lever) {
        return triedOfPairs < MOST_TRIED_OF_PAIRS || leaveOut(lever);
    }

    private boolean affordsSteps(Lever lever) {
        return walked.get() < MOST_STEPS || leaveOut(lever);
    }

    private boolean leaveOut(Lever lever) {
        leftOut.add(lever);
        return false;
    }

    /// Levers of which not all changes were searched since the last time this was asked; each time there are
    /// [#MOST_SIMULATIONS], [#MOST_TRIED_OF_PAIRS] and [#MOST_STEPS] again.
    List<Lever> leftOut() {
        List<Lever> known = List.copyOf(leftOut);
        leftOut.clear();
        spent = 0;
        triedOfPairs = 0;
        simulatedSteps += walked.getAndSet(0);
        return known;
    }

    /// A simulation was run without a search.
    void countSimulation() {
        simulations++;
        spent++;
    }

    /// @throws CancellationException when the monitor says so
    void failWhenCancelled() {
        asker.failWhenCancelled();
    }

    /// A batch size was evaluated without a search.
    ///
    /// @throws CancellationException when the monitor says so
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

    /// Steps that instances were simulated in.
    long simulatedSteps() {
        return simulatedSteps + walked.get();
    }
}

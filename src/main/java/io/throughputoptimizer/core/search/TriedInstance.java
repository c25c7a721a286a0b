package io.throughputoptimizer.core.search;

import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.forward.ForwardEstimator;
import io.throughputoptimizer.core.search.space.Candidate;
import io.throughputoptimizer.core.serving.Accounting;
import io.throughputoptimizer.core.serving.PassRoom;
import io.throughputoptimizer.core.workload.ContextRoom;
import io.throughputoptimizer.core.workload.Phase;
import java.util.stream.Stream;

/// An instance that a search tries, independent of the workload.
///
/// @param budget token budget of one prefill pass: the requested one, else the default, independent of the
///     prompts
public record TriedInstance(Phase phase, Candidate candidate, int budget) {

    /// Returns all instances that a problem tries, by kind of device, phase and layout.
    public static Stream<TriedInstance> of(OptimizationProblem problem) {
        boolean chosen = problem.search().axes().tokenBudgets().budgets().isEmpty();
        return problem.devices().stream()
                .flatMap(device -> PhasePlan.of(problem, device.name()).stream()
                        .flatMap(plan -> problem.space(plan.phase(), plan.deviceCount())
                                .candidates(layout -> problem.candidate(device, layout))
                                .map(candidate -> new TriedInstance(
                                        plan.phase(),
                                        candidate,
                                        chosen
                                                ? Accounting.DEFAULT_TOKEN_BUDGET
                                                : candidate.terms().maxBatchedTokens()))));
    }

    public Deployment deployment() {
        return candidate.deployment();
    }

    /// Returns the requests that fit its memory.
    ///
    /// @throws IllegalArgumentException if the model does not support the layout ([Deployment#obstacle()])
    public ContextRoom room(ForwardEstimator estimator) {
        return new PassRoom(deployment(), phase, budget, estimator);
    }
}

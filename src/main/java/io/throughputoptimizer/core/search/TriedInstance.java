package io.throughputoptimizer.core.search;

import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.forward.ForwardEstimator;
import io.throughputoptimizer.core.search.space.Candidate;
import io.throughputoptimizer.core.serving.PassRoom;
import io.throughputoptimizer.core.serving.TokenBudget;
import io.throughputoptimizer.core.workload.ContextRoom;
import io.throughputoptimizer.core.workload.Phase;
import java.util.stream.Stream;

/// An instance that a search tries, whatever it serves.
///
/// @param budget tokens of one prefill pass: that of the question, else the usual one, whatever the question's prompts
public record TriedInstance(Phase phase, Candidate candidate, int budget) {

    /// All that a problem tries, by kind of device, phase and layout.
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
                                                ? TokenBudget.DEFAULT
                                                : candidate.terms().maxBatchedTokens()))));
    }

    public Deployment deployment() {
        return candidate.deployment();
    }

    /// What fits its memory.
    ///
    /// @throws IllegalArgumentException when the model cannot be laid out so ([Deployment#obstacle()])
    public ContextRoom room(ForwardEstimator estimator) {
        return new PassRoom(deployment(), phase, budget, estimator);
    }
}

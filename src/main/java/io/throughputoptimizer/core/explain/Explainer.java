package io.throughputoptimizer.core.explain;

import io.throughputoptimizer.core.explain.Explanation.Answer;
import io.throughputoptimizer.core.explain.Explanation.PhaseFrontier;
import io.throughputoptimizer.core.forward.AnalyticForwardEstimator;
import io.throughputoptimizer.core.search.OptimizationResult;
import io.throughputoptimizer.core.search.OptimizationResult.DeviceResult;
import io.throughputoptimizer.core.search.Optimizer;
import io.throughputoptimizer.core.search.PhaseResult;
import io.throughputoptimizer.core.search.SearchMonitor;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Explains the answers of an optimizer by asking it more. Immutable and thread-safe.
public final class Explainer {
    /// What the searches of an explanation come to at the most, counted in whole ones: most of those that look for a
    /// limit end at the first batch size.
    public static final int MOST_SEARCHES = 200;

    private final Optimizer optimizer;
    private final AnalyticForwardEstimator estimator;

    /// @param estimator prices passes as the optimizer does
    public Explainer(Optimizer optimizer, AnalyticForwardEstimator estimator) {
        this.optimizer = optimizer;
        this.estimator = estimator;
    }

    /// @param result what the optimizer answered
    /// @param monitor hears of every point that is evaluated, and may end the work
    /// @throws java.util.concurrent.CancellationException soon after the monitor asked for it
    public Explanation explain(OptimizationResult result, SearchMonitor monitor) {
        Inquiry inquiry = new Inquiry(optimizer, monitor);
        List<Answer> answers = new ArrayList<>();
        for (DeviceResult device : result.devices()) {
            Question.of(result.problem(), device.device()).forEach(question -> {
                answers.add(answer(question, device, inquiry));
            });
        }
        return new Explanation(answers, inquiry.searches(), inquiry.points());
    }

    private Answer answer(Question question, DeviceResult found, Inquiry inquiry) {
        Optional<Plan> plan =
                Plan.best(found, question.aim(), question.problem().demand());
        return new Answer(
                question.device().name(),
                question.aim(),
                plan.orElse(null),
                bindings(question, found),
                frontiers(question, found, inquiry),
                plan.map(today -> Sensitivity.of(question, today, inquiry)).orElse(List.of()),
                plan.isPresent() ? List.of() : new NearestFeasible(question, inquiry).relaxations());
    }

    private List<Binding> bindings(Question question, DeviceResult found) {
        return phases(question, found)
                .flatMap(phase -> new Bindings(
                                question,
                                phase.phase(),
                                question.limits().in(phase.phase()),
                                estimator,
                                optimizer.allowance())
                        .of(phase).stream())
                .toList();
    }

    private List<PhaseFrontier> frontiers(Question question, DeviceResult found, Inquiry inquiry) {
        return phases(question, found)
                .map(phase -> new PhaseFrontier(
                        phase.phase(),
                        question.problem().demand().goal(),
                        new Frontier(
                                        phase.phase(),
                                        question.problem().search().batches(),
                                        question.goal().in(phase.phase()),
                                        question.limits().in(phase.phase()),
                                        estimator,
                                        optimizer.allowance())
                                .of(phase, inquiry)))
                .toList();
    }

    private static Stream<PhaseResult> phases(Question question, DeviceResult found) {
        return found.phases().stream().filter(phase -> question.aim().covers(phase.phase()));
    }
}

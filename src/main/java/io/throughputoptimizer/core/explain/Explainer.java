package io.throughputoptimizer.core.explain;

import io.throughputoptimizer.core.explain.Explanation.Answer;
import io.throughputoptimizer.core.search.OptimizationProblem;
import io.throughputoptimizer.core.search.Optimizer;
import io.throughputoptimizer.core.search.SearchMonitor;
import java.util.List;
import java.util.Optional;

/// Explains the answers of an optimizer by asking it more. Immutable and thread-safe.
public final class Explainer {
    /// What the searches of an explanation come to at the most, counted in whole ones: most of those that look for a
    /// limit
    /// end at the first batch size.
    public static final int MOST_SEARCHES = 200;

    private final Optimizer optimizer;

    public Explainer(Optimizer optimizer) {
        this.optimizer = optimizer;
    }

    /// @param monitor hears of every point that is evaluated, and may end the work
    /// @throws java.util.concurrent.CancellationException soon after the monitor asked for it
    public Explanation explain(OptimizationProblem problem, SearchMonitor monitor) {
        Inquiry inquiry = new Inquiry(optimizer, monitor);
        List<Answer> answers = Question.of(problem).stream()
                .map(question -> answer(question, inquiry))
                .toList();
        return new Explanation(answers, inquiry.searches(), inquiry.points());
    }

    private static Answer answer(Question question, Inquiry inquiry) {
        Optional<Plan> plan = inquiry.best(question);
        return new Answer(
                question.device().name(),
                question.aim(),
                plan.orElse(null),
                plan.map(today -> Sensitivity.of(question, today, inquiry)).orElse(List.of()),
                plan.isPresent() ? List.of() : new NearestFeasible(question, inquiry).relaxations());
    }
}

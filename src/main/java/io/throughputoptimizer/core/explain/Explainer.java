package io.throughputoptimizer.core.explain;

import io.throughputoptimizer.core.explain.Explanation.Answer;
import io.throughputoptimizer.core.explain.Explanation.PairsFrontier;
import io.throughputoptimizer.core.explain.Explanation.PhaseFrontier;
import io.throughputoptimizer.core.forward.AnalyticForwardEstimator;
import io.throughputoptimizer.core.hardware.DeviceProfile;
import io.throughputoptimizer.core.search.OptimizationResult;
import io.throughputoptimizer.core.search.OptimizationResult.DeviceResult;
import io.throughputoptimizer.core.search.Optimizer;
import io.throughputoptimizer.core.search.PairSides;
import io.throughputoptimizer.core.search.PhaseResult;
import io.throughputoptimizer.core.search.SearchMonitor;
import io.throughputoptimizer.core.workload.Phase;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

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
    /// @param others kinds of device that there are
    /// @param monitor hears of every point that is evaluated, and may end the work
    /// @throws java.util.concurrent.CancellationException soon after the monitor asked for it
    public Explanation explain(OptimizationResult result, List<DeviceProfile> others, SearchMonitor monitor) {
        Inquiry inquiry = new Inquiry(optimizer, monitor);
        List<Answer> answers = new ArrayList<>();
        for (DeviceResult device : result.devices()) {
            Question.of(result.problem(), device, others).forEach(question -> {
                answers.add(answer(question, device, inquiry));
            });
        }
        return new Explanation(answers, inquiry.searches(), inquiry.points(), inquiry.simulatedSteps());
    }

    private Answer answer(Question question, DeviceResult found, Inquiry inquiry) {
        if (question.countsInstances()) {
            PairSides sides = PairSides.of(question.problem(), inquiry.watched(estimator));
            PairCountFindings.Findings findings =
                    new PairCountFindings(question, found, sides, estimator, inquiry).all();
            return answer(question, found, inquiry, findings.bindings(), List.of(), findings.frontier());
        }
        List<Binding> bindings = new ArrayList<>();
        List<PhaseFrontier> frontiers = new ArrayList<>();
        phases(question, found).forEach(phase -> {
            Frontier.Reached reached =
                    frontier(question, phase.phase(), inquiry).of(phase, inquiry);
            frontiers.add(new PhaseFrontier(
                    phase.phase(),
                    question.problem().demand().objective(),
                    reached.unbeaten(),
                    reached.untriedAbove()));
            bindings.addAll(bindings(question, phase.phase(), reached, inquiry).of(phase));
        });
        return answer(question, found, inquiry, bindings, frontiers, null);
    }

    private static Answer answer(
            Question question,
            DeviceResult found,
            Inquiry inquiry,
            List<Binding> bindings,
            List<PhaseFrontier> frontiers,
            @Nullable PairsFrontier pairs) {
        Optional<Plan> plan = Plan.best(found, question);
        List<Sensitivity> sensitivities =
                plan.map(today -> Sensitivity.of(question, today, inquiry)).orElse(List.of());
        List<Relaxation> relaxations =
                plan.isPresent() ? List.of() : new NearestFeasible(question, inquiry).relaxations();
        return new Answer(
                found.label(),
                question.aim(),
                plan.orElse(null),
                bindings,
                frontiers,
                pairs,
                sensitivities,
                relaxations,
                inquiry.leftOut().stream()
                        .map(lever -> NotAsked.unfinished(lever, Inquiry.MOST_STEPS + " steps were simulated"))
                        .toList());
    }

    private Bindings bindings(Question question, Phase phase, Frontier.Reached reached, Inquiry inquiry) {
        return new Bindings(question, phase, question.limits().in(phase), null, estimator, inquiry, reached.least());
    }

    private Frontier frontier(Question question, Phase phase, Inquiry inquiry) {
        return new Frontier(
                phase,
                question.problem().search().batches(),
                question.objective().in(phase),
                question.limits().in(phase),
                inquiry.watched(estimator),
                inquiry.simulation());
    }

    private static Stream<PhaseResult> phases(Question question, DeviceResult found) {
        return found.phases().stream().filter(phase -> question.aim().covers(phase.phase()));
    }
}

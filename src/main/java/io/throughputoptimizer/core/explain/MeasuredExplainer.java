package io.throughputoptimizer.core.explain;

import io.throughputoptimizer.core.explain.MeasuredExplanation.Answer;
import io.throughputoptimizer.core.explain.MeasuredExplanation.MeasuredBinding;
import io.throughputoptimizer.core.measured.Arrangement;
import io.throughputoptimizer.core.measured.MeasuredProblem;
import io.throughputoptimizer.core.measured.MeasuredResult;
import io.throughputoptimizer.core.measured.MeasuredResult.DeviceRanking;
import io.throughputoptimizer.core.measured.MeasuredServing;
import io.throughputoptimizer.core.search.SearchMonitor;
import io.throughputoptimizer.core.search.Tally;
import io.throughputoptimizer.core.search.Workers;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Explains the answers of searches on measured devices by asking more.
public final class MeasuredExplainer {
    /// Searches that the frontier of pairs of several sizes comes to at the most: it tries concurrencies one by one,
    /// and not more than twice as many as the bound of a search has.
    private static final int FRONTIER = 2;

    private MeasuredExplainer() {}

    /// Upper bound of the concurrencies that a search and its explanation try, but for the last piece of work that is
    /// begun.
    public static long mostPoints(MeasuredProblem problem) {
        long search = problem.mostPoints();
        return problem.countsInstances()
                ? Tally.plus(
                        Tally.times(1 + FRONTIER, search),
                        Tally.times(problem.pairsOfKinds(), Inquiry.MOST_TRIED_OF_PAIRS))
                : Tally.times(1 + Explainer.MOST_SEARCHES, search);
    }

    /// @param alternatives what else could be asked
    /// @param monitor hears of every concurrency that is evaluated, and may end the work
    /// @param workers who search
    /// @throws java.util.concurrent.CancellationException soon after the monitor asked for it
    public static MeasuredExplanation explain(
            MeasuredResult result, MeasuredAlternatives alternatives, SearchMonitor monitor, Workers workers) {
        Inquiry inquiry = Inquiry.ofMeasured(monitor, workers);
        List<Answer> answers = result.devices().stream()
                .map(device -> answer(MeasuredQuestion.of(result.problem(), device, alternatives), device, inquiry))
                .toList();
        return new MeasuredExplanation(answers, inquiry.searches(), inquiry.points(), inquiry.simulations());
    }

    private static Answer answer(MeasuredQuestion question, DeviceRanking device, Inquiry inquiry) {
        Map<Arrangement, MeasuredServing> servings = new LinkedHashMap<>();
        MeasuredServing.all(question.problem(), inquiry::failWhenCancelled)
                .forEach(serving -> servings.put(serving.arrangement(), serving));
        Map<Arrangement, Integer> concurrencies = new HashMap<>();
        device.found()
                .rows()
                .forEach(row -> concurrencies.put(
                        row.at().arrangement(), (int) row.at().figures().concurrency()));
        Standings standings = new Standings(question, inquiry);
        MeasuredFrontier.Reached reached =
                new MeasuredFrontier(question, standings).of(servings.values(), concurrencies, inquiry);
        Optional<Plan> plan = Plan.best(device.found(), question.problem());
        List<MeasuredBinding> bindings =
                new MeasuredBindings(question, servings, reached.least(), standings).of(device.found());
        List<Sensitivity> sensitivities =
                plan.map(today -> Sensitivity.of(question, today, inquiry)).orElse(List.of());
        List<Relaxation> relaxations =
                plan.isPresent() ? List.of() : new NearestFeasible(question, inquiry).relaxations();
        List<NotAsked> notAsked = new ArrayList<>(new MeasuredVariants(question).notAsked());
        String spent = question.problem().countsInstances()
                ? Inquiry.MOST_TRIED_OF_PAIRS + " concurrencies were tried"
                : Inquiry.MOST_SIMULATIONS + " simulations were spent";
        inquiry.leftOut().forEach(lever -> notAsked.add(NotAsked.unfinished(lever, spent)));
        return new Answer(
                device.label(),
                question.aim(),
                plan.orElse(null),
                bindings,
                reached.unbeaten(),
                sensitivities,
                relaxations,
                notAsked);
    }
}

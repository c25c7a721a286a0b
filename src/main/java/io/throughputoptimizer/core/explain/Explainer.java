package io.throughputoptimizer.core.explain;

import io.throughputoptimizer.core.calibrated.CalibratedProblem;
import io.throughputoptimizer.core.calibrated.CalibratedResult;
import io.throughputoptimizer.core.calibrated.CalibratedResult.DeviceRanking;
import io.throughputoptimizer.core.calibrated.CalibratedServing;
import io.throughputoptimizer.core.calibrated.InstanceLayout;
import io.throughputoptimizer.core.explain.Bindings.Kept;
import io.throughputoptimizer.core.explain.Explanation.Answer;
import io.throughputoptimizer.core.explain.Explanation.LoadsFrontier;
import io.throughputoptimizer.core.explain.Explanation.ParetoFront;
import io.throughputoptimizer.core.explain.Explanation.PhaseFrontier;
import io.throughputoptimizer.core.explain.Explanation.Relaxation;
import io.throughputoptimizer.core.explain.Explanation.SkippedLever;
import io.throughputoptimizer.core.forward.AnalyticForwardEstimator;
import io.throughputoptimizer.core.hardware.DeviceProfile;
import io.throughputoptimizer.core.search.OptimizationProblem;
import io.throughputoptimizer.core.search.OptimizationProblem.Search;
import io.throughputoptimizer.core.search.OptimizationResult;
import io.throughputoptimizer.core.search.OptimizationResult.DeviceResult;
import io.throughputoptimizer.core.search.Optimizer;
import io.throughputoptimizer.core.search.PairCandidates;
import io.throughputoptimizer.core.search.PdRatioRow;
import io.throughputoptimizer.core.search.PdRatioRow.Side;
import io.throughputoptimizer.core.search.PhaseResult;
import io.throughputoptimizer.core.search.SearchMonitor;
import io.throughputoptimizer.core.search.space.Pairing;
import io.throughputoptimizer.core.search.space.Tally;
import io.throughputoptimizer.core.workload.Limits;
import io.throughputoptimizer.core.workload.Phase;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/// Explains search results by further searches. Immutable and thread-safe.
public final class Explainer {
    /// Upper bound on the cost of an explanation, in full searches. Most searches for a limit stop at the first
    /// batch size.
    private static final int MOST_SEARCHES = 200;

    /// Upper bound on the cost of the Pareto frontier of calibrated pairs of several sizes, in full searches:
    /// it tries every concurrency, at most twice the bound of a search.
    private static final int FRONTIER = 2;

    private final Optimizer optimizer;
    private final AnalyticForwardEstimator estimator;

    /// Results obtained without a search.
    record Findings(List<Binding> bindings, List<ParetoFront> frontiers) {}

    /// @param estimator estimator of passes, the same as the optimizer's
    public Explainer(Optimizer optimizer, AnalyticForwardEstimator estimator) {
        this.optimizer = optimizer;
        this.estimator = estimator;
    }

    /// Returns an upper bound on the points that a search and its explanation evaluate.
    public static long mostPoints(OptimizationProblem problem) {
        return Tally.times(1 + MOST_SEARCHES, problem.mostPoints());
    }

    /// Returns an upper bound on the concurrencies that a search and its explanation try, except for the last
    /// unit of work.
    public static long mostPoints(CalibratedProblem problem) {
        long search = problem.mostPoints();
        return problem.countsInstances()
                ? Tally.plus(
                        Tally.times(1 + FRONTIER, search),
                        Tally.times(problem.pairsOfKinds(), ExplanationSearch.MOST_TRIED_OF_PAIRS))
                : Tally.times(1 + MOST_SEARCHES, search);
    }

    /// @param result result of the optimizer
    /// @param others known kinds of device
    /// @param monitor receives every evaluated point and can cancel the work
    /// @throws java.util.concurrent.CancellationException if the monitor canceled the work
    public Explanation explain(OptimizationResult result, List<DeviceProfile> others, SearchMonitor monitor) {
        ExplanationSearch inquiry = new ExplanationSearch(optimizer, monitor, ExplanationSearch.MOST_STEPS);
        return explanation(
                result.devices().stream()
                        .flatMap(found -> Questions.of(result.problem(), found, others).stream()
                                .map(question -> answer(
                                        question,
                                        found.label(),
                                        findings(question, found, inquiry),
                                        Plan.best(found, question),
                                        inquiry)))
                        .toList(),
                inquiry);
    }

    /// Explains a result of the calibrated model.
    ///
    /// @param alternatives alternatives to try
    /// @throws java.util.concurrent.CancellationException if the monitor canceled the work
    public Explanation explain(CalibratedResult result, CalibratedAlternatives alternatives, SearchMonitor monitor) {
        ExplanationSearch inquiry = new ExplanationSearch(optimizer, monitor, ExplanationSearch.MOST_CROWDED_STEPS);
        return explanation(
                result.devices().stream()
                        .map(found -> {
                            CalibratedQuestion question = CalibratedQuestion.of(result.problem(), found, alternatives);
                            return answer(
                                    question,
                                    found.label(),
                                    findings(question, found, inquiry),
                                    Plan.best(found.found(), question.problem()),
                                    inquiry);
                        })
                        .toList(),
                inquiry);
    }

    /// Finds only the nearest feasible plans of kinds of device without a plan.
    ///
    /// @param alternatives alternatives to try
    /// @throws java.util.concurrent.CancellationException if the monitor canceled the work
    public Explanation nearest(CalibratedResult result, CalibratedAlternatives alternatives, SearchMonitor monitor) {
        ExplanationSearch inquiry = new ExplanationSearch(optimizer, monitor, ExplanationSearch.MOST_CROWDED_STEPS);
        return explanation(
                result.devices().stream()
                        .filter(found -> found.found().rows().isEmpty())
                        .map(found -> answer(
                                CalibratedQuestion.of(result.problem(), found, alternatives),
                                found.label(),
                                new Findings(List.of(), List.of()),
                                Optional.empty(),
                                inquiry))
                        .toList(),
                inquiry);
    }

    private static Explanation explanation(List<Answer> answers, ExplanationSearch inquiry) {
        return new Explanation(
                answers, inquiry.searches(), inquiry.points(), inquiry.simulations(), inquiry.simulatedSteps());
    }

    private static Answer answer(
            Question question, String device, Findings findings, Optional<Plan> plan, ExplanationSearch inquiry) {
        List<Sensitivity> sensitivities =
                plan.map(today -> Sensitivity.of(question, today, inquiry)).orElse(List.of());
        List<Relaxation> relaxations =
                plan.isPresent() ? List.of() : new NearestFeasible(question, inquiry).relaxations();
        Stream<SkippedLever> unfinished =
                inquiry.leftOut().stream().map(lever -> SkippedLever.unfinished(lever, question.spent()));
        return new Answer(
                device,
                question.aim(),
                plan.orElse(null),
                findings.bindings(),
                findings.frontiers(),
                sensitivities,
                relaxations,
                Stream.concat(question.notAsked().stream(), unfinished).toList());
    }

    private Findings findings(RooflineQuestion question, DeviceResult found, ExplanationSearch inquiry) {
        if (question.countsInstances()) {
            PairCandidates sides = PairCandidates.of(question.problem(), inquiry.watched(estimator));
            return new PairCountFindings(question, found, sides, estimator, inquiry).all();
        }
        List<Binding> bindings = new ArrayList<>();
        List<ParetoFront> frontiers = new ArrayList<>();
        found.phases().stream()
                .filter(result -> question.aim().covers(result.phase()))
                .forEach(result -> {
                    Phase phase = result.phase();
                    Frontier.Reached reached =
                            Frontier.of(question, phase, estimator, inquiry).of(result, inquiry);
                    frontiers.add(new PhaseFrontier(
                            phase,
                            question.problem().demand().objective(),
                            reached.unbeaten(),
                            reached.untriedAbove()));
                    bindings.addAll(bindings(question, found, result, reached, inquiry));
                });
        return new Findings(bindings, frontiers);
    }

    private List<Binding> bindings(
            RooflineQuestion question,
            DeviceResult found,
            PhaseResult result,
            Frontier.Reached reached,
            ExplanationSearch inquiry) {
        Phase phase = result.phase();
        Limits limits = question.limits().in(phase);
        PairCandidates sides = PairCandidates.of(question.problem(), inquiry.watched(estimator));
        return question.aim() == QuestionKind.PD_RATIO && sides.shareAnswers()
                ? new Bindings(question, phase, limits, sides, estimator, inquiry, reached.least())
                        .of(new SharedAnswers(found).kept(phase), result.rejected())
                : new Bindings(question, phase, limits, null, estimator, inquiry, reached.least()).of(result);
    }

    private static Findings findings(CalibratedQuestion question, DeviceRanking device, ExplanationSearch inquiry) {
        CalibratedProblem problem = question.problem();
        Map<InstanceLayout, CalibratedServing> servings = new LinkedHashMap<>();
        CalibratedServing.all(problem, inquiry.crowded(), inquiry::failWhenCancelled)
                .forEach(serving -> servings.put(serving.arrangement(), serving));
        Map<InstanceLayout, Integer> concurrencies = new HashMap<>();
        device.found()
                .rows()
                .forEach(row -> concurrencies.put(
                        row.at().arrangement(), (int) row.at().figures().concurrency()));
        LimitMargins standings = new LimitMargins(question, inquiry);
        CalibratedFrontier.Reached reached =
                new CalibratedFrontier(question, standings).of(servings.values(), concurrencies, inquiry);
        return new Findings(
                new CalibratedBindings(question, servings, reached.least(), standings).of(device.found()),
                List.of(new LoadsFrontier(
                        question.aim(),
                        problem.countsInstances(),
                        problem.demand().objective(),
                        device.label(),
                        reached.unbeaten())));
    }

    /// Splits problems into searches with one best plan each.
    static final class Questions {
        private Questions() {}

        /// Returns the searches of a problem about one of its results.
        ///
        /// @param others known kinds of device
        static List<RooflineQuestion> of(OptimizationProblem problem, DeviceResult found, List<DeviceProfile> others) {
            DeviceProfile decode = found.decodeDevice();
            return byAim(
                    new OptimizationProblem(
                            problem.model(),
                            decode == null ? List.of(found.device()) : List.of(found.device(), decode),
                            problem.available(),
                            problem.demand(),
                            problem.serving(),
                            about(found, problem.search()),
                            false),
                    others);
        }

        /// Returns the search with the kinds of device of one result, if the problem names several.
        private static Search about(DeviceResult found, Search search) {
            Pairing now = search.instances();
            if (now == null
                    || (now.prefill().kinds().isEmpty() && now.decode().kinds().isEmpty())) {
                return search;
            }
            DeviceProfile decode = found.decodeDevice();
            return search.with(now.on(found.device().name(), (decode == null ? found.device() : decode).name()));
        }

        private static List<RooflineQuestion> byAim(OptimizationProblem problem, List<DeviceProfile> others) {
            Limits limits = problem.demand().limits();
            return switch (problem.search().mode()) {
                case AGGREGATION -> List.of(new RooflineQuestion(problem, QuestionKind.AGGREGATION, others));
                case PD_RATIO -> List.of(new RooflineQuestion(problem, QuestionKind.PD_RATIO, others));
                case DISAGGREGATION -> {
                    List<RooflineQuestion> questions = new ArrayList<>();
                    if (limits.ttftMillis() != null) {
                        new RooflineQuestion(problem, QuestionKind.PREFILL, others)
                                .with(limits.ttftOnly())
                                .ifPresent(questions::add);
                    }
                    if (limits.tpotMillis() != null) {
                        new RooflineQuestion(problem, QuestionKind.DECODE, others)
                                .with(limits.tpotOnly())
                                .ifPresent(questions::add);
                    }
                    yield questions;
                }
            };
        }
    }

    /// Points of pairs that share an end-to-end latency limit: each instance in its best pair, with the other side
    /// of that pair.
    record SharedAnswers(DeviceResult found) {

        /// Returns the plans of a phase in the order of their best pairs. Pairs of equal throughput can be listed
        /// once; a candidate without a pair is taken from the result of its phase.
        List<Kept> kept(Phase phase) {
            Map<String, Kept> kept = new LinkedHashMap<>();
            Objects.requireNonNull(found.pdRatio(), "a search for pairs has none")
                    .rows()
                    .forEach(row -> {
                        Side side = side(row, phase);
                        Side partner = side(row, phase == Phase.PREFILL ? Phase.DECODE : Phase.PREFILL);
                        kept.putIfAbsent(
                                side.candidate().label(), new Kept(side.candidate(), side.batchSize(), partner));
                    });
            Bindings.kept(result(phase))
                    .forEach(alone -> kept.putIfAbsent(alone.candidate().label(), alone));
            return List.copyOf(kept.values());
        }

        private PhaseResult result(Phase phase) {
            return phase == Phase.PREFILL
                    ? found.phases().getFirst()
                    : found.phases().getLast();
        }

        private static Side side(PdRatioRow row, Phase phase) {
            return phase == Phase.PREFILL ? row.prefill() : row.decode();
        }
    }
}

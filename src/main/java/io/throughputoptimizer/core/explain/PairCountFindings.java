package io.throughputoptimizer.core.explain;

import io.throughputoptimizer.core.explain.Binding.BestReachable;
import io.throughputoptimizer.core.explain.Bindings.Kept;
import io.throughputoptimizer.core.explain.Explainer.Findings;
import io.throughputoptimizer.core.explain.Explainer.SharedAnswers;
import io.throughputoptimizer.core.forward.AnalyticForwardEstimator;
import io.throughputoptimizer.core.search.OptimizationResult.DeviceResult;
import io.throughputoptimizer.core.search.OptimizationResult.PdRatioResult;
import io.throughputoptimizer.core.search.PairCandidates;
import io.throughputoptimizer.core.search.PdRatioRow;
import io.throughputoptimizer.core.search.PdRatioRow.Side;
import io.throughputoptimizer.core.search.PhaseResult;
import io.throughputoptimizer.core.workload.Limits;
import io.throughputoptimizer.core.workload.Phase;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/// Bottlenecks and the Pareto frontier of pairs in numbers of instances.
record PairCountFindings(
        RooflineQuestion question,
        DeviceResult found,
        PairCandidates sides,
        AnalyticForwardEstimator estimator,
        ExplanationSearch inquiry) {

    /// A phase with the points of all its candidates.
    private record Tried(PhaseResult phase, List<PairFrontier.Point> points, Map<String, BestReachable> least) {}

    /// Returns the findings; bindings list prefill before decode, and in each phase the best pair first.
    Findings all() {
        Tried prefill = tried(found.phases().getFirst());
        Tried decode = tried(found.phases().getLast());
        List<Binding> bindings = new ArrayList<>();
        bindings.addAll(bindings(prefill, sides.prefill(prefill.phase), PdRatioRow::prefill));
        bindings.addAll(bindings(decode, sides.decode(decode.phase), PdRatioRow::decode));
        return new Findings(
                bindings,
                List.of(new PairFrontier(question.problem().demand(), sides, inquiry)
                        .of(prefill.points, decode.points)));
    }

    private Tried tried(PhaseResult phase) {
        Frontier frontier = Frontier.of(question, phase.phase(), estimator, inquiry);
        List<PairFrontier.Point> points = new ArrayList<>();
        Map<String, BestReachable> least = new HashMap<>();
        Frontier.candidates(phase).forEach(candidate -> {
            Limits own = sides.limits(phase.phase(), candidate).orElse(null);
            Frontier.Tried tried = frontier.tried(candidate, own == null ? Limits.NONE : own, inquiry);
            if (tried.least() != null) {
                least.put(candidate.label(), tried.least());
            }
            tried.points()
                    .forEach(point -> sides.side(point)
                            .ifPresent(side -> points.add(new PairFrontier.Point(
                                    side, own != null && point.withinLimits() && keeps(side, phase.phase(), own)))));
        });
        return new Tried(phase, points, least);
    }

    /// Returns whether the rounded figure of a side meets its limit, as rows require.
    private static boolean keeps(Side side, Phase phase, Limits own) {
        Double limit = phase == Phase.PREFILL ? own.ttftMillis() : own.tpotMillis();
        return limit == null || side.latencyMillis() <= limit;
    }

    private List<Binding> bindings(Tried tried, List<Side> kept, Function<PdRatioRow, Side> sideOf) {
        Map<String, Integer> places = new HashMap<>();
        PdRatioResult pairs = Objects.requireNonNull(found.pdRatio(), "a search for pairs has none");
        pairs.rows()
                .forEach(row -> places.putIfAbsent(sideOf.apply(row).candidate().label(), places.size()));
        Phase phase = tried.phase.phase();
        return new Bindings(question, phase, question.limits().in(phase), sides, estimator, inquiry, tried.least)
                .of(
                        sides.shareAnswers()
                                ? new SharedAnswers(found).kept(phase)
                                : kept.stream()
                                        .sorted(Comparator.comparingInt((Side side) -> places.getOrDefault(
                                                side.candidate().label(), Integer.MAX_VALUE)))
                                        .map(side -> new Kept(side.candidate(), side.batchSize(), null))
                                        .toList(),
                        tried.phase.rejected());
    }
}

package io.throughputoptimizer.core.explain;

import io.throughputoptimizer.core.explain.Bindings.Kept;
import io.throughputoptimizer.core.explain.Explainer.Findings;
import io.throughputoptimizer.core.forward.AnalyticForwardEstimator;
import io.throughputoptimizer.core.search.OptimizationResult.DeviceResult;
import io.throughputoptimizer.core.search.PairSides;
import io.throughputoptimizer.core.search.PdRatioResult;
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

/// What binds the prefill and the decode instances of pairs in numbers of instances, and what these pairs can deliver
/// at all.
record PairCountFindings(
        RooflineQuestion question,
        DeviceResult found,
        PairSides sides,
        AnalyticForwardEstimator estimator,
        Inquiry inquiry) {

    /// A phase whose candidates are all tried.
    private record Tried(PhaseResult phase, List<PairFrontier.Point> points, Map<String, Least> least) {}

    /// Bindings of prefill before those of decode, in each the best pair's first.
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
        Map<String, Least> least = new HashMap<>();
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

    /// As rows must, in the rounded figure too.
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
                                        .map(side -> new Kept(side.candidate(), side.batchSize()))
                                        .toList(),
                        tried.phase.rejected());
    }
}

package io.throughputoptimizer.core.explain;

import io.throughputoptimizer.core.calibrated.CalibratedPoint.TriedPoint;
import io.throughputoptimizer.core.explain.Lever.Choice;
import io.throughputoptimizer.core.explain.Lever.DeviceFigure;
import io.throughputoptimizer.core.search.Objective;
import io.throughputoptimizer.core.search.PairObjective;
import io.throughputoptimizer.core.search.PdRatioRow;
import io.throughputoptimizer.core.search.SearchPoint;
import io.throughputoptimizer.core.workload.Phase;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Explanation of a result: bottlenecks, Pareto frontiers, sensitivities and relaxations.
///
/// @param answers one per search target and device
/// @param searches number of further searches
/// @param points loads evaluated by these searches
/// @param simulations number of simulations run
/// @param simulatedSteps steps simulated for instances with chunked prefill, or for the TTFT of crowded steps;
///     consecutive equal steps count once
public record Explanation(List<Answer> answers, long searches, long points, long simulations, long simulatedSteps) {

    /// Explanation of one search target.
    ///
    /// @param device kind of device, or the two kinds of a pair
    /// @param plan best plan; null if none is feasible
    /// @param bindings bottleneck of each candidate
    /// @param frontiers Pareto frontier of each phase that is searched separately
    /// @param sensitivities plans after single changes; empty without a plan
    /// @param relaxations changes that make the search feasible; empty with a plan
    /// @param notAsked levers that do not apply, or whose changes were not all searched
    public record Answer(
            String device,
            QuestionKind aim,
            @Nullable Plan plan,
            List<Binding> bindings,
            List<ParetoFront> frontiers,
            List<Sensitivity> sensitivities,
            List<Relaxation> relaxations,
            List<SkippedLever> notAsked) {
        public Answer {
            bindings = List.copyOf(bindings);
            frontiers = List.copyOf(frontiers);
            sensitivities = List.copyOf(sensitivities);
            relaxations = List.copyOf(relaxations);
            notAsked = List.copyOf(notAsked);
        }
    }

    /// A Pareto frontier, by descending tokens per second.
    public sealed interface ParetoFront {}

    /// Points of one phase.
    ///
    /// @param objective objective of the search; null if none was requested
    /// @param untriedAbove batch size above which some candidates were not tried because of the simulation
    ///     budget; null if all were tried completely
    public record PhaseFrontier(
            Phase phase,
            @Nullable Objective objective,
            List<SearchPoint> points,
            @Nullable Long untriedAbove) implements ParetoFront {
        public PhaseFrontier {
            points = List.copyOf(points);
        }
    }

    /// Pairs in numbers of instances.
    ///
    /// @param objective objective of the search; null if none was requested
    /// @param outputTokens mean number of output tokens per request
    public record PairsFrontier(@Nullable PairObjective objective, double outputTokens, List<PointOfPair> points)
            implements ParetoFront {
        public PairsFrontier {
            points = List.copyOf(points);
        }
    }

    /// @param row the pair with the throughput of all instances
    /// @param withinLimits true if it meets every limit
    public record PointOfPair(PdRatioRow row, boolean withinLimits) {}

    /// Concurrencies of calibrated instances.
    ///
    /// @param byLimit true if the points show the cost of each limit given the other
    /// @param objective objective of the search; null if none was requested
    /// @param device kind of device, or the two kinds of a pair
    public record LoadsFrontier(
            QuestionKind aim, boolean byLimit, @Nullable Objective objective, String device, List<TriedPoint> points)
            implements ParetoFront {
        public LoadsFrontier {
            points = List.copyOf(points);
        }
    }

    public Explanation {
        answers = List.copyOf(answers);
    }

    /// Minimal changes that make an infeasible search feasible.
    ///
    /// @param changes one change, or several that are feasible only together
    /// @param plan best plan after the changes
    public record Relaxation(List<Change> changes, Plan plan) {
        public Relaxation {
            changes = List.copyOf(changes);
        }

        /// Returns the sum of the relative sizes of the changes ([Change#size()]).
        public double size() {
            return changes.stream().mapToDouble(Change::size).sum();
        }
    }

    /// A lever that was not tried, or not with every change, and the reason.
    public record SkippedLever(Lever lever, String reason) {
        private static final SkippedLever LATENCIES =
                new SkippedLever(DeviceFigure.LINK_LATENCY, "measured collectives have latencies of their own");
        private static final SkippedLever DRAFTS = new SkippedLever(
                Choice.DRAFT_TOKENS,
                "only numbers of drafts that are asked for are priced: how many of others are accepted is not known");
        private static final SkippedLever BUDGET =
                new SkippedLever(Choice.MAX_BATCHED_TOKENS, "a prefill rank of pairs works on one prompt at a time");

        private static final String OF_ANOTHER_SERVER =
                "the measured rows are of another server, and say nothing of it";
        private static final List<SkippedLever> UNMEASURED = List.of(
                new SkippedLever(Choice.CACHE_QUANTIZATION, OF_ANOTHER_SERVER),
                new SkippedLever(Choice.LINEAR_QUANTIZATION, OF_ANOTHER_SERVER),
                new SkippedLever(Choice.MAX_BATCHED_TOKENS, OF_ANOTHER_SERVER),
                new SkippedLever(Choice.DEVICE, OF_ANOTHER_SERVER),
                new SkippedLever(Choice.PREFIX_CACHE_HIT_RATE, "no measured row says what a prefix cache does"));

        private static final SkippedLever PREFIXES =
                new SkippedLever(Choice.PREFIX_CACHE_HIT_RATE, "no simulation knows a prefix cache");

        static final SkippedLever OF_TURNS =
                new SkippedLever(Choice.PREFIX_CACHE_HIT_RATE, "it follows from the turns of a conversation");

        /// @param spent description of the work done before it was left out
        static SkippedLever unfinished(Lever lever, String spent) {
            return new SkippedLever(lever, "not every change of it was searched: " + spent);
        }

        /// Returns the levers that do not apply to the calibrated model.
        static List<SkippedLever> of(CalibratedQuestion question) {
            List<SkippedLever> levers = new ArrayList<>(List.of(LATENCIES, DRAFTS));
            if (question.aim() == QuestionKind.PD_RATIO) {
                levers.add(BUDGET);
            }
            if (question.hasTurns()) {
                levers.add(OF_TURNS);
            } else if (question.isSimulated()) {
                levers.add(PREFIXES);
            }
            if (question.isMeasured()) {
                levers.addAll(UNMEASURED);
            }
            return levers;
        }
    }
}

package io.throughputoptimizer.core.capacity;

import static java.util.Objects.requireNonNullElse;

import io.throughputoptimizer.core.capacity.CapacityProblem.Attempt;
import io.throughputoptimizer.core.capacity.CapacityProblem.Kind;
import io.throughputoptimizer.core.capacity.CapacityResult.Impossible;
import io.throughputoptimizer.core.capacity.CapacityResult.InstanceRejection;
import io.throughputoptimizer.core.capacity.CapacityResult.InstanceRejection.NearestCandidate;
import io.throughputoptimizer.core.capacity.Requirement.Unit;
import io.throughputoptimizer.core.search.EndToEndLatencyLimit;
import io.throughputoptimizer.core.search.MemoryBudget;
import io.throughputoptimizer.core.search.OptimizationProblem;
import io.throughputoptimizer.core.search.OptimizationResult;
import io.throughputoptimizer.core.search.Optimizer;
import io.throughputoptimizer.core.search.PhaseResult;
import io.throughputoptimizer.core.search.RejectedCandidate;
import io.throughputoptimizer.core.search.ResultRow;
import io.throughputoptimizer.core.search.SearchMonitor;
import io.throughputoptimizer.core.search.SearchPoint;
import io.throughputoptimizer.core.search.TransferAdjustedLimits;
import io.throughputoptimizer.core.search.space.Objection;
import io.throughputoptimizer.core.workload.Limits;
import io.throughputoptimizer.core.workload.Phase;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Finds the peak of every candidate of every instance by searches of single instances. Single use, not
/// thread-safe.
final class PeakSearch {
    private final CapacityProblem problem;
    private final Optimizer optimizer;
    private final SearchMonitor monitor;
    private final MemoryBudget allowance;
    private final TransferAdjustedLimits handovers;
    private final @Nullable EndToEndLatencyLimit answers;
    private final List<Peak> peaks = new ArrayList<>();
    private final List<InstanceRejection> rejections = new ArrayList<>();
    private final List<Impossible> leftOut = new ArrayList<>();
    private long points;
    private long forwardPasses;
    private long simulatedSteps;

    /// Forwards the progress of all searches except their totals, which are announced before the first.
    private record OneOfSeveral(SearchMonitor whole) implements SearchMonitor {
        @Override
        public void candidateDone() {
            whole.candidateDone();
        }

        @Override
        public void pointEvaluated() {
            whole.pointEvaluated();
        }

        @Override
        public void passPriced() {
            whole.passPriced();
        }

        @Override
        public boolean cancelled() {
            return whole.cancelled();
        }
    }

    /// @param allowance memory budget
    PeakSearch(CapacityProblem problem, Optimizer optimizer, SearchMonitor monitor, MemoryBudget allowance) {
        this.problem = problem;
        this.optimizer = optimizer;
        this.monitor = monitor;
        this.allowance = allowance;
        this.handovers = optimizer.handovers(problem.transfer());
        this.answers = EndToEndLatencyLimit.of(
                problem.demand().limits(), problem.demand().workload().outputs(), handovers);
    }

    void run() {
        monitor.candidatesTotal(Math.toIntExact(problem.candidates()));
        List<Attempt> attempts = problem.attempts();
        for (Kind kind : Kind.values()) {
            CapacityProblem.leftOut(kind, attempts).ifPresent(reason -> leftOut.add(new Impossible(kind, reason)));
        }
        Set<Kind> nowhere = leftOut.stream().map(Impossible::kind).collect(Collectors.toSet());
        attempts.stream()
                .filter(attempt -> attempt.isPossible() || !nowhere.contains(attempt.kind()))
                .forEach(this::search);
        AnswerPeaks together = new AnswerPeaks(answers, List.copyOf(peaks));
        rejections.addAll(together.rejections());
        peaks.clear();
        peaks.addAll(together.kept());
    }

    private void search(Attempt attempt) {
        monitor.failWhenCancelled();
        if (!attempt.isPossible()) {
            reject(attempt);
            return;
        }
        OptimizationProblem sized = problem.problem(attempt);
        OptimizationResult found = optimizer.optimize(problem.searched(sized), new OneOfSeveral(monitor), allowance);
        points += found.statistics().points();
        forwardPasses += found.statistics().forwardPasses();
        simulatedSteps += found.statistics().simulatedSteps();
        found.devices().getFirst().phases().forEach(phase -> keep(attempt, sized, phase));
    }

    private void reject(Attempt attempt) {
        String reason = attempt.objections().stream()
                .map(Objection::message)
                .findFirst()
                .orElseThrow();
        phases(attempt.kind())
                .forEach(phase -> rejections.add(
                        InstanceRejection.impossible(attempt.device().name(), phase, attempt.size(), reason)));
    }

    private static Stream<Phase> phases(Kind kind) {
        return switch (kind) {
            case AGGREGATED -> Stream.of(Phase.AGGREGATION);
            case DISAGGREGATED -> Stream.of(Phase.PREFILL, Phase.DECODE);
        };
    }

    private List<Peak> found(Attempt attempt, OptimizationProblem sized, PhaseResult phase) {
        Stream<Peak> serving = rows(attempt, phase).stream()
                .map(row -> new Peak(sized, phase.phase(), row))
                .filter(Peak::serves);
        return problem.sharesAnswers(attempt.kind())
                ? serving
                        .collect(Collectors.groupingBy(
                                peak -> peak.candidate().label(), LinkedHashMap::new, Collectors.toList()))
                        .values()
                        .stream()
                        .map(ofCandidate -> AnswerPeaks.unbeaten(ofCandidate, problem.requirement()))
                        .flatMap(unbeaten -> AnswerPeaks.bound(unbeaten).stream())
                        .toList()
                : serving.toList();
    }

    /// Returns the peak of each candidate; all rows of it if the phases share an end-to-end latency limit.
    private List<ResultRow> rows(Attempt attempt, PhaseResult phase) {
        Limits limits = problem.demand().limits();
        if (problem.sharesAnswers(attempt.kind())) {
            return phase.kept(handovers, limits);
        }
        boolean fullest = problem.requirement().isConcurrency() && phase.phase() != Phase.PREFILL;
        if (fullest) {
            return phase.fullest(limits);
        }
        return problem.requirement().unit() == Unit.CONVERSATIONS
                ? phase.highest(handovers, limits, Peak::conversations)
                : phase.rows();
    }

    private void keep(Attempt attempt, OptimizationProblem sized, PhaseResult phase) {
        List<Peak> found = found(attempt, sized, phase);
        found.forEach(peak -> allowance.takeUnlisted(peak.row()));
        peaks.addAll(found);
        if (found.isEmpty()) {
            Map<String, List<SearchPoint>> points = phase.points().stream()
                    .collect(Collectors.groupingBy(point -> point.candidate().label()));
            phase.rejected().stream()
                    .map(rejected -> new Near(rejected, latency(rejected, points)))
                    .min(Comparator.comparingInt((Near near) -> distance(near.rejected.reason()))
                            .thenComparingDouble(near -> near.latencyMillis))
                    .map(near -> near.rejected)
                    .ifPresent(nearest -> rejections.add(new InstanceRejection(
                            attempt.device().name(),
                            phase.phase(),
                            attempt.size(),
                            new NearestCandidate(nearest.candidate()),
                            nearest.reason().limit(),
                            nearest.detail())));
        }
    }

    private record Near(RejectedCandidate rejected, double latencyMillis) {}

    /// Returns the distance of a rejection to feasibility: a layout that fits and is too slow is nearer than
    /// one that exceeds memory.
    private static int distance(RejectedCandidate.Reason reason) {
        return switch (reason) {
            case SEARCH, BATCH_RANGE -> 0;
            case TPOT, TTFT, E2E_LATENCY -> 1;
            case MEMORY -> 2;
            case MODEL -> 3;
        };
    }

    /// Returns the lowest latency of the points of a rejected candidate.
    private double latency(RejectedCandidate rejected, Map<String, List<SearchPoint>> points) {
        monitor.failWhenCancelled();
        return points.getOrDefault(rejected.candidate().label(), List.of()).stream()
                .mapToDouble(point -> switch (rejected.reason()) {
                    case TTFT -> requireNonNullElse(point.figures().ttftMillis(), Double.POSITIVE_INFINITY);
                    case TPOT -> requireNonNullElse(point.figures().tpotMillis(), Double.POSITIVE_INFINITY);
                    case E2E_LATENCY ->
                        requireNonNullElse(point.figures().requestLatencyMillis(), Double.POSITIVE_INFINITY);
                    case MEMORY, MODEL, SEARCH, BATCH_RANGE -> 0;
                })
                .min()
                .orElse(Double.POSITIVE_INFINITY);
    }

    /// Returns the end-to-end latency limit shared by pairs, or null if there is none.
    @Nullable
    EndToEndLatencyLimit answers() {
        return answers;
    }

    List<Peak> peaks() {
        return peaks;
    }

    List<InstanceRejection> rejections() {
        return rejections;
    }

    List<Impossible> leftOut() {
        return leftOut;
    }

    long points() {
        return points;
    }

    long forwardPasses() {
        return forwardPasses;
    }

    long simulatedSteps() {
        return simulatedSteps;
    }
}

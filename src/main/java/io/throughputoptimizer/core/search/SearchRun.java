package io.throughputoptimizer.core.search;

import io.throughputoptimizer.core.forward.ForwardEstimator;
import io.throughputoptimizer.core.hardware.DeviceProfile;
import io.throughputoptimizer.core.search.OptimizationResult.DeviceResult;
import io.throughputoptimizer.core.search.OptimizationResult.PdRatioResult;
import io.throughputoptimizer.core.search.OptimizationResult.Statistics;
import io.throughputoptimizer.core.search.PdRatioRow.Side;
import io.throughputoptimizer.core.search.ProblemOutline.SearchMode;
import io.throughputoptimizer.core.search.batch.BatchRange;
import io.throughputoptimizer.core.search.batch.BatchSearch;
import io.throughputoptimizer.core.search.space.Candidate;
import io.throughputoptimizer.core.search.space.Pairing;
import io.throughputoptimizer.core.search.space.Pairing.Kinds;
import io.throughputoptimizer.core.search.space.SearchSpace;
import io.throughputoptimizer.core.search.space.Tally;
import io.throughputoptimizer.core.workload.Phase;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Execution of one search.
final class SearchRun {
    /// Passes and simulated steps of a candidate that is searched on one thread.
    private static final int SHORT = 100;

    private final OptimizationProblem problem;
    private final SearchMonitor monitor;
    private final SearchProgress progress;
    private final ForwardEstimator estimator;
    private final TransferAdjustedLimits handovers;

    /// Phases searched on one kind of device.
    private record Searched(DeviceProfile device, List<PhaseResult> phases) {
        private List<PhaseResult> of(Phase phase) {
            return phases.stream().filter(result -> result.phase() == phase).toList();
        }
    }

    /// Search of one phase on one kind of device.
    private record Branch(PhasePlan plan, List<Candidate> candidates) {}

    /// Creates a run.
    ///
    /// @param allowance memory budget of the search
    SearchRun(OptimizationProblem problem, ForwardEstimator estimator, SearchMonitor monitor, MemoryBudget allowance) {
        this.problem = problem;
        this.monitor = monitor;
        this.progress = new SearchProgress(monitor, allowance);
        this.estimator = progress.watch(estimator);
        this.handovers = TransferAdjustedLimits.of(problem, this.estimator);
    }

    /// Returns an upper bound of the points that a search of the problem evaluates: candidates times token
    /// budgets times the batch sizes that the strategy can try.
    static long mostPoints(OptimizationProblem problem) {
        OptimizationProblem.BatchPlan batches = problem.search().batches();
        // All phases of a problem look for batch sizes alike.
        BatchSearch search = PhasePlan.of(problem, problem.devices().getFirst().name()).stream()
                .findFirst()
                .map(plan -> plan.search(batches.strategy()))
                .orElseGet(() -> batches.strategy().search());
        BatchRange range = batches.range();
        long largest = range == null ? search.largestBatchSize() : range.max();
        long probes = search.mostProbes(range)
                + (problem.search().accounting().isReference() ? 0 : Plateau.mostProbes(largest));
        long attempts = Tally.times(1 + problem.fallbackBudgets().size(), candidates(problem));
        return Tally.times(attempts, probes);
    }

    static long candidates(OptimizationProblem problem) {
        // Kinds of device differ in nothing that is counted but how many of them an instance has.
        Map<Space, Long> known = new HashMap<>();
        return problem.devices().stream()
                .flatMap(device -> PhasePlan.of(problem, device.name()).stream())
                .mapToLong(plan -> known.computeIfAbsent(
                        new Space(plan.phase(), plan.deviceCount()),
                        space -> problem.space(space.phase, space.instanceDevices)
                                .count()))
                .reduce(0, Tally::plus);
    }

    private record Space(Phase phase, int instanceDevices) {}

    private static SearchSpace space(OptimizationProblem problem, PhasePlan plan) {
        return problem.space(plan.phase(), plan.deviceCount());
    }

    OptimizationResult run(Workers workers) {
        long candidates = candidates(problem);
        progress.allowance().take(candidates * MemoryBudget.CANDIDATE_BYTES);
        monitor.candidatesTotal(Math.toIntExact(candidates));
        List<Searched> searched = new ArrayList<>();
        for (DeviceProfile device : problem.devices()) {
            List<Branch> branches = PhasePlan.of(problem, device.name()).stream()
                    .map(plan -> branch(device, plan))
                    .toList();
            searched.add(search(device, branches, workers));
        }
        return new OptimizationResult(
                problem,
                results(searched),
                new Statistics(
                        Math.toIntExact(candidates),
                        progress.points(),
                        progress.forwardPasses(),
                        progress.simulatedSteps()));
    }

    private Branch branch(DeviceProfile device, PhasePlan plan) {
        return new Branch(
                plan,
                space(problem, plan)
                        .candidates(layout -> problem.candidate(device, layout))
                        .toList());
    }

    /// Searches all phases of a device in parallel, so that no thread idles while one phase's last candidate
    /// finishes.
    private Searched search(DeviceProfile device, List<Branch> branches, Workers workers) {
        List<Supplier<CandidateSearch.Found>> tasks = branches.stream()
                .flatMap(branch -> branch.candidates.stream().map(candidate -> task(branch.plan, candidate)))
                .toList();
        List<CandidateSearch.Found> results = workers.run(tasks, this::isShort);
        List<PhaseResult> phases = new ArrayList<>();
        int gathered = 0;
        for (Branch branch : branches) {
            int end = gathered + branch.candidates.size();
            phases.add(gather(branch.plan, results.subList(gathered, end)));
            gathered = end;
        }
        return new Searched(device, phases);
    }

    private boolean isShort(CandidateSearch.Found first) {
        return first.rejection() == null && progress.forwardPasses() + progress.simulatedSteps() < SHORT;
    }

    private Supplier<CandidateSearch.Found> task(PhasePlan plan, Candidate candidate) {
        return progress.failingTogether(() -> handovers
                .limits(plan.phase(), plan.limits(), candidate)
                .map(limits -> new CandidateSearch(
                        candidate,
                        plan.with(limits),
                        problem.fallbackBudgets(),
                        problem.search().batches(),
                        progress))
                .map(search -> search.run(estimator))
                .orElseGet(() -> tooLong(plan, candidate)));
    }

    private CandidateSearch.Found tooLong(PhasePlan plan, Candidate candidate) {
        progress.candidateDone();
        return CandidateSearch.Found.nothing(handovers.tooLong(candidate, plan));
    }

    private PhaseResult gather(PhasePlan plan, List<CandidateSearch.Found> candidates) {
        List<ResultRow> recorded = candidates.stream()
                .flatMap(candidate -> candidate.recorded().stream())
                .toList();
        return new PhaseResult(
                plan.phase(),
                plan.deviceCount(),
                Ranking.bestPerCandidate(
                        handovers.kept(plan.phase(), plan.limits(), recorded), plan.limits(), plan.objective()),
                candidates.stream()
                        .map(CandidateSearch.Found::rejection)
                        .filter(Objects::nonNull)
                        .map(rejected -> handovers.explained(rejected, plan))
                        .toList(),
                candidates.stream()
                        .flatMap(candidate -> candidate.points().stream())
                        .toList(),
                candidates.stream()
                        .mapToLong(CandidateSearch.Found::omittedPoints)
                        .sum(),
                recorded);
    }

    private List<DeviceResult> results(List<Searched> searched) {
        Pairing pairing = problem.search().instances();
        return pairing == null || pairing.isRatio()
                ? searched.stream().map(this::result).toList()
                : pairing
                        .kinds(problem.devices().stream()
                                .map(DeviceProfile::name)
                                .toList())
                        .stream()
                        .map(kinds -> paired(kinds, searched))
                        .toList();
    }

    private DeviceResult result(Searched searched) {
        int deviceCount = problem.available().of(searched.device.name());
        return new DeviceResult(
                searched.device, deviceCount, paired(searched.phases), pdRatio(searched.phases, deviceCount), null);
    }

    /// Returns the separate phases, or in a P:D search those that meet a shared target.
    private List<PhaseResult> paired(List<PhaseResult> phases) {
        PairCandidates sides = new PairCandidates(problem, handovers);
        if (problem.search().mode() != SearchMode.PD_RATIO || !sides.shareAnswers()) {
            return phases;
        }
        PhaseResult prefill = phases.getFirst();
        PhaseResult decode = phases.getLast();
        return sides.together(prefill, sides.prefillOffers(prefill), decode, sides.decodeOffers(decode));
    }

    private @Nullable PdRatioResult pdRatio(List<PhaseResult> phases, int deviceCount) {
        return switch (problem.search().mode()) {
            case AGGREGATION, DISAGGREGATION -> null;
            case PD_RATIO ->
                new PdRatioSearch(
                                problem.demand().limits(),
                                problem.demand().workload().outputs(),
                                deviceCount,
                                problem.demand().ranking(),
                                false)
                        .combine(
                                phases.getFirst().recorded(), phases.getLast().recorded(), progress::failWhenCancelled);
        };
    }

    /// Combines instances of all sizes on one kind of device, or prefill on one kind and decode on another.
    private DeviceResult paired(Kinds kinds, List<Searched> searched) {
        progress.failWhenCancelled();
        Searched prefills = named(kinds.prefill(), searched);
        Searched decodes = named(kinds.decode(), searched);
        PairCandidates sides = new PairCandidates(problem, handovers);
        List<List<Side>> prefill = all(prefills.of(Phase.PREFILL), sides::prefillOffers);
        List<List<Side>> decode = all(decodes.of(Phase.DECODE), sides::decodeOffers);
        PdRatioResult pairs = new PairRanking(sides.objective(), handovers, problem.available())
                .rank(sides.search(), kinds, prefill, decode, progress::failWhenCancelled);
        return new DeviceResult(
                prefills.device,
                problem.available().of(kinds.prefill()),
                sides.together(
                        PhaseResult.merged(prefills.of(Phase.PREFILL), phaseObjective(Phase.PREFILL)),
                        prefill,
                        PhaseResult.merged(decodes.of(Phase.DECODE), phaseObjective(Phase.DECODE)),
                        decode),
                pairs,
                kinds.shareDevices() ? null : decodes.device);
    }

    private Objective phaseObjective(Phase phase) {
        return problem.demand().ranking().in(phase);
    }

    private static List<List<Side>> all(List<PhaseResult> sizes, Function<PhaseResult, Collection<List<Side>>> sides) {
        return sizes.stream().flatMap(size -> sides.apply(size).stream()).toList();
    }

    private static Searched named(String device, List<Searched> searched) {
        return searched.stream()
                .filter(one -> one.device.name().equals(device))
                .findFirst()
                .orElseThrow();
    }
}

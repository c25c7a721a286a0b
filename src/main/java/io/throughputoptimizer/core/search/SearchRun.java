package io.throughputoptimizer.core.search;

import io.throughputoptimizer.core.forward.ForwardEstimator;
import io.throughputoptimizer.core.hardware.DeviceProfile;
import io.throughputoptimizer.core.search.OptimizationResult.DeviceResult;
import io.throughputoptimizer.core.search.OptimizationResult.Statistics;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// One search from start to end.
final class SearchRun {
    private final OptimizationProblem problem;
    private final SearchMonitor monitor;
    private final SearchProgress progress;
    private final ForwardEstimator estimator;

    /// The search of one phase on one kind of device.
    private record Branch(PhasePlan plan, List<Candidate> candidates) {}

    /// @param memoryBytes what the search may keep
    SearchRun(OptimizationProblem problem, ForwardEstimator estimator, SearchMonitor monitor, long memoryBytes) {
        this.problem = problem;
        this.monitor = monitor;
        this.progress = new SearchProgress(monitor, new Allowance(memoryBytes));
        this.estimator = progress.watch(estimator);
    }

    /// Upper bound of the points that a search of the problem evaluates: its candidates, each with every token budget
    /// and as many batch sizes as its strategy can try.
    static long mostPoints(OptimizationProblem problem) {
        OptimizationProblem.BatchPlan batches = problem.search().batches();
        long probes = batches.strategy().search().mostProbes(batches.range());
        long attempts = (1 + problem.fallbackBudgets().size()) * candidates(problem);
        return attempts > Long.MAX_VALUE / probes ? Long.MAX_VALUE : attempts * probes;
    }

    private static long candidates(OptimizationProblem problem) {
        return problem.devices().size()
                * PhasePlan.of(problem).stream()
                        .mapToLong(plan -> space(problem, plan).count())
                        .sum();
    }

    private static SearchSpace space(OptimizationProblem problem, PhasePlan plan) {
        return problem.space(plan.phase(), plan.deviceCount());
    }

    OptimizationResult run(Workers workers) {
        long candidates = candidates(problem);
        progress.allowance().take(candidates * Allowance.CANDIDATE_BYTES);
        monitor.candidatesTotal(Math.toIntExact(candidates));
        List<DeviceResult> devices = new ArrayList<>();
        for (DeviceProfile device : problem.devices()) {
            List<Branch> branches = PhasePlan.of(problem).stream()
                    .map(plan -> branch(device, plan))
                    .toList();
            devices.add(search(device, branches, workers));
        }
        return new OptimizationResult(
                problem,
                devices,
                new Statistics(Math.toIntExact(candidates), progress.points(), progress.forwardPasses()));
    }

    private Branch branch(DeviceProfile device, PhasePlan plan) {
        return new Branch(
                plan,
                space(problem, plan)
                        .candidates(layout -> problem.candidate(device, layout))
                        .toList());
    }

    /// All phases of a device at once, so that no thread idles while one phase's last candidate finishes.
    private DeviceResult search(DeviceProfile device, List<Branch> branches, Workers workers) {
        List<Supplier<CandidateResult>> tasks = branches.stream()
                .flatMap(branch -> branch.candidates.stream().map(candidate -> task(branch.plan, candidate)))
                .toList();
        List<CandidateResult> results = workers.run(tasks);
        List<PhaseResult> phases = new ArrayList<>();
        int gathered = 0;
        for (Branch branch : branches) {
            int end = gathered + branch.candidates.size();
            phases.add(gather(branch.plan, results.subList(gathered, end)));
            gathered = end;
        }
        return new DeviceResult(device, problem.deviceCount(), phases, pdRatio(phases));
    }

    private Supplier<CandidateResult> task(PhasePlan plan, Candidate candidate) {
        CandidateSearch search = new CandidateSearch(
                candidate, plan, problem.fallbackBudgets(), problem.search().batches(), progress);
        return progress.failingTogether(() -> search.run(estimator));
    }

    private static PhaseResult gather(PhasePlan plan, List<CandidateResult> candidates) {
        List<ResultRow> recorded = candidates.stream()
                .flatMap(candidate -> candidate.recorded().stream())
                .toList();
        return new PhaseResult(
                plan.phase(),
                plan.deviceCount(),
                Ranking.bestPerCandidate(recorded, plan.objective(), plan.goal()),
                candidates.stream()
                        .map(CandidateResult::rejection)
                        .filter(Objects::nonNull)
                        .toList(),
                candidates.stream()
                        .flatMap(candidate -> candidate.points().stream())
                        .toList(),
                candidates.stream().mapToLong(CandidateResult::pointsLeftOut).sum(),
                recorded);
    }

    private @Nullable PdRatioResult pdRatio(List<PhaseResult> phases) {
        return switch (problem.search().mode()) {
            case AGGREGATION, DISAGGREGATION -> null;
            case PD_RATIO ->
                new PdRatioSearch(
                                problem.demand().objective(),
                                problem.demand().workload().outputTokens(),
                                problem.deviceCount(),
                                problem.demand().ranking())
                        .combine(
                                phases.getFirst().recorded(), phases.getLast().recorded(), progress::failWhenCancelled);
        };
    }
}

package io.throughputoptimizer.core.search;

import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.forward.ForwardEstimator;
import io.throughputoptimizer.core.hardware.DeviceProfile;
import io.throughputoptimizer.core.search.OptimizationResult.DeviceResult;
import io.throughputoptimizer.core.search.OptimizationResult.Statistics;
import io.throughputoptimizer.core.serving.ServingTerms;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// One search from start to end.
final class SearchRun {
    private static final ForwardEstimator UNUSED = (deployment, shape) -> {
        throw new IllegalStateException("points are counted, not evaluated");
    };

    private final OptimizationProblem problem;
    private final SearchMonitor monitor;
    private final SearchProgress progress;
    private final ForwardEstimator estimator;
    private final List<ServingTerms> terms;
    private final List<Branch> branches;

    /// The search of one phase and the layouts it tries.
    private record Branch(PhasePlan plan, List<ParallelLayout> layouts) {}

    SearchRun(OptimizationProblem problem, ForwardEstimator estimator, SearchMonitor monitor) {
        this.problem = problem;
        this.monitor = monitor;
        this.progress = new SearchProgress(monitor);
        this.estimator = progress.watch(estimator);
        this.terms = problem.servingTerms();
        this.branches = PhasePlan.of(problem).stream()
                .map(plan -> new Branch(plan, problem.space(plan.deviceCount()).candidates()))
                .toList();
    }

    /// Upper bound of the points that a search of the problem evaluates: its candidates, each with every token budget
    /// and as many batch sizes as its strategy can try.
    static long mostPoints(OptimizationProblem problem) {
        OptimizationProblem.BatchPlan batches = problem.search().batches();
        SearchRun run = new SearchRun(problem, UNUSED, SearchMonitor.SILENT);
        return batches.strategy().search().mostProbes(batches.range()) * run.terms.size() * run.candidates();
    }

    private int candidates() {
        return problem.devices().size()
                * branches.stream().mapToInt(branch -> branch.layouts.size()).sum();
    }

    OptimizationResult run(Workers workers) {
        int candidates = candidates();
        monitor.candidatesTotal(candidates);
        List<DeviceResult> devices = new ArrayList<>();
        for (DeviceProfile device : problem.devices()) {
            devices.add(search(device, workers));
        }
        return new OptimizationResult(
                problem, devices, new Statistics(candidates, progress.points(), progress.forwardPasses()));
    }

    /// All phases of a device at once, so that no thread idles while one phase's last candidate finishes.
    private DeviceResult search(DeviceProfile device, Workers workers) {
        List<Supplier<CandidateResult>> tasks = branches.stream()
                .flatMap(branch -> branch.layouts.stream().map(layout -> candidate(device, branch.plan, layout)))
                .toList();
        List<CandidateResult> results = workers.run(tasks);
        List<PhaseResult> phases = new ArrayList<>();
        int gathered = 0;
        for (Branch branch : branches) {
            int end = gathered + branch.layouts.size();
            phases.add(gather(branch.plan, results.subList(gathered, end)));
            gathered = end;
        }
        return new DeviceResult(device, problem.deviceCount(), phases, pdRatio(phases));
    }

    private Supplier<CandidateResult> candidate(DeviceProfile device, PhasePlan plan, ParallelLayout layout) {
        Deployment deployment = new Deployment(
                problem.model(), device, layout, problem.serving().quantization(), problem.execution());
        CandidateSearch search =
                new CandidateSearch(deployment, plan, terms, problem.search().batches(), progress);
        return () -> search.run(estimator);
    }

    private static PhaseResult gather(PhasePlan plan, List<CandidateResult> candidates) {
        List<ResultRow> recorded = candidates.stream()
                .flatMap(candidate -> candidate.recorded().stream())
                .toList();
        return new PhaseResult(
                plan.phase(),
                plan.deviceCount(),
                Ranking.bestPerLayout(recorded, plan.objective()),
                candidates.stream()
                        .map(CandidateResult::rejection)
                        .filter(Objects::nonNull)
                        .toList(),
                candidates.stream()
                        .flatMap(candidate -> candidate.points().stream())
                        .toList(),
                recorded);
    }

    private @Nullable PdRatioResult pdRatio(List<PhaseResult> phases) {
        return switch (problem.search().mode()) {
            case AGGREGATION, DISAGGREGATION -> null;
            case PD_RATIO ->
                new PdRatioSearch(
                                problem.demand().objective(),
                                problem.demand().workload().outputTokens(),
                                problem.deviceCount())
                        .combine(phases.getFirst().recorded(), phases.getLast().recorded());
        };
    }
}

package io.throughputoptimizer.core.search;

import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.forward.ForwardEstimator;
import io.throughputoptimizer.core.hardware.DeviceProfile;
import io.throughputoptimizer.core.search.OptimizationResult.DeviceResult;
import io.throughputoptimizer.core.search.OptimizationResult.Statistics;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

/// One search from start to end.
final class SearchRun {
    private final OptimizationProblem problem;
    private final SearchMonitor monitor;
    private final SearchProgress progress;
    private final ForwardEstimator estimator;
    private final List<PhasePlan> plans;
    private final List<ParallelLayout> layouts;

    SearchRun(OptimizationProblem problem, ForwardEstimator estimator, SearchMonitor monitor) {
        this.problem = problem;
        this.monitor = monitor;
        this.progress = new SearchProgress(monitor);
        this.estimator = progress.watch(estimator);
        this.plans = PhasePlan.of(problem);
        this.layouts = SearchSpace.of(problem.model(), problem.search().sizes(), problem.deviceCount())
                .candidates();
    }

    OptimizationResult run(Workers workers) {
        int candidates = problem.devices().size() * plans.size() * layouts.size();
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
        List<Supplier<CandidateResult>> tasks = new ArrayList<>();
        for (PhasePlan plan : plans) {
            for (ParallelLayout layout : layouts) {
                tasks.add(() -> search(device, plan, layout));
            }
        }
        List<CandidateResult> results = workers.run(tasks);
        List<PhaseResult> phases = new ArrayList<>();
        for (int i = 0; i < plans.size(); i++) {
            phases.add(gather(plans.get(i), results.subList(i * layouts.size(), (i + 1) * layouts.size())));
        }
        return new DeviceResult(device, problem.deviceCount(), phases);
    }

    private CandidateResult search(DeviceProfile device, PhasePlan plan, ParallelLayout layout) {
        Deployment deployment = new Deployment(
                problem.model(), device, layout, problem.serving().quantization(), problem.execution());
        return new CandidateSearch(deployment, plan, problem.search().batches(), progress).run(estimator);
    }

    private static PhaseResult gather(PhasePlan plan, List<CandidateResult> candidates) {
        List<ResultRow> recorded = candidates.stream()
                .flatMap(candidate -> candidate.recorded().stream())
                .toList();
        return new PhaseResult(
                plan.phase(),
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
}

package io.throughputoptimizer.core.search;

import io.throughputoptimizer.core.deployment.Obstacle;
import io.throughputoptimizer.core.hardware.DeviceProfile;
import io.throughputoptimizer.core.search.Objection.Subject;
import io.throughputoptimizer.core.search.OptimizationProblem.InstanceSizes;
import io.throughputoptimizer.core.workload.Workload;
import java.util.ArrayList;
import java.util.List;

/// Rules that tie the parts of a problem together (validation), checked before any work.
final class ProblemRules {
    private final OptimizationProblem problem;
    private final List<Objection> objections;

    private ProblemRules(OptimizationProblem problem) {
        this.problem = problem;
        this.objections = new ArrayList<>(problem.outline().objections());
    }

    static List<Objection> objections(OptimizationProblem problem) {
        ProblemRules rules = new ProblemRules(problem);
        rules.checkExecution();
        rules.checkInstances();
        rules.checkTokenBudget();
        return rules.objections.stream().distinct().toList();
    }

    private void checkExecution() {
        OptimizationProblem.Axes axes = problem.search().axes();
        for (int draftTokens : axes.draftTokens().counts()) {
            problem.serving()
                    .acceptance()
                    .obstacle(draftTokens)
                    .ifPresent(reason -> objections.add(new Objection(Subject.DRAFT_TOKENS, reason)));
            for (Obstacle obstacle : problem.execution(draftTokens)
                    .obstacles(problem.model(), axes.quantization().first())) {
                objections.add(new Objection(subject(obstacle.part()), obstacle.reason()));
            }
        }
    }

    private static Subject subject(Obstacle.Part part) {
        return switch (part) {
            case MODEL -> Subject.MODEL;
            case TENSOR_PARALLEL -> Subject.TP_SIZES;
            case EXPERT_PARALLEL -> Subject.EP_SIZES;
            case EXPERT_REPLICAS -> Subject.MOE_DP_SIZES;
            case DRAFT_TOKENS -> Subject.DRAFT_TOKENS;
            case COMPILATION -> Subject.COMPILATION;
            case CACHE_QUANTIZATION -> Subject.CACHE_QUANTIZATION;
        };
    }

    /// Sizes are checked against the devices of each instance that is searched, not against all devices there are.
    private void checkInstances() {
        switch (problem.search().mode()) {
            case AGGREGATION, DISAGGREGATION -> checkInstance(Subject.DEVICE_COUNT, problem.deviceCount());
            case PD_RATIO -> {
                InstanceSizes sizes = problem.search().instances();
                if (sizes != null) {
                    checkInstance(Subject.PREFILL_DEVICES, sizes.prefillDevices());
                    checkInstance(Subject.DECODE_DEVICES, sizes.decodeDevices());
                }
            }
        }
    }

    private void checkInstance(Subject subject, int devices) {
        for (DeviceProfile device : problem.devices()) {
            device.obstacle(devices).ifPresent(reason -> objections.add(new Objection(subject, reason)));
        }
        objections.addAll(problem.layouts(devices).objections());
    }

    private void checkTokenBudget() {
        Workload workload = problem.demand().workload();
        int least = problem.search().accounting().budget().least(workload);
        for (int budget : problem.search().axes().tokenBudgets().budgets()) {
            if (budget < least) {
                objections.add(new Objection(
                        Subject.MAX_BATCHED_TOKENS,
                        "is " + budget + ": at least " + least + " is needed"
                                + (least > 1 ? ", the longest effective input of the length distribution" : "")));
            }
        }
    }
}

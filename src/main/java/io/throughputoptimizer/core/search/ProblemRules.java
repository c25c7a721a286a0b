package io.throughputoptimizer.core.search;

import io.throughputoptimizer.core.hardware.DeviceProfile;
import io.throughputoptimizer.core.search.Objection.Subject;
import io.throughputoptimizer.core.search.OptimizationProblem.InstanceSizes;
import io.throughputoptimizer.core.serving.Accounting;
import io.throughputoptimizer.core.workload.Lengths;
import io.throughputoptimizer.core.workload.Phase;
import io.throughputoptimizer.core.workload.ServiceObjective;
import io.throughputoptimizer.core.workload.Workload;
import java.util.ArrayList;
import java.util.List;

/// Rules that tie the parts of a problem together (validation), checked before any work.
final class ProblemRules {
    private final OptimizationProblem problem;
    private final List<Objection> objections = new ArrayList<>();

    private ProblemRules(OptimizationProblem problem) {
        this.problem = problem;
    }

    static List<Objection> objections(OptimizationProblem problem) {
        ProblemRules rules = new ProblemRules(problem);
        rules.checkInstances();
        rules.checkLimits();
        rules.checkLengths();
        rules.checkTokenBudget();
        return rules.objections.stream().distinct().toList();
    }

    /// Sizes are checked against the devices of each instance that is searched, not against all devices there are.
    private void checkInstances() {
        SearchMode mode = problem.search().mode();
        InstanceSizes sizes = problem.search().instances();
        switch (mode) {
            case AGGREGATION, DISAGGREGATION -> {
                checkInstance(Subject.DEVICE_COUNT, problem.deviceCount());
                if (sizes != null) {
                    object(Subject.INSTANCES, "are given in mode " + mode + ": only PD_RATIO takes them");
                }
            }
            case PD_RATIO -> {
                if (sizes == null) {
                    object(Subject.INSTANCES, "are absent: mode PD_RATIO needs those of prefill and decode");
                } else {
                    checkInstance(Subject.PREFILL_DEVICES, sizes.prefillDevices());
                    checkInstance(Subject.DECODE_DEVICES, sizes.decodeDevices());
                }
            }
        }
    }

    private void checkInstance(Subject subject, int devices) {
        for (DeviceProfile device : problem.devices()) {
            long grid = device.interconnect().deviceCount();
            if (devices > grid) {
                object(subject, "is " + devices + ": the grid of " + device.name() + " holds " + grid + " devices");
            }
        }
        objections.addAll(problem.space(devices).objections());
    }

    private void checkLimits() {
        ServiceObjective objective = problem.demand().objective();
        if (problem.search().mode() == SearchMode.DISAGGREGATION
                && objective.ttftMillis() == null
                && objective.tpotMillis() == null) {
            object(
                    Subject.OBJECTIVE,
                    "are absent: disaggregation needs a TTFT limit to search prefill, a TPOT limit to search decode, or both");
        }
    }

    private void checkLengths() {
        Workload workload = problem.demand().workload();
        if (!(workload.lengths() instanceof Lengths.Mixed)) {
            return;
        }
        switch (problem.search().mode()) {
            case DISAGGREGATION -> checkPrefillOnly();
            case AGGREGATION -> {
                Accounting accounting = problem.search().accounting();
                if (!accounting.servesMixedLengths(Phase.AGGREGATION)) {
                    object(
                            Subject.LENGTHS,
                            "is given in mode AGGREGATION: with " + accounting.name()
                                    + " accounting only DISAGGREGATION takes one");
                }
            }
            case PD_RATIO -> object(Subject.LENGTHS, "is given in mode PD_RATIO: it takes one input length");
        }
        if (workload.images() != null) {
            object(Subject.IMAGES, "are given: a length distribution takes text only");
        }
    }

    private void checkPrefillOnly() {
        ServiceObjective objective = problem.demand().objective();
        if (objective.ttftMillis() == null) {
            object(Subject.TTFT_LIMIT, "is absent: a length distribution needs one");
        }
        if (objective.tpotMillis() != null) {
            object(
                    Subject.TPOT_LIMIT,
                    "is " + objective.tpotMillis() + " ms: a length distribution takes none, it covers prefill only");
        }
    }

    private void checkTokenBudget() {
        Integer budget = problem.search().maxBatchedTokens();
        Workload workload = problem.demand().workload();
        int least = problem.search().accounting().leastTokenBudget(workload);
        if (budget != null && budget < least) {
            object(
                    Subject.MAX_BATCHED_TOKENS,
                    "is " + budget + ": at least " + least + " is needed"
                            + (least > 1 ? ", the longest effective input of the length distribution" : ""));
        }
    }

    private void object(Subject subject, String fault) {
        objections.add(new Objection(subject, subject.label() + " " + fault));
    }
}

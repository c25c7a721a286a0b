package io.throughputoptimizer.core.search;

import io.throughputoptimizer.core.deployment.AttentionQuantization;
import io.throughputoptimizer.core.deployment.LayoutObstacles;
import io.throughputoptimizer.core.deployment.Obstacle;
import io.throughputoptimizer.core.deployment.QuantizationScheme;
import io.throughputoptimizer.core.hardware.DeviceProfile;
import io.throughputoptimizer.core.search.space.AvailableDevices;
import io.throughputoptimizer.core.search.space.Objection;
import io.throughputoptimizer.core.search.space.Objection.Subject;
import io.throughputoptimizer.core.search.space.Pairing;
import io.throughputoptimizer.core.search.space.QuantizationAxis;
import io.throughputoptimizer.core.workload.Lengths;
import io.throughputoptimizer.core.workload.Workload;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Validation rules between the parts of a problem, checked before any work.
final class ProblemRules {
    private final OptimizationProblem problem;
    private final List<Objection> objections;

    private ProblemRules(OptimizationProblem problem) {
        this.problem = problem;
        this.objections = new ArrayList<>(problem.outline().faults().stream()
                .map(ProblemOutline.Fault::objection)
                .toList());
    }

    static List<Objection> objections(OptimizationProblem problem) {
        ProblemRules rules = new ProblemRules(problem);
        rules.checkExecution();
        rules.checkSharing();
        rules.checkInstances();
        rules.checkTokenBudget();
        rules.checkContext();
        return rules.objections.stream().distinct().toList();
    }

    private void checkExecution() {
        OptimizationProblem.Axes axes = problem.search().axes();
        List<Integer> counts = axes.draftTokens().counts();
        List<AttentionQuantization> caches =
                problem.search().axes().quantization().attention();
        List<Integer> all = IntStream.range(0, caches.size()).boxed().toList();
        List<Integer> different =
                caches.stream().distinct().map(caches::indexOf).toList();
        Set<Integer> seen = new HashSet<>();
        Map<Tried, List<Obstacle>> known = new HashMap<>();
        for (int index = 0; index < counts.size(); index++) {
            Integer element = element(counts, index);
            problem.serving()
                    .acceptance()
                    .obstacle(counts.get(index))
                    .ifPresent(reason -> objections.add(new Objection(Subject.DRAFT_TOKENS, element, reason)));
            // A duplicate number needs each distinct cache type once: it adds its own index, nothing else.
            List<Integer> beside = seen.add(counts.get(index)) ? all : different;
            checkDeployments(counts.get(index), element, beside, known);
        }
    }

    /// Combination of draft tokens and KV cache type that is validated for all linear layers together.
    private record Tried(int draftTokens, AttentionQuantization cache) {}

    /// Validates draft tokens with KV cache types.
    ///
    /// @param beside indexes of the KV cache types to validate with
    /// @param known obstacles of combinations validated before
    private void checkDeployments(
            int draftTokens, @Nullable Integer draftElement, List<Integer> beside, Map<Tried, List<Obstacle>> known) {
        QuantizationAxis quantization = problem.search().axes().quantization();
        for (int index : beside) {
            Tried tried = new Tried(draftTokens, quantization.attention().get(index));
            for (Obstacle obstacle : known.computeIfAbsent(tried, this::always)) {
                Integer element = switch (obstacle.part()) {
                    case DRAFT_TOKENS -> draftElement;
                    case CACHE_QUANTIZATION -> element(quantization.attention(), index);
                    case MODEL,
                            BACKEND,
                            TENSOR_PARALLEL,
                            PIPELINE_PARALLEL,
                            EXPERT_PARALLEL,
                            EXPERT_REPLICAS,
                            DECODE_CONTEXT_PARALLEL,
                            COMPILATION,
                            LINEAR_QUANTIZATION,
                            NON_EXPERT_QUANTIZATION,
                            SHARED_EXPERTS -> null;
                };
                objections.add(new Objection(subject(obstacle.part()), element, obstacle.reason()));
            }
        }
    }

    /// Returns the obstacles that all linear layers share; an obstacle of some does not reject the others.
    private List<Obstacle> always(Tried tried) {
        List<QuantizationScheme> schemes =
                problem.search().axes().quantization().with(tried.cache);
        List<Obstacle> always = obstacles(tried.draftTokens, schemes.getFirst());
        for (int next = 1; next < schemes.size() && !always.isEmpty(); next++) {
            always = always.stream()
                    .filter(obstacles(tried.draftTokens, schemes.get(next))::contains)
                    .toList();
        }
        return always;
    }

    private List<Obstacle> obstacles(int draftTokens, QuantizationScheme quantization) {
        return problem.execution(draftTokens).obstacles(problem.model(), quantization);
    }

    /// Returns the index of an invalid value; null if it is the only value.
    static @Nullable Integer element(List<?> values, int index) {
        return values.size() == 1 ? null : index;
    }

    private static Subject subject(Obstacle.Part part) {
        return switch (part) {
            case MODEL -> Subject.MODEL;
            case BACKEND -> Subject.DEVICES;
            case TENSOR_PARALLEL -> Subject.TP_SIZES;
            case PIPELINE_PARALLEL -> Subject.SIZES;
            case EXPERT_PARALLEL -> Subject.EP_SIZES;
            case EXPERT_REPLICAS -> Subject.MOE_DP_SIZES;
            case DECODE_CONTEXT_PARALLEL -> Subject.DCP_SIZES;
            case DRAFT_TOKENS -> Subject.DRAFT_TOKENS;
            case COMPILATION -> Subject.COMPILATION;
            case LINEAR_QUANTIZATION -> Subject.LINEAR_QUANTIZATION;
            case CACHE_QUANTIZATION -> Subject.CACHE_QUANTIZATION;
            case NON_EXPERT_QUANTIZATION -> Subject.NON_EXPERT_QUANTIZATION;
            case SHARED_EXPERTS -> Subject.SHARED_EXPERTS;
        };
    }

    /// Returns the subject of mixed input lengths: a distribution or a conversation.
    private Subject mixed() {
        return problem.demand().workload().conversation() == null ? Subject.LENGTH_DISTRIBUTION : Subject.CONVERSATION;
    }

    private void checkSharing() {
        List<Integer> sizes = problem.search().axes().sizes().dcp();
        for (int index = 0; sizes != null && index < sizes.size(); index++) {
            Integer element = index;
            LayoutObstacles.contextObstacle(problem.model(), sizes.get(index))
                    .ifPresent(obstacle ->
                            objections.add(new Objection(subject(obstacle.part()), element, obstacle.reason())));
        }
    }

    /// Checks sizes against the devices of each searched instance, not against all devices.
    private void checkInstances() {
        switch (problem.search().mode()) {
            case AGGREGATION, DISAGGREGATION -> {
                checkDeviceCounts();
            }
            case PD_RATIO -> {
                Pairing pairing = problem.search().instances();
                if (pairing != null && !pairing.isRatio()) {
                    objections.addAll(new PairCountRules(problem, pairing).objections());
                } else if (pairing != null) {
                    checkInstance(Subject.PREFILL_DEVICES, pairing.prefillDevices());
                    checkInstance(Subject.DECODE_DEVICES, pairing.decodeDevices());
                    checkSharing(pairing.decodeDevices());
                }
            }
        }
    }

    /// Checks that each size fits some kind of device; it need not fit every kind.
    private void checkDeviceCounts() {
        AvailableDevices available = problem.available();
        for (DeviceProfile device : problem.devices()) {
            device.obstacle(available.of(device.name()))
                    .ifPresent(reason -> objections.add(Objection.toCount(available, device.name(), reason)));
        }
        List<Integer> counts = problem.devices().stream()
                .map(device -> available.of(device.name()))
                .distinct()
                .sorted(Comparator.reverseOrder())
                .toList();
        List<Objection> toAll = PairCountRules.everywhere(
                counts.stream(), count -> problem.layouts(count).objections());
        objections.addAll(toAll);
        if (toAll.isEmpty()) {
            counts.stream()
                    .map(problem::layouts)
                    .filter(layouts -> !layouts.exist())
                    .forEach(layouts -> objections.add(layouts.nothingDivides()));
        }
        objections.addAll(PairCountRules.everywhere(
                counts.stream(), count -> problem.layouts(count).contextObjections()));
    }

    private void checkInstance(Subject subject, int devices) {
        for (DeviceProfile device : problem.devices()) {
            device.obstacle(devices).ifPresent(reason -> objections.add(new Objection(subject, reason)));
        }
        objections.addAll(problem.layouts(devices).objections());
    }

    private void checkContext() {
        if (problem.demand().beyondContext()) {
            return;
        }
        problem.demand()
                .longest(problem.model())
                .obstacle(problem.model())
                .ifPresent(reason -> objections.add(
                        switch (problem.demand().workload().lengths()) {
                            case Lengths.Fixed _ -> new Objection(Subject.INPUT_LENGTH, "is " + reason);
                            case Lengths.Mixed _ -> new Objection(mixed(), "reaches " + reason);
                        }));
    }

    private void checkSharing(int decodeDevices) {
        objections.addAll(problem.layouts(decodeDevices).contextObjections());
    }

    private void checkTokenBudget() {
        Workload workload = problem.demand().workload();
        int least = problem.search().accounting().leastTokenBudget(workload);
        List<Integer> budgets = problem.search().axes().tokenBudgets().budgets();
        for (int index = 0; index < budgets.size(); index++) {
            if (budgets.get(index) < least) {
                objections.add(new Objection(
                        Subject.MAX_BATCHED_TOKENS,
                        element(budgets, index),
                        "must be at least " + least
                                + (least > 1
                                        ? ", the longest effective input of the length distribution, got "
                                        : ", got ")
                                + budgets.get(index)));
            }
        }
    }
}

package io.throughputoptimizer.core.capacity;

import static java.util.Objects.requireNonNull;

import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.deployment.Execution;
import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.deployment.ParallelLayout.ExpertLayout;
import io.throughputoptimizer.core.hardware.DeviceProfile;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.search.space.Candidate;
import io.throughputoptimizer.core.serving.DraftAcceptance;
import io.throughputoptimizer.core.serving.ServingPoint;
import io.throughputoptimizer.core.serving.ServingTerms;
import io.throughputoptimizer.core.serving.SimulationAllowance;
import io.throughputoptimizer.core.workload.Phase;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Every layout of an instance at every batch size, each evaluated without any search.
record TriedInstances(CapacityCase asked) {

    /// What keeps the limits.
    ///
    /// @param layout its number among those tried
    /// @param tokensPerSecond to the three decimals that rows have
    /// @param tokensOfARequest that the phase makes
    /// @param answerMillis of a whole answer, of a phase by itself its part, by latencies as rows have them
    record Tried(
            int size,
            int layout,
            long concurrency,
            BigDecimal tokensPerSecond,
            int tokensOfARequest,
            double answerMillis) {}

    List<Tried> of(Phase phase) {
        DeviceProfile device =
                CapacityCase.CATALOGS.devices().find(asked.device()).orElseThrow();
        ModelArchitecture model =
                CapacityCase.CATALOGS.models().find(asked.model()).orElseThrow();
        List<Tried> tried = new ArrayList<>();
        for (int size : asked.sizes()) {
            if (device.obstacle(size).isPresent()) {
                continue;
            }
            for (int tp = 1; tp <= size; tp *= 2) {
                if (size % tp == 0) {
                    ParallelLayout layout = new ParallelLayout(
                            tp, 1, size / tp, model.experts().isPresent() ? new ExpertLayout(size, 1, 1) : null);
                    tried.addAll(of(
                            phase,
                            new Deployment(
                                    model,
                                    device,
                                    layout,
                                    CapacityCase.QUANTIZATION,
                                    new Execution(
                                            true,
                                            0,
                                            CapacityCase.RESERVED_BYTES,
                                            asked.accounting().passes(),
                                            false,
                                            false))));
                }
            }
        }
        return tried;
    }

    private List<Tried> of(Phase phase, Deployment deployment) {
        List<Tried> tried = new ArrayList<>();
        if (deployment.obstacle().isPresent()) {
            return tried;
        }
        ServingTerms terms = new ServingTerms(
                asked.workload(), CapacityCase.MAX_BATCHED_TOKENS, 0, DraftAcceptance.NONE, asked.accounting(), false);
        Candidate candidate = new Candidate(deployment, terms, Set.of());
        var serving = candidate.serving(phase, CapacityCase.ESTIMATOR, SimulationAllowance.UNLIMITED);
        for (long batch = 1; batch <= asked.mostBatch(); batch++) {
            ServingPoint point = serving.at(batch);
            boolean fits = point.costs().memory().availableBytes() >= 0;
            if (fits && keeps(phase, point)) {
                tried.add(new Tried(
                        deployment.layout().deviceCount(),
                        deployment.layout().tp(),
                        point.load().concurrency(),
                        BigDecimal.valueOf(point.figures().tokensPerSecond()).setScale(3, RoundingMode.HALF_EVEN),
                        tokens(phase),
                        answerMillis(phase, point)));
            }
        }
        return tried;
    }

    private double answerMillis(Phase phase, ServingPoint point) {
        return switch (phase) {
            case PREFILL -> shown(point.figures().ttftMillis());
            case DECODE -> (asked.outputTokens() - 1) * shown(point.figures().tpotMillis());
            case AGGREGATION -> requireNonNull(point.figures().requestLatencyMillis());
        };
    }

    private static double shown(@Nullable Double millis) {
        return BigDecimal.valueOf(requireNonNull(millis))
                .setScale(3, RoundingMode.HALF_EVEN)
                .doubleValue();
    }

    private int tokens(Phase phase) {
        return switch (phase) {
            case PREFILL -> asked.inputTokens();
            case DECODE -> Math.max(1, asked.outputTokens() - 1);
            case AGGREGATION -> asked.outputTokens();
        };
    }

    private boolean keeps(Phase phase, ServingPoint point) {
        Double ttft = point.figures().ttftMillis();
        Double tpot = point.figures().tpotMillis();
        Double ttftLimit = phase == Phase.DECODE ? null : asked.limits().ttftMillis();
        Double tpotLimit = phase == Phase.PREFILL ? null : asked.limits().tpotMillis();
        double handed = phase == Phase.PREFILL ? asked.handedMillis() : 0;
        Double wholeLimit = asked.limits().requestLatencyMillis();
        return (wholeLimit == null || answerMillis(phase, point) + handed <= wholeLimit)
                && (ttftLimit == null || (ttft != null && ttft + handed <= ttftLimit))
                && (tpotLimit == null || (tpot != null && tpot <= tpotLimit));
    }
}

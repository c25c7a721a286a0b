package io.throughputoptimizer.api.result;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.result.ExplanationResponse.AnswerResponse;
import io.throughputoptimizer.api.result.ExplanationResponse.NotAskedResponse;
import io.throughputoptimizer.api.result.ExplanationResponse.PlanResponse;
import io.throughputoptimizer.api.result.ExplanationResponse.Pointers;
import io.throughputoptimizer.api.result.ExplanationResponse.RelaxationResponse;
import io.throughputoptimizer.api.result.ExplanationResponse.SensitivityResponse;
import io.throughputoptimizer.api.result.FrontierResponse.FrontierPointResponse;
import io.throughputoptimizer.core.explain.Aim;
import io.throughputoptimizer.core.explain.Change.Lever;
import io.throughputoptimizer.core.explain.FleetExplanation;
import io.throughputoptimizer.core.fleet.FleetProblem;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Explanations of replicas on measured devices, as they go over the wire.
final class FleetExplanations {
    private FleetExplanations() {}

    static ExplanationResponse from(FleetExplanation explanation, FleetProblem problem) {
        return new ExplanationResponse(
                explanation.answers().stream()
                        .map(answer -> from(answer, problem))
                        .toList(),
                explanation.searches(),
                explanation.points());
    }

    private static AnswerResponse from(FleetExplanation.Answer answer, FleetProblem problem) {
        Pointers pointers = lever -> pointer(lever, problem.devices().size() == 1);
        return new AnswerResponse(
                answer.device(),
                WireFormat.name(Aim.AGGREGATION),
                answer.plan() == null ? null : PlanResponse.from(answer.plan(), Aim.AGGREGATION),
                answer.bindings().stream()
                        .map(binding -> BindingResponse.from(
                                binding, problem.demand().traffic().mean()))
                        .toList(),
                List.of(new FrontierResponse(
                        PhaseName.AGGREGATION,
                        answer.frontier().stream()
                                .map(point -> FrontierPointResponse.from(point, problem, answer.device()))
                                .toList())),
                answer.sensitivities().stream()
                        .map(one -> SensitivityResponse.from(one, Aim.AGGREGATION, pointers))
                        .toList(),
                answer.relaxations().stream()
                        .map(one -> RelaxationResponse.from(one, Aim.AGGREGATION, pointers))
                        .toList(),
                answer.notAsked().entrySet().stream()
                        .sorted(Map.Entry.comparingByKey())
                        .map(entry -> new NotAskedResponse(WireFormat.name(entry.getKey()), entry.getValue()))
                        .toList());
    }

    /// What one device alone is changed in has a member of its own only if there is no other.
    private static @Nullable String pointer(Lever lever, boolean alone) {
        return switch (lever) {
            case TTFT_LIMIT -> "/slo/ttft_ms";
            case TPOT_LIMIT -> "/slo/tpot_ms";
            case DEVICE_COUNT -> "/num_devices";
            case INPUT_LENGTH -> "/workload/input_length";
            case PREFIX_CACHE_HIT_RATE -> "/workload/prefix_cache_hit_rate";
            case CACHE_QUANTIZATION -> alone ? "/engine/kv_cache" : null;
            case LINEAR_QUANTIZATION -> alone ? "/quantization/scheme" : null;
            case TOKEN_BUDGET -> alone ? "/engine/token_budget" : null;
            case NON_EXPERT_QUANTIZATION,
                    DRAFT_TOKENS,
                    MEMORY_SIZE,
                    MEMORY_BANDWIDTH,
                    MATRIX_RATE,
                    LINK_BANDWIDTH,
                    LINK_LATENCY,
                    STATIC_COSTS -> null;
        };
    }
}

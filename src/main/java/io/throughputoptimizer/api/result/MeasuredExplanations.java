package io.throughputoptimizer.api.result;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.result.ExplanationResponse.AnswerResponse;
import io.throughputoptimizer.api.result.ExplanationResponse.NotAskedResponse;
import io.throughputoptimizer.api.result.ExplanationResponse.PlanResponse;
import io.throughputoptimizer.api.result.ExplanationResponse.Pointers;
import io.throughputoptimizer.api.result.ExplanationResponse.RelaxationResponse;
import io.throughputoptimizer.api.result.FrontierResponse.FrontierPointResponse;
import io.throughputoptimizer.core.explain.Aim;
import io.throughputoptimizer.core.explain.Lever;
import io.throughputoptimizer.core.explain.Lever.Choice;
import io.throughputoptimizer.core.explain.Lever.DeviceFigure;
import io.throughputoptimizer.core.explain.MeasuredExplanation;
import io.throughputoptimizer.core.measured.MeasuredDevice;
import io.throughputoptimizer.core.measured.MeasuredProblem;
import io.throughputoptimizer.core.workload.Limits;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Explanations of what serves on measured devices, as they go over the wire.
final class MeasuredExplanations {
    private MeasuredExplanations() {}

    static ExplanationResponse from(MeasuredExplanation explanation, MeasuredProblem problem) {
        return new ExplanationResponse(
                explanation.answers().stream()
                        .map(answer -> from(answer, problem))
                        .toList(),
                explanation.searches(),
                explanation.points(),
                explanation.simulations() == 0 ? null : explanation.simulations(),
                null);
    }

    private static AnswerResponse from(MeasuredExplanation.Answer answer, MeasuredProblem problem) {
        Aim aim = answer.aim();
        List<String> devices =
                problem.instances() == null || problem.instances().namesNoKinds()
                        ? problem.devices().stream().map(MeasuredDevice::name).toList()
                        : List.of();
        Pointers pointers = lever -> lever == Choice.DEVICE
                ? ChangeResponse.device(devices, answer.device())
                : pointer(lever, problem.devices().size() == 1, problem.demand().limits());
        return new AnswerResponse(
                answer.device(),
                WireFormat.name(aim),
                answer.plan() == null ? null : PlanResponse.from(answer.plan(), aim),
                answer.bindings().stream()
                        .map(binding -> BindingResponse.from(
                                binding, problem.demand().traffic().mean()))
                        .toList(),
                List.of(new FrontierResponse(
                        WireFormat.name(aim),
                        problem.countsInstances() ? true : null,
                        answer.frontier().stream()
                                .map(point -> FrontierPointResponse.from(point, problem, answer.device()))
                                .toList(),
                        null)),
                answer.sensitivities().stream()
                        .map(one -> SensitivityResponse.from(one, aim, pointers))
                        .toList(),
                answer.relaxations().stream()
                        .map(one -> RelaxationResponse.from(one, aim, pointers))
                        .toList(),
                NotAskedResponse.all(answer.notAsked()));
    }

    /// What one device alone is changed in has a member of its own only if there is no other.
    private static @Nullable String pointer(Lever lever, boolean alone, Limits limits) {
        return switch (lever) {
            case Lever.Limit limit -> ChangeResponse.limit(limit, limits);
            case DeviceFigure _, Lever.FigureOf _ -> null;
            case Lever.Transfer transfer -> ChangeResponse.transfer(transfer);
            case Lever.CountOf(String device) -> ChangeResponse.count(device);
            case Choice choice -> pointer(choice, alone);
        };
    }

    private static @Nullable String pointer(Choice choice, boolean alone) {
        return switch (choice) {
            case CACHE_QUANTIZATION -> alone ? "/engine/kv_cache" : null;
            case LINEAR_QUANTIZATION -> alone ? "/quantization/scheme" : null;
            case TOKEN_BUDGET -> alone ? "/engine/token_budget" : null;
            case DEVICE_COUNT,
                    PREFILL_DEVICES,
                    DECODE_DEVICES,
                    INPUT_LENGTH,
                    PREFIX_CACHE_HIT_RATE,
                    NON_EXPERT_QUANTIZATION,
                    DRAFT_TOKENS,
                    REQUEST_RATE,
                    TENSOR_PARALLEL,
                    DATA_PARALLEL,
                    EXPERT_PARALLEL,
                    DEVICE,
                    LEAST_CONCURRENCY -> ChangeResponse.common(choice);
        };
    }
}

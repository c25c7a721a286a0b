package io.throughputoptimizer.launch;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import io.throughputoptimizer.api.request.EngineRequest;
import io.throughputoptimizer.api.request.OptimizationRequest;
import io.throughputoptimizer.api.request.QuantizationRequest;
import io.throughputoptimizer.api.request.ServingRequest;
import io.throughputoptimizer.api.result.ResultResponse.DeviceResponse;
import io.throughputoptimizer.api.result.figure.VariantResponse;
import io.throughputoptimizer.catalog.LaunchOption;
import io.throughputoptimizer.core.deployment.AttentionQuantization;
import io.throughputoptimizer.core.deployment.LinearQuantization;
import io.throughputoptimizer.core.kernels.Scheme;
import io.throughputoptimizer.launch.LaunchPlan.Precision;
import org.jspecify.annotations.Nullable;

/// Reads the number formats and draft tokens of a plan.
final class PlanPrecision {
    private PlanPrecision() {}

    /// @param variant options combined with the layout of an instance
    static Precision of(OptimizationRequest request, DeviceResponse device, @Nullable VariantResponse variant) {
        Scheme scheme = device.scheme();
        return scheme == null ? modelled(request, variant) : measured(scheme, device.engine(), variant);
    }

    private static Precision modelled(OptimizationRequest request, @Nullable VariantResponse variant) {
        ServingRequest serving = requireNonNull(request.serving());
        QuantizationRequest asked = requireNonNull(request.quantization());
        LinearQuantization linear = variant == null || variant.linear() == null
                ? requireNonNull(asked.linear()).getFirst()
                : variant.linear();
        AttentionQuantization attention = variant == null || variant.attention() == null
                ? requireNonNull(asked.attention()).getFirst()
                : variant.attention();
        LinearQuantization others = variant == null ? null : variant.nonExpertLinear();
        Integer drafts = variant == null ? null : variant.numMtpTokens();
        return new Precision(
                words(linear, others),
                weights(linear),
                cache(attention),
                requireNonNull(serving.compile()),
                false,
                requireNonNullElse(
                        drafts, requireNonNull(serving.numMtpTokens()).getFirst()));
    }

    private static @Nullable String words(LinearQuantization linear, @Nullable LinearQuantization others) {
        if (others == null || others == linear) {
            return linear.isEnabled() ? linear.name() : null;
        }
        return linear.name() + " in routed experts and " + others.name() + " elsewhere";
    }

    private static @Nullable LaunchOption weights(LinearQuantization linear) {
        return switch (linear) {
            case DISABLED -> null;
            case W8A16_STATIC, W8A16_DYNAMIC -> LaunchOption.WEIGHTS_INT8_ONLY;
            case W8A8_STATIC, W8A8_DYNAMIC -> LaunchOption.WEIGHTS_INT8;
            case W4A8_STATIC, W4A8_DYNAMIC -> LaunchOption.WEIGHTS_INT4;
            case FP8 -> LaunchOption.WEIGHTS_FP8;
            case MXFP4 -> LaunchOption.WEIGHTS_MXFP4;
        };
    }

    private static @Nullable LaunchOption cache(AttentionQuantization attention) {
        return switch (attention) {
            case DISABLED -> null;
            case INT8 -> LaunchOption.CACHE_INT8;
            case FP8 -> LaunchOption.CACHE_FP8;
        };
    }

    private static Precision measured(
            Scheme scheme, @Nullable EngineRequest engine, @Nullable VariantResponse variant) {
        Integer drafts = variant == null ? null : variant.numMtpTokens();
        LaunchOption weights = switch (scheme) {
            case BF16, INT4_EXPERTS, W4A16, W8A16, NVFP4, NVFP4_EXPERTS, NVFP4_ROUTED, FP8_MXFP4 -> null;
            case FP8, FP8_BLOCK -> LaunchOption.WEIGHTS_FP8;
            case MXFP4_EXPERTS -> LaunchOption.WEIGHTS_MXFP4;
            case W8A8 -> LaunchOption.WEIGHTS_INT8;
        };
        boolean eightBits = engine != null && engine.kvCacheDtype() == EngineRequest.CacheName.FP8;
        return new Precision(
                scheme == Scheme.BF16 ? null : scheme.name(),
                weights,
                eightBits ? LaunchOption.CACHE_FP8 : null,
                engine == null || !Boolean.FALSE.equals(engine.cudaGraphs()),
                engine != null && Boolean.FALSE.equals(engine.imageTower()),
                requireNonNullElse(drafts, 0));
    }
}

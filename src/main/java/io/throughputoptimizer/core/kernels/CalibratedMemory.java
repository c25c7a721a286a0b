package io.throughputoptimizer.core.kernels;

import io.throughputoptimizer.core.deployment.Obstacle;
import io.throughputoptimizer.core.deployment.Obstacle.Part;
import io.throughputoptimizer.core.memory.DeviceMemory;
import io.throughputoptimizer.core.memory.EngineMemory;
import io.throughputoptimizer.core.memory.MemoryModel;
import io.throughputoptimizer.core.memory.MemoryNotSpecifiedException;
import io.throughputoptimizer.core.memory.MemorySettings;
import io.throughputoptimizer.core.memory.RankMemory;
import io.throughputoptimizer.core.memory.ServedRank;
import io.throughputoptimizer.core.memory.ServedRank.SchemeFormats;
import io.throughputoptimizer.core.memory.WeightFormat;
import io.throughputoptimizer.core.model.ModelDocument;
import io.throughputoptimizer.core.model.config.ModelConfigException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Memory of one rank of a deployment, as its engine allocates it ([RankMemory]).
public final class CalibratedMemory {
    private static final int INT4_GROUP = 32;
    private static final int USUAL_GROUP = 128;

    private CalibratedMemory() {}

    /// Returns the memory of a rank.
    ///
    /// @param settings settings of the server
    /// @throws MemoryNotSpecifiedException if no rule covers it, see [#obstacle]
    /// @throws ModelConfigException if the model's configuration lacks a size
    public static RankMemory of(CalibratedDeployment deployment, MemorySettings settings) {
        ModelDocument document = deployment.model().document();
        if (document == null) {
            throw new IllegalArgumentException(deployment.model().id() + " was read from no configuration");
        }
        return RankMemory.of(rank(MemoryModel.of(document), deployment, settings));
    }

    /// Returns a rank whose weights are stored as a scheme says.
    ///
    /// @param ep expert parallel size; all ranks where it does not divide them
    /// @param scheme scheme of the weights; absent where the checkpoint decides
    public static ServedRank rank(
            MemoryModel model,
            EngineMemory engine,
            DeviceMemory device,
            int tp,
            int dp,
            int ep,
            @Nullable Scheme scheme,
            CacheType cache,
            int draftTokens,
            MemorySettings settings) {
        return new ServedRank(
                model,
                engine,
                device,
                tp,
                dp,
                (tp * dp) % ep == 0 ? ep : tp * dp,
                scheme == null ? null : formats(scheme),
                (int) cache.bytes(),
                0,
                draftTokens,
                settings);
    }

    private static ServedRank rank(MemoryModel model, CalibratedDeployment deployment, MemorySettings settings) {
        Precision precision = deployment.precision();
        Engine engine = deployment.engine();
        Speculation speculation = deployment.speculation();
        return new ServedRank(
                model,
                engine.memory(),
                engine.memory()
                        .device(
                                deployment.calibration().device(),
                                deployment.calibration().peaks().memoryBytes() / RankMemory.GIB),
                deployment.layout().tp(),
                deployment.layout().dp(),
                deployment.ep(),
                precision.asStored() ? null : formats(precision.scheme()),
                (int) precision.cache().bytes(),
                (int) precision.state().bytes(),
                speculation == null ? 0 : speculation.drafts(),
                settings);
    }

    /// Formats of the weights of a scheme.
    public static SchemeFormats formats(Scheme scheme) {
        return switch (scheme) {
            case BF16 -> formats(WeightFormat.BF16, WeightFormat.BF16);
            case FP8, W8A16, W8A8 -> formats(WeightFormat.CHANNEL, WeightFormat.CHANNEL);
            case FP8_BLOCK -> formats(WeightFormat.BLOCK, WeightFormat.BLOCK);
            case NVFP4 -> formats(WeightFormat.NVFP4, WeightFormat.NVFP4);
            case NVFP4_EXPERTS -> new SchemeFormats(WeightFormat.BF16, WeightFormat.NVFP4, WeightFormat.NVFP4);
            case INT4_EXPERTS -> formats(WeightFormat.BF16, WeightFormat.groups(4, INT4_GROUP, false));
            case MXFP4_EXPERTS -> formats(WeightFormat.BF16, WeightFormat.MXFP4);
            case W4A16 -> {
                WeightFormat integers = WeightFormat.groups(4, USUAL_GROUP, false);
                yield formats(integers, integers);
            }
            case NVFP4_ROUTED -> formats(WeightFormat.BF16, WeightFormat.NVFP4);
            case FP8_MXFP4 -> formats(WeightFormat.BLOCK, WeightFormat.MXFP4);
        };
    }

    private static SchemeFormats formats(WeightFormat others, WeightFormat experts) {
        return new SchemeFormats(others, others, experts);
    }

    /// Returns whether the law covers the memory of a deployment.
    public static boolean isSpecified(CalibratedDeployment deployment) {
        return reason(deployment).isEmpty();
    }

    private static Optional<String> reason(CalibratedDeployment deployment) {
        try {
            of(deployment, deployment.engine().memorySettings());
            return Optional.empty();
        } catch (MemoryNotSpecifiedException | IllegalArgumentException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    /// Returns the reason why the memory of a deployment is unknown, or empty if the law covers it or the request
    /// states the tokens of the KV cache.
    static Optional<Obstacle> obstacle(CalibratedDeployment deployment) {
        if (deployment.engine().memorySettings().kvTokens() != null) {
            return Optional.empty();
        }
        return reason(deployment)
                .map(reason -> new Obstacle(
                        Part.MODEL,
                        "is " + deployment.model().id() + ": memory of "
                                + deployment.model().family() + " on "
                                + deployment.engine().backend() + " is unknown (" + reason
                                + "); state engine.kv_tokens, which the engine's log prints"));
    }

    /// Returns what a request keeps of the cache without blocks or padding: the bytes that move from prefill to decode.
    public static RequestBytes requestBytes(CalibratedDeployment deployment) {
        return deployment.attention().stream()
                .map(AttentionLayers::requestBytes)
                .reduce(RequestBytes.ofTokens(0), RequestBytes::plus);
    }

    /// Returns the bytes that a request hands over: one copy of its cache.
    public static RequestBytes handedOver(CalibratedDeployment deployment) {
        return requestBytes(new CalibratedDeployment(
                deployment.model(),
                deployment.calibration(),
                CalibratedDeployment.layout(deployment.model(), 1, 1, 1),
                deployment.engine(),
                deployment.precision()));
    }
}

package io.throughputoptimizer.core.memory;

import io.throughputoptimizer.core.memory.EngineMemory.Mxfp4Kernel;
import io.throughputoptimizer.core.memory.EngineMemory.Parameters;
import org.jspecify.annotations.Nullable;

/// A rank of a serving engine: all that its memory depends on.
///
/// @param tp tensor parallel size
/// @param dp attention data parallel size
/// @param ep expert parallel size
/// @param scheme formats of the weights; absent where the checkpoint decides
/// @param cacheBytes bytes of a cache element, `e`: 1 for FP8, else 2
/// @param stateBytes bytes of an element of a recurrent state; 0 for what the configuration says
/// @param draftTokens draft tokens of a decode step
public record ServedRank(
        MemoryModel model,
        EngineMemory engine,
        DeviceMemory device,
        int tp,
        int dp,
        int ep,
        @Nullable SchemeFormats scheme,
        int cacheBytes,
        int stateBytes,
        int draftTokens,
        MemorySettings settings) {

    /// Formats of a scheme: of attention, of dense and shared networks, and of routed experts.
    public record SchemeFormats(WeightFormat attention, WeightFormat dense, WeightFormat experts) {}

    /// Returns this rank with other settings.
    public ServedRank with(MemorySettings other) {
        return new ServedRank(model, engine, device, tp, dp, ep, scheme, cacheBytes, stateBytes, draftTokens, other);
    }

    /// Returns this rank with another size of a cache element.
    ServedRank withCacheBytes(int bytes) {
        return new ServedRank(model, engine, device, tp, dp, ep, scheme, bytes, stateBytes, draftTokens, settings);
    }

    /// Returns this rank with another tensor parallel size; experts keep their share of the ranks.
    ServedRank withTensorParallel(int ranks) {
        int expertRanks = ep == 1 ? 1 : ep * ranks / tp;
        return new ServedRank(
                model, engine, device, ranks, dp, expertRanks, scheme, cacheBytes, stateBytes, draftTokens, settings);
    }

    /// Returns the version of the engine; the newest if the settings name no valid one.
    public EngineVersion version() {
        String stated = settings.version();
        return stated == null ? engine.newest() : EngineVersion.of(stated).orElse(engine.newest());
    }

    Parameters parameters() {
        return engine.at(version());
    }

    int ranks() {
        return tp * dp;
    }

    /// Ranks that share an expert.
    double moeTp() {
        return (double) ranks() / ep;
    }

    /// Returns the maximum context length of the server, `N`.
    public long context() {
        return settings.context() == null ? model.maxPosition : settings.context();
    }

    /// Returns the token budget of a step, `T`.
    public int tokenBudget() {
        return settings.tokenBudget() == null
                ? parameters().defaults().tokens(device, context())
                : settings.tokenBudget();
    }

    /// Returns the maximum sequences, `S`, at most `T`.
    public int sequences() {
        int most = settings.sequences() == null ? parameters().defaults().sequences(device) : settings.sequences();
        return Math.min(most, tokenBudget());
    }

    boolean hasTower() {
        return model.hasTower() && settings.tower();
    }

    double share() {
        if (settings.share() != null) {
            return settings.share();
        }
        return engine.reserve() == null
                ? parameters().share()
                : engine.reserve().share(device, tokenBudget(), tp, dp, hasTower());
    }

    Mxfp4Kernel kernel() {
        if (settings.kernel() != null) {
            return settings.kernel();
        }
        return model.compressed ? Mxfp4Kernel.NONE : parameters().mxfp4Kernel();
    }

    /// Returns the format of a module of attention.
    WeightFormat attention(int layer, String module) {
        return scheme == null ? model.stored(layer, module) : scheme.attention();
    }

    /// Returns the format of the dense network of a layer.
    WeightFormat dense(int layer) {
        return scheme == null ? model.stored(layer, "mlp.gate_proj") : scheme.dense();
    }

    /// Returns the format of shared experts: 16 bits if the checkpoint excludes either spelling.
    WeightFormat shared(int layer) {
        if (scheme != null) {
            return scheme.dense();
        }
        WeightFormat several = model.stored(layer, "mlp.shared_experts.gate_proj");
        return several.equals(WeightFormat.BF16) ? several : model.stored(layer, "mlp.shared_expert.gate_proj");
    }

    /// Returns the format of routed experts.
    WeightFormat experts(int layer) {
        return scheme == null ? model.stored(layer, MemoryModel.EXPERTS) : scheme.experts();
    }

    /// Returns the format of the output head.
    WeightFormat head() {
        return scheme == null ? model.storedHead() : WeightFormat.BF16;
    }
}

package io.throughputoptimizer.core.memory;

import io.throughputoptimizer.core.memory.MemoryModel.DeltaHeads;
import io.throughputoptimizer.core.memory.MemoryModel.Kind;

/// KV cache that counts tokens: SGLang, token by token, and TensorRT-LLM, in blocks of 32.
///
/// @param tokenBytes bytes of a token
/// @param blockTokens tokens of a block
/// @param stateBytes bytes of a recurrent state; 0 without. With states `9/19` of the pool are for them, and a
///     request takes up to 3
record TokenPool(double tokenBytes, int blockTokens, double stateBytes) implements KvCache {
    private static final int TENSORRT_BLOCK = 32;
    private static final double STATE_SHARE = 0.9 / 1.9;
    private static final int STATES_OF_A_REQUEST = 3;
    private static final double WINDOWED = 0.8;

    /// Returns the pool of SGLang.
    static TokenPool ofSglang(ServedRank rank) {
        MemoryModel model = rank.model();
        double layers = model.layers + (rank.draftTokens() > 0 ? model.draftLayers : 0);
        double drafted = layers - model.layers;
        if (model.compressed) {
            return new TokenPool(compressedBytes(model), 1, 0);
        } else if (model.delta) {
            double full = model.count(Kind.FULL) + drafted;
            return new TokenPool((model.latent ? latentBytes(rank) : groupedBytes(rank)) * full, 1, stateBytes(rank));
        } else if (model.latent) {
            return new TokenPool(latentBytes(rank) * layers, 1, 0);
        } else if (model.kinds.contains(Kind.SLIDING) && !model.type.startsWith("gemma4")) {
            double counted = model.count(Kind.FULL) + WINDOWED * model.count(Kind.SLIDING);
            return new TokenPool(groupedBytes(rank) * counted, 1, 0);
        }
        return new TokenPool(groupedBytes(rank) * (layers - model.count(Kind.NONE)), 1, 0);
    }

    /// Returns the pool of TensorRT-LLM.
    ///
    /// @throws MemoryNotSpecifiedException if its cache of that attention is not specified
    static TokenPool ofTensorRt(ServedRank rank) {
        MemoryModel model = rank.model();
        if (model.compressed || model.delta) {
            throw new MemoryNotSpecifiedException("the cache of TensorRT-LLM for this attention is not specified");
        }
        double layer = model.latent
                ? (double) (model.positive("kv_lora_rank") + model.positive("qk_rope_head_dim")) * rank.cacheBytes()
                : groupedBytes(rank);
        return new TokenPool(layer * (model.layers - model.count(Kind.NONE)), TENSORRT_BLOCK, 0);
    }

    private static double groupedBytes(ServedRank rank) {
        MemoryModel model = rank.model();
        return 2.0 * Math.max(model.cacheHeads / rank.tp(), 1) * model.headWidth * rank.cacheBytes();
    }

    private static double latentBytes(ServedRank rank) {
        MemoryModel model = rank.model();
        long cached = model.positive("kv_lora_rank");
        long rope = model.positive("qk_rope_head_dim");
        if (model.indexed && rank.cacheBytes() == 1) {
            return cached + cached / 128 * 4 + 2 * rope + 132;
        }
        return (cached + rope) * rank.cacheBytes() + (model.indexed ? 132 : 0);
    }

    /// `0.1 584 L + 584/4 c4 + 584/128 c128 + 132/4 c4 + 0.1 8/window 16 (D + 128) c4`
    private static double compressedBytes(MemoryModel model) {
        double fours = BlockPool.ratios(model, 4);
        double wide = BlockPool.ratios(model, 128);
        return 0.1 * 584 * model.layers
                + 584.0 / 4 * fours
                + 584.0 / 128 * wide
                + 132.0 / 4 * fours
                + 0.1 * 8 / Math.max(1, model.window) * 16 * (model.headWidth + 128) * fours;
    }

    private static double stateBytes(ServedRank rank) {
        MemoryModel model = rank.model();
        DeltaHeads delta = model.deltaHeads();
        long tp = rank.tp();
        double element = rank.stateBytes() == 0 ? 4 : rank.stateBytes();
        return model.count(Kind.LINEAR)
                * (delta.values() / tp * delta.keyWidth() * delta.valueWidth() * element
                        + delta.channels() / tp * (delta.kernel() - 1) * 2.0);
    }

    private double states(double poolBytes) {
        return stateBytes == 0 ? 0 : Math.floor(Math.max(0, poolBytes) * STATE_SHARE / stateBytes);
    }

    /// Returns the bytes of a pool that hold tokens.
    private double ofTokens(double poolBytes) {
        return Math.max(0, poolBytes) - states(poolBytes) * stateBytes;
    }

    @Override
    public double usableBytes(double poolBytes) {
        double block = blockTokens * tokenBytes;
        return blockTokens == 1 ? poolBytes : Math.floor(Math.max(0, poolBytes) / block) * block;
    }

    @Override
    public double admittedBytes(double tokens) {
        return heldBytes(tokens);
    }

    /// Returns the bytes of a request; with states the larger of its shares of both parts of the pool.
    @Override
    public double heldBytes(double tokens) {
        double whole = blockTokens == 1 ? tokens : Math.ceil(tokens / blockTokens) * blockTokens;
        double bytes = Math.max(1, whole) * tokenBytes;
        return stateBytes == 0
                ? bytes
                : Math.max(bytes / (1 - STATE_SHARE), STATES_OF_A_REQUEST * stateBytes / STATE_SHARE);
    }

    @Override
    public double admitted(double poolBytes, double tokens) {
        return held(poolBytes, tokens);
    }

    @Override
    public double held(double poolBytes, double tokens) {
        if (stateBytes == 0) {
            return Math.max(0, usableBytes(poolBytes)) / heldBytes(tokens);
        }
        return Math.min(ofTokens(poolBytes) / tokenBytes / tokens, states(poolBytes) / STATES_OF_A_REQUEST);
    }

    @Override
    public long printedTokens(double poolBytes) {
        double tokens = ofTokens(poolBytes) / tokenBytes;
        return ((long) tokens) / blockTokens * blockTokens;
    }

    @Override
    public double poolBytes(double printedTokens) {
        double bytes = printedTokens * tokenBytes;
        return stateBytes == 0 ? bytes : bytes / (1 - STATE_SHARE);
    }

    @Override
    public boolean isUniform() {
        return stateBytes == 0;
    }

    @Override
    public boolean starts(double poolBytes) {
        return printedTokens(poolBytes) > 0;
    }
}

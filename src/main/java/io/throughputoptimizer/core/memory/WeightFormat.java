package io.throughputoptimizer.core.memory;

import io.throughputoptimizer.core.model.StoredFormat;

/// Storage of the weights of a module.
///
/// Bytes of a matrix of `n = out x in` elements:
///
/// | Format | Bytes |
/// |---|---|
/// | BF16 | `2 n` |
/// | CHANNEL (FP8, INT8) | `n + 4 out` |
/// | BLOCK (FP8) | `n + 4 ceil(out/128) ceil(in/128)` |
/// | NVFP4 | `n/2 + n/16 + 8` |
/// | MXFP4 | `n/2 + n/32` |
/// | GROUPS | `n b/8 + 2 n/g`, with zero points `n b/8/g` more; `n b/8` for whole rows |
///
/// @param bits `b`, of [Kind#GROUPS] only
/// @param group `g`, weights that share a scale, of [Kind#GROUPS] only; 0 for whole rows
public record WeightFormat(Kind kind, int bits, int group, boolean zeroPoints) {
    public static final WeightFormat BF16 = new WeightFormat(Kind.BF16, 16, 1, false);
    public static final WeightFormat CHANNEL = new WeightFormat(Kind.CHANNEL, 8, 1, false);
    public static final WeightFormat BLOCK = new WeightFormat(Kind.BLOCK, 8, 1, false);
    public static final WeightFormat NVFP4 = new WeightFormat(Kind.NVFP4, 4, 16, false);
    public static final WeightFormat MXFP4 = new WeightFormat(Kind.MXFP4, 4, 32, false);

    private static final int BLOCK_SIDE = 128;

    /// Layouts of weights and scales.
    public enum Kind {
        BF16,
        CHANNEL,
        BLOCK,
        NVFP4,
        MXFP4,
        GROUPS
    }

    /// Integers of few bits, each group with a scale of 16 bits.
    public static WeightFormat groups(int bits, int group, boolean zeroPoints) {
        return new WeightFormat(Kind.GROUPS, bits, group, zeroPoints);
    }

    /// Returns the format that a checkpoint names.
    static WeightFormat of(StoredFormat stored) {
        return switch (stored.type()) {
            case FLOAT8 -> stored.block().size() == 2 ? BLOCK : CHANNEL;
            case NVFP4 -> NVFP4;
            case MXFP4 -> MXFP4;
            case INT8 -> stored.block().isEmpty() ? CHANNEL : groups(8, (int) stored.blockSize(), stored.zeroPoints());
            case INT4 -> groups(4, (int) stored.blockSize(), stored.zeroPoints());
        };
    }

    /// Bytes of a matrix.
    double bytes(double out, double in) {
        double n = out * in;
        return switch (kind) {
            case BF16 -> 2 * n;
            case CHANNEL -> n + 4 * out;
            case BLOCK -> n + 4 * Math.ceil(out / BLOCK_SIDE) * Math.ceil(in / BLOCK_SIDE);
            case NVFP4 -> n / 2 + n / 16 + 8;
            case MXFP4 -> n / 2 + n / 32;
            case GROUPS -> n * bits / 8 + (group == 0 ? 0 : (2 * n + (zeroPoints ? n * bits / 8 : 0)) / group);
        };
    }
}

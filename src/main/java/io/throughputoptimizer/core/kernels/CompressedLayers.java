package io.throughputoptimizer.core.kernels;

import io.throughputoptimizer.core.kernels.calibration.KernelClass;
import io.throughputoptimizer.core.kernels.operator.AttentionModule.Shape;
import io.throughputoptimizer.core.kernels.operator.AttentionModule.Work;
import io.throughputoptimizer.core.model.CompressedSpec;
import io.throughputoptimizer.core.model.CompressedSpec.Compression;

/// Layers of attention to a window and to compressed entries. Layers with a window only are priced as coarse
/// layers without entries. Cache and indexer are on every rank.
record CompressedLayers(CalibratedDeployment deployment, CompressedSpec attention, int layers)
        implements AttentionLayers {
    /// Sizes of the measured modules.
    static final int HEAD = 512;

    static final int WINDOW = 128;
    static final int GROUP_RANK = 1024;
    static final int INDEX_HEADS = 64;
    static final int INDEX_SIZE = 128;

    private static final double ENTRY_BYTES = 584;
    private static final double INDEX_ENTRY_BYTES = 68;
    private static final double FINE_STATE_BYTES = 40_960;
    private static final double COARSE_STATE_BYTES = 524_288;

    @Override
    public void write(PassBuilder pass) {
        ModuleLayers module = module();
        if (pass.step().prefills()) {
            module.writePrefill(pass, shape(), this::prefill);
        } else {
            module.writeDecode(pass, shape(), this::decode);
        }
    }

    private Work decode(double tokens, double length, double context) {
        double chosen = switch (compression()) {
            case FINE -> Math.min(length / ratio(), selected());
            case COARSE -> length / ratio();
            case NONE -> 0;
        };
        double index = isFine() ? INDEX_ENTRY_BYTES * context / ratio() : 0;
        return work(tokens, length, 0, index, tokens * (chosen + Math.min(length, WINDOW)));
    }

    private Work prefill(double tokens, double length, double pairs) {
        double chosen = switch (compression()) {
            case FINE -> SelectedPairs.capped(length / ratio(), selected());
            case COARSE -> length / ratio() / 2;
            case NONE -> 0;
        };
        double operations = isFine() ? 2.0 * INDEX_HEADS * INDEX_SIZE / ratio() * pairs : 0;
        double index = isFine() ? INDEX_ENTRY_BYTES * tokens / ratio() : 0;
        return work(tokens, length, operations, index, tokens * (chosen + SelectedPairs.capped(length, WINDOW)));
    }

    private Work work(double tokens, double length, double indexOperations, double indexBytes, double pairs) {
        double most = tokens * ((isFine() ? selected() : 0) + WINDOW);
        return new Work(tokens, length, indexOperations, indexBytes, pairs, Math.max(pairs, most));
    }

    private ModuleLayers module() {
        return switch (compression()) {
            case FINE -> module("csa", KernelClass.CSA_DECODE, KernelClass.CSA_PREFILL);
            case COARSE -> module("hca", KernelClass.HCA_DECODE, KernelClass.HCA_PREFILL);
            case NONE -> module("window", KernelClass.HCA_DECODE, KernelClass.HCA_PREFILL);
        };
    }

    private ModuleLayers module(String name, KernelClass decoding, KernelClass prefilling) {
        return new ModuleLayers(
                name, layers, decoding, prefilling, deployment.precision().moduleType(false));
    }

    private Shape shape() {
        return new Shape(
                heads(),
                weightElements(),
                4.0 * deployment.model().hiddenSize() + 6 * heads() * HEAD,
                4.0 * HEAD,
                ENTRY_BYTES,
                4.0 * HEAD);
    }

    private double weightElements() {
        double hidden = deployment.model().hiddenSize();
        double queryRank = attention.queryRank();
        double groups = Math.max(attention.output().groups() * heads() / attention.heads(), 1);
        double projections =
                hidden * (queryRank + HEAD) + heads() * HEAD * (queryRank + GROUP_RANK) + groups * GROUP_RANK * hidden;
        // Vectors and gates of the compressor, of the indexer's too, and the indexer's queries and weights.
        double compressor = switch (compression()) {
            case FINE ->
                hidden * 4 * HEAD + queryRank * INDEX_HEADS * INDEX_SIZE + hidden * (INDEX_HEADS + 4 * INDEX_SIZE);
            case COARSE -> hidden * 2 * HEAD;
            case NONE -> 0;
        };
        return projections + compressor;
    }

    @Override
    public RequestBytes requestBytes() {
        double perToken = compression() == Compression.NONE ? 0 : ENTRY_BYTES / ratio();
        double index = isFine() ? INDEX_ENTRY_BYTES / ratio() : 0;
        double constant = switch (compression()) {
            case FINE -> FINE_STATE_BYTES;
            case COARSE -> COARSE_STATE_BYTES;
            case NONE -> 0;
        };
        return new RequestBytes(layers * (perToken + index), layers * constant, layers * ENTRY_BYTES, WINDOW);
    }

    private Compression compression() {
        return attention.compression();
    }

    private double ratio() {
        return compression().ratio();
    }

    private boolean isFine() {
        return compression() == Compression.FINE;
    }

    private double selected() {
        return attention.indexer().selectedTokens();
    }

    private double heads() {
        return (double) attention.heads() / deployment.layout().tp();
    }
}

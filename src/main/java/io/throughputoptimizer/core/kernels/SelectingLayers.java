package io.throughputoptimizer.core.kernels;

import io.throughputoptimizer.core.kernels.calibration.KernelClass;
import io.throughputoptimizer.core.kernels.calibration.ModuleType;
import io.throughputoptimizer.core.kernels.operator.AttentionModule.Shape;
import io.throughputoptimizer.core.kernels.operator.AttentionModule.Work;
import io.throughputoptimizer.core.model.AttentionSpec;

/// Layers of latent attention to the tokens that an indexer selects, their own or that of an earlier layer. The
/// indexer and the cache are on every rank.
record SelectingLayers(
        CalibratedDeployment deployment,
        AttentionSpec.MultiHeadLatent attention,
        AttentionSpec.Indexer indexer,
        int layers)
        implements AttentionLayers {
    /// Sizes of the measured module.
    static final int SELECTED = 2048;

    static final int RANK = 512;
    static final int ROTATED = 64;
    static final int INDEX_SIZE = 128;

    private static final double ENTRY = RANK + ROTATED;
    private static final double INDEX_BYTES = 132;
    private static final double ENTRY_BYTES_FP8 = 656;
    private static final double ENTRY_BYTES = 2 * ENTRY;
    /// Bytes of a query and its result, and operations with a cached entry, of a head.
    private static final double ABSORBED = 2 * (ENTRY + RANK);

    @Override
    public void write(PassBuilder pass) {
        Shape shape = shape(ABSORBED);
        boolean indexes = !indexer.reused();
        if (!pass.step().prefills()) {
            module(KernelClass.DSA_PREFILL, type())
                    .writeDecode(
                            pass,
                            shape,
                            (tokens, length, context) -> new Work(
                                    tokens,
                                    length,
                                    0,
                                    indexes ? INDEX_BYTES * context : 0,
                                    tokens * Math.min(length, SELECTED),
                                    tokens * SELECTED));
            return;
        }
        boolean skipsSelection = deployment.engine().attendsToAllOfShortPrompts();
        if (skipsSelection) {
            AttentionSpec.LatentHead head = attention.head();
            Shape dense = shape(2.0 * (head.plain() + ROTATED + head.value()));
            ModuleType plain = new ModuleType(type().fp8(), type().fp8Cache(), false);
            module(KernelClass.DSA_PREFILL_DENSE, plain)
                    .writePrefill(
                            pass,
                            dense,
                            0,
                            SELECTED,
                            (tokens, length, pairs) -> new Work(tokens, length, 0, 0, pairs, pairs));
        }
        module(KernelClass.DSA_PREFILL, type())
                .writePrefill(
                        pass,
                        shape,
                        skipsSelection ? SELECTED : 0,
                        Double.POSITIVE_INFINITY,
                        (tokens, length, pairs) -> new Work(
                                tokens,
                                length,
                                indexes ? 2.0 * INDEX_SIZE * indexer.heads() * pairs : 0,
                                indexes ? INDEX_BYTES * tokens : 0,
                                tokens * SelectedPairs.capped(length, SELECTED),
                                tokens * SELECTED));
    }

    private ModuleLayers module(KernelClass prefilling, ModuleType type) {
        return new ModuleLayers(
                indexer.reused() ? "dsa_shared_index" : "dsa", layers, KernelClass.DSA_DECODE, prefilling, type);
    }

    private ModuleType type() {
        return deployment.precision().moduleType(indexer.reused());
    }

    private Shape shape(double pairOperations) {
        AttentionSpec.LatentHead head = attention.head();
        double widths = head.plain() + ROTATED + head.value() + 2.0 * RANK;
        return new Shape(
                heads(),
                weightElements(),
                4.0 * deployment.model().hiddenSize() + 2 * heads() * widths,
                pairOperations,
                entryBytes(),
                ABSORBED);
    }

    private double weightElements() {
        AttentionSpec.LatentHead head = attention.head();
        double hidden = deployment.model().hiddenSize();
        double queryRank = attention.queryRank();
        double ofHead = queryRank * (head.plain() + ROTATED)
                + (double) RANK * (head.plain() + head.value())
                + head.value() * hidden;
        double index = (queryRank * indexer.heads() + hidden) * INDEX_SIZE + hidden * indexer.heads();
        return hidden * (queryRank + ENTRY) + heads() * ofHead + (indexer.reused() ? 0 : index);
    }

    @Override
    public RequestBytes requestBytes() {
        return RequestBytes.ofTokens(layers * (entryBytes() + (indexer.reused() ? 0 : INDEX_BYTES)));
    }

    private double entryBytes() {
        return switch (deployment.precision().cache()) {
            case FP8 -> ENTRY_BYTES_FP8;
            case BF16 -> ENTRY_BYTES;
        };
    }

    private double heads() {
        return (double) attention.heads() / deployment.layout().tp();
    }
}

package io.throughputoptimizer.core.kernels;

import io.throughputoptimizer.core.kernels.calibration.KernelClass;
import io.throughputoptimizer.core.kernels.operator.AttentionModule.Shape;
import io.throughputoptimizer.core.kernels.operator.AttentionModule.Work;
import io.throughputoptimizer.core.model.AttentionSpec;

/// Layers of grouped-query attention to the blocks that an indexer selects.
record BlockSparseLayers(
        CalibratedDeployment deployment,
        AttentionSpec.BlockSparse attention,
        AttentionSpec.BlockIndexer indexer,
        int layers)
        implements AttentionLayers {
    /// Sizes of the measured module.
    static final int HEAD = 128;

    static final int SELECTED = 2048;
    private static final double INDEX_BYTES = 2 * HEAD;

    @Override
    public void write(PassBuilder pass) {
        var module = new ModuleLayers(
                "msa",
                layers,
                KernelClass.MSA_DECODE,
                KernelClass.MSA_PREFILL,
                deployment.precision().moduleType(false));
        if (pass.step().prefills()) {
            module.writePrefill(
                    pass,
                    shape(),
                    (tokens, length, pairs) -> new Work(
                            tokens,
                            length,
                            2 * HEAD * indexHeads() * pairs,
                            INDEX_BYTES * tokens,
                            tokens * SelectedPairs.capped(length, SELECTED),
                            tokens * SELECTED));
        } else {
            module.writeDecode(
                    pass,
                    shape(),
                    (tokens, length, context) -> new Work(
                            tokens,
                            length,
                            0,
                            INDEX_BYTES * context,
                            tokens * Math.min(length, SELECTED),
                            tokens * SELECTED));
        }
    }

    private Shape shape() {
        return new Shape(
                heads(),
                weightElements(),
                4.0 * deployment.model().hiddenSize() + 4 * HEAD * heads(),
                4.0 * HEAD,
                2 * HEAD * deployment.precision().cache().bytes() * keyValueHeads(),
                4.0 * HEAD);
    }

    private double weightElements() {
        double hidden = deployment.model().hiddenSize();
        double projected = 2 * (heads() + keyValueHeads()) + indexHeads() + 1;
        return hidden * projected * HEAD;
    }

    @Override
    public RequestBytes requestBytes() {
        double entry =
                2 * keyValueHeads() * HEAD * deployment.precision().cache().bytes();
        return RequestBytes.ofTokens(layers * (entry + INDEX_BYTES));
    }

    private double heads() {
        return (double) attention.queryHeads() / deployment.layout().tp();
    }

    private double keyValueHeads() {
        return Math.max((double) attention.keyValueHeads() / deployment.layout().tp(), 1);
    }

    private double indexHeads() {
        return Math.max((double) indexer.heads() / deployment.layout().tp(), 1);
    }
}

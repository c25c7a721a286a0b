package io.throughputoptimizer.core.kernels;

import io.throughputoptimizer.core.kernels.calibration.ProductType;
import io.throughputoptimizer.core.kernels.operator.DecodeAttention;
import io.throughputoptimizer.core.kernels.operator.Heads;
import io.throughputoptimizer.core.kernels.operator.Kernels.Priced;
import io.throughputoptimizer.core.kernels.operator.PrefillAttention;
import io.throughputoptimizer.core.model.AttentionSpec;
import java.util.SortedMap;

/// Layers of grouped-query attention that are equal except for their window.
///
/// @param attention attention without its window
/// @param layersByWindow number of layers by window in tokens; 0 for full attention
record GroupedQueryLayers(
        CalibratedDeployment deployment,
        AttentionSpec.GroupedQuery attention,
        SortedMap<Integer, Integer> layersByWindow)
        implements AttentionLayers {

    @Override
    public void write(PassBuilder pass) {
        Heads heads = heads();
        ProductType type = deployment.precision().scheme().attention();
        double hidden = deployment.model().hiddenSize();
        double rotated = heads.query() + heads.keyValue();
        double width = heads.query() * heads.size();
        pass.quantise("quantise_qkv", layers(), type, hidden);
        double projected = rotated + heads.keyValue() + gates(heads);
        pass.linear("qkv", layers(), type, projected * heads.size(), hidden);
        double norm = attention.headNorm() == AttentionSpec.HeadNorm.NONE ? 4 : 8;
        double cached = 2 * heads.keyValue() * (PassBuilder.ACTIVATION_BYTES + cacheBytes());
        pass.move("rope_cache", layers(), (norm * rotated + cached) * heads.size());
        layersByWindow.forEach((window, count) -> {
            String name = window == 0 ? PassBuilder.ATTENTION : "attention_window";
            double seen = window == 0 ? Double.POSITIVE_INFINITY : window;
            if (pass.step().prefills()) {
                prefillAttention(pass, name, count, heads, seen);
            } else {
                decodeAttention(pass, name, count, heads, seen);
            }
        });
        if (attention.gatesOutput()) {
            pass.move("output_gate", layers(), 6 * width);
        }
        pass.quantise("quantise_o", layers(), type, width);
        pass.linear("o", layers(), type, hidden, width);
    }

    private void decodeAttention(PassBuilder pass, String name, int count, Heads heads, double window) {
        String kind = (heads.areGrouped() ? "gqa/" : "mha/")
                + deployment.precision().cache().kernelLabel();
        Priced<DecodeAttention> priced = pass.kernels().decodeAttention(kind);
        DecodeAttention kernel = priced.kernel();
        int query = pass.step().query();
        Heads asking = new Heads(heads.query() * query, heads.keyValue(), heads.size());
        pass.add(
                name,
                OperatorClass.ATTENTION,
                count,
                priced.use(),
                (tokens, _, context) ->
                        kernel.microseconds(tokens / query, Math.min(context, tokens / query * window), asking));
    }

    private void prefillAttention(PassBuilder pass, String name, int count, Heads heads, double window) {
        Priced<PrefillAttention> priced = pass.kernels().prefillAttention(deployment.prefillAttentionType());
        PrefillAttention kernel = priced.kernel();
        pass.add(
                name,
                OperatorClass.ATTENTION,
                count,
                priced.use(),
                (tokens, _, pairs) -> kernel.microseconds(tokens, Math.min(pairs, tokens * window), heads));
    }

    @Override
    public RequestBytes requestBytes() {
        Heads heads = heads();
        return RequestBytes.ofTokens(layers() * 2 * heads.keyValue() * heads.size() * cacheBytes());
    }

    private int layers() {
        return layersByWindow.values().stream().mapToInt(Integer::intValue).sum();
    }

    /// Returns the heads of a rank; key-value heads are replicated if there are fewer of them than ranks.
    private Heads heads() {
        int tp = deployment.layout().tp();
        return new Heads(
                (double) attention.queryHeads() / tp,
                Math.max(attention.keyValueHeads() / tp, 1),
                attention.headSize());
    }

    /// Returns the gate heads, projected together with the queries.
    private double gates(Heads heads) {
        return attention.gatesOutput() ? heads.query() : 0;
    }

    private double cacheBytes() {
        return deployment.precision().cache().bytes();
    }
}

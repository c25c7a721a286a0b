package io.throughputoptimizer.core.kernels;

import io.throughputoptimizer.core.kernels.calibration.Basis;
import io.throughputoptimizer.core.kernels.calibration.HeadWindow;
import io.throughputoptimizer.core.kernels.calibration.KernelUse;
import io.throughputoptimizer.core.kernels.calibration.ProductType;
import io.throughputoptimizer.core.kernels.operator.DecodeAttention;
import io.throughputoptimizer.core.kernels.operator.Heads;
import io.throughputoptimizer.core.kernels.operator.Kernels.Priced;
import io.throughputoptimizer.core.kernels.operator.Kernels.Windowed;
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
    /// Tokens of a block of the cache, which a window may begin anywhere in.
    private static final int BLOCK_TOKENS = 16;

    @Override
    public void write(PassBuilder pass) {
        Heads heads = heads();
        ProductType type = deployment.precision().scheme().attention();
        double hidden = deployment.model().hiddenSize();
        double rotated = heads.query() + heads.keyValue();
        double values = attention.valueSize();
        double width = heads.query() * values;
        pass.quantise("quantise_qkv", layers(), type, hidden);
        double valueWidth = attention.takesKeysAsValues() ? 0 : heads.keyValue() * values;
        pass.linear("qkv", layers(), type, (rotated + gates(heads)) * heads.size() + valueWidth, hidden);
        double norm = attention.headNorm() == AttentionSpec.HeadNorm.NONE ? 4 : 8;
        double cached = heads.keyValue() * (heads.size() + values) * (PassBuilder.ACTIVATION_BYTES + cacheBytes());
        pass.move("rope_cache", layers(), norm * rotated * heads.size() + cached);
        if (attention.valuesDiffer() && deployment.engine().isVllm()) {
            pass.note(new KernelUse(PassBuilder.ATTENTION, "unequal_values", Basis.SPECIAL));
        }
        layersByWindow.forEach((window, count) -> {
            String name = window == 0 ? PassBuilder.ATTENTION : "attention_window";
            boolean prefills = pass.step().prefills();
            if (deployment.pricesWindows()) {
                Window apart = new Window(window, window > 0 && countsByChunks());
                if (apart.chunked) {
                    pass.note(new KernelUse(PassBuilder.ATTENTION, "chunks", Basis.SPECIAL));
                }
                if (prefills) {
                    windowPrefill(pass, name, count, heads, apart);
                } else {
                    windowDecode(pass, name, count, heads, apart);
                }
            } else if (prefills) {
                prefillAttention(pass, name, count, heads, window == 0 ? Double.POSITIVE_INFINITY : window);
            } else {
                decodeAttention(pass, name, count, heads, window == 0 ? Double.POSITIVE_INFINITY : window);
            }
        });
        if (attention.gatesOutput()) {
            pass.move("output_gate", layers(), 6 * width);
        }
        pass.quantise("quantise_o", layers(), type, width);
        pass.linear("o", layers(), type, hidden, width);
    }

    private void decodeAttention(PassBuilder pass, String name, int count, Heads heads, double window) {
        String kind = (heads.areGrouped() ? "gqa/" : "mha/") + cacheLabel();
        Priced<DecodeAttention> priced = pass.kernels().decodeAttention(kind);
        DecodeAttention kernel = priced.kernel();
        int query = pass.step().query();
        Heads asking = asking(pass, heads);
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

    /// Tokens of a window or chunk.
    ///
    /// @param tokens `w`; 0 for all
    /// @param chunked whether tokens attend to earlier tokens of the same chunk
    record Window(int tokens, boolean chunked) {
        /// Returns the mean of the tokens that a token after `length` others attends to.
        double ofDecode(double length) {
            if (tokens == 0) {
                return length;
            }
            return chunked && length > tokens ? tokens / 2.0 : Math.min(length, tokens);
        }

        /// Returns the mean of the tokens that a prompt's tokens attend to: of `min(position, w)`.
        ///
        /// @param full mean without the window
        double ofPrefill(double full) {
            if (tokens == 0) {
                return full;
            } else if (chunked) {
                return Math.min(full, tokens / 2.0);
            }
            return 2 * full <= tokens ? full : tokens - (double) tokens * tokens / (4 * full);
        }
    }

    private void windowDecode(PassBuilder pass, String name, int count, Heads heads, Window window) {
        Windowed<DecodeAttention> priced =
                pass.kernels().windowDecode(cacheLabel(), kernelHeads(window), heads.areGrouped());
        DecodeAttention kernel = priced.kernel();
        int query = pass.step().query();
        Heads asking = asking(pass, heads);
        pass.add(name, OperatorClass.ATTENTION, count, priced.use(), (tokens, _, context) -> {
            double length = context * query / tokens;
            double seen = read(window.ofDecode(length), length, priced);
            return kernel.microseconds(tokens / query, tokens / query * seen, asking);
        });
    }

    private void windowPrefill(PassBuilder pass, String name, int count, Heads heads, Window window) {
        Windowed<PrefillAttention> priced =
                pass.kernels().windowPrefill(deployment.prefillAttentionType(), kernelHeads(window));
        PrefillAttention kernel = priced.kernel();
        pass.add(name, OperatorClass.ATTENTION, count, priced.use(), (tokens, _, pairs) -> {
            double full = pairs / tokens;
            return kernel.microseconds(tokens, tokens * read(window.ofPrefill(full), full, priced), heads);
        });
    }

    private static double read(double seen, double all, Windowed<?> priced) {
        return seen + priced.maskedShare() * (all - seen);
    }

    /// Returns the heads and window that a kernel is looked up by: a long window only shortens the context.
    private HeadWindow kernelHeads(Window window) {
        return new HeadWindow(attention.headSize(), HeadWindow.isLong(window.tokens) ? 0 : window.tokens);
    }

    /// Returns whether tokens attend within fixed chunks. SGLang treats a chunk as a window.
    private boolean countsByChunks() {
        return deployment.model().attendsInChunks() && !deployment.engine().isSglang();
    }

    private static Heads asking(PassBuilder pass, Heads heads) {
        return new Heads(heads.query() * pass.step().query(), heads.keyValue(), heads.size());
    }

    /// Returns the bytes of a request; layers with a window keep it and one block where kernels of windows apply.
    @Override
    public RequestBytes requestBytes() {
        Heads heads = heads();
        double layer = heads.keyValue() * (heads.size() + attention.valueSize()) * cacheBytes();
        int window = layersByWindow.lastKey();
        if (!deployment.pricesWindows() || window == 0) {
            return RequestBytes.ofTokens(layers() * layer);
        }
        double full = layersByWindow.getOrDefault(0, 0);
        return new RequestBytes(full * layer, 0, (layers() - full) * layer, window + BLOCK_TOKENS);
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

    private String cacheLabel() {
        return deployment.precision().cache().kernelLabel();
    }

    private double cacheBytes() {
        return deployment.precision().cache().bytes();
    }
}

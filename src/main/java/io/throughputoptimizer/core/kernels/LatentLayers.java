package io.throughputoptimizer.core.kernels;

import io.throughputoptimizer.core.kernels.calibration.ProductType;
import io.throughputoptimizer.core.kernels.operator.Kernels.Priced;
import io.throughputoptimizer.core.kernels.operator.LatentDecode;
import io.throughputoptimizer.core.kernels.operator.LatentPrefill;
import io.throughputoptimizer.core.model.AttentionSpec;

/// Layers of latent attention to all tokens.
record LatentLayers(CalibratedDeployment deployment, AttentionSpec.MultiHeadLatent attention, int layers)
        implements AttentionLayers {

    @Override
    public void write(PassBuilder pass) {
        AttentionSpec.LatentHead head = attention.head();
        ProductType type = type();
        double hidden = deployment.model().hiddenSize();
        double heads = heads();
        double entry = attention.entryWidth();
        double queryRank = attention.queryRank();
        double width = heads * head.value();
        pass.quantise("quantise_qkv", layers, type, hidden);
        boolean compresses = queryRank > 0;
        pass.linear("qkv_down", layers, type, (compresses ? queryRank : heads * head.query()) + entry, hidden);
        pass.move("latent_norm", layers, 4 * (queryRank + attention.keyValueRank()));
        if (compresses) {
            pass.quantise("quantise_q", layers, type, queryRank);
            pass.linear("q_up", layers, type, heads * head.query(), queryRank);
        }
        double cached = entry * (PassBuilder.ACTIVATION_BYTES + cacheBytes());
        pass.move("rope_cache", layers, 4 * (heads + 1) * head.rotated() + cached);
        if (pass.step().prefills()) {
            expandedAttention(pass, heads);
        } else {
            absorbedAttention(pass, heads);
        }
        if (attention.gatesOutput()) {
            pass.linear("output_gate_product", layers, type, width, hidden);
            pass.move("output_gate", layers, 6 * width);
        }
        pass.quantise("quantise_o", layers, type, width);
        pass.linear("o", layers, type, hidden, width);
    }

    /// Adds decode attention, which reads the compressed cache: the expansion is multiplied into queries and
    /// results.
    private void absorbedAttention(PassBuilder pass, double heads) {
        AttentionSpec.LatentHead head = attention.head();
        int rank = attention.keyValueRank();
        int query = pass.step().query();
        pass.linear("absorb_k", layers, ProductType.BFLOAT16, heads * rank, head.plain());
        Priced<LatentDecode> priced =
                pass.kernels().latentDecode(deployment.precision().cache().kernelLabel());
        LatentDecode kernel = priced.kernel();
        pass.add(
                PassBuilder.ATTENTION,
                OperatorClass.ATTENTION,
                layers,
                priced.use(),
                (tokens, _, context) -> kernel.microseconds(tokens / query, context, heads * query));
        pass.linear("absorb_v", layers, ProductType.BFLOAT16, heads * head.value(), rank);
    }

    /// Adds prefill attention, which expands keys and values of all heads.
    private void expandedAttention(PassBuilder pass, double heads) {
        AttentionSpec.LatentHead head = attention.head();
        pass.linear("kv_up", layers, type(), heads * (head.plain() + head.value()), attention.keyValueRank());
        pass.move("assemble_k", layers, 4 * heads * head.query());
        Priced<LatentPrefill> priced = pass.kernels()
                .latentPrefill("bf16/" + deployment.precision().cache().kernelLabel());
        LatentPrefill kernel = priced.kernel();
        pass.add(
                PassBuilder.ATTENTION,
                OperatorClass.ATTENTION,
                layers,
                priced.use(),
                (tokens, _, pairs) -> kernel.microseconds(tokens, pairs, heads));
    }

    @Override
    public RequestBytes requestBytes() {
        return RequestBytes.ofTokens(layers * attention.entryWidth() * cacheBytes());
    }

    private double heads() {
        return (double) attention.heads() / deployment.layout().tp();
    }

    private ProductType type() {
        return deployment.precision().scheme().attention();
    }

    private double cacheBytes() {
        return deployment.precision().cache().bytes();
    }
}

package io.throughputoptimizer.core.forward;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.throughputoptimizer.core.deployment.PassAccounting;
import org.junit.jupiter.api.Test;

/// Passes of MiniMax-M3 by accounting `steady`, by hand. It has 60 layers 6144 wide, of which 3 attend to all
/// tokens with 64 heads of 128 elements, and 57 to selected blocks; on 4 ranks, 16 heads.
class SteadyMiniMaxM3Test {
    private static final int FULL_LAYERS = 3;
    private static final int SPARSE_LAYERS = 57;
    private static final double HIDDEN = 6144;
    private static final double HEAD = 128;
    /// Bytes in a second, 1.6 TiB at 0.6; operations in a second at 0.7.
    private static final double BANDWIDTH = 1.6 * 1024 * 1024 * 1024 * 1024 * 0.6;

    private static final double MATRIX_RATE = 353.9e12 * 0.7;
    private static final double GENERAL_RATE = 11e12 * 0.7;
    private static final double STATIC_SECONDS = 5e-6;

    private static final String ATTENTION = "tensor_cast.attention.default";

    private final AnalyticForwardEstimator estimator = new AnalyticForwardEstimator();

    /// 4096 queries of 16 heads with 4096 tokens each; the reference takes the heads for one.
    @Test
    void fullAttentionIsThatOfAllHeads() {
        ForwardShape prompt = new ForwardShape.Uniform(1, Request.prefill(4096, 4096));

        double pairs = 4096.0 * 4096;
        double ofAHead = 4 * pairs * HEAD / MATRIX_RATE + 4 * pairs / GENERAL_RATE;
        assertThat(seconds(price(PassAccounting.STEADY, prompt), ATTENTION))
                .isCloseTo(FULL_LAYERS * (16 * ofAHead + STATIC_SECONDS), within(1e-12));
        assertThat(seconds(price(PassAccounting.DOCUMENTED, prompt), ATTENTION))
                .isCloseTo(FULL_LAYERS * (ofAHead + STATIC_SECONDS), within(1e-12));
    }

    /// The reference holds the norms of layers twice, those of heads and of the indexer too, and a vision tower
    /// of 32 blocks 1280 wide, whose products are quantized to a byte each.
    @Test
    void normsAreHeldOnceAndTheTowerNotAtAll() {
        ForwardShape step = new ForwardShape.Uniform(4, Request.decode(1, 2001));

        double norms = (FULL_LAYERS + SPARSE_LAYERS) * 2 * (2 * HIDDEN + 2 * HEAD) + SPARSE_LAYERS * 2 * (2 * HEAD);
        double products = 4 * 1280 * 1280 + 2 * 1280 * 5120;
        double biasesAndNorms = 2 * (4 * 1280 + 5120 + 1280) + 2 * (4 * 1280);
        double embedding = 2 * (3 * 2 * 14 * 14 * 1280) + 2 * (2 * 1280) + 2 * 4 * 13;
        double ofPatches = 1280 * 6144 + 6144 + 6144 * HIDDEN + HIDDEN;
        double ofTokens = 4 * HIDDEN * 6144 + 6144 + 6144 * HIDDEN + HIDDEN;
        double tower = 32 * (products + biasesAndNorms) + embedding + 2 * (ofPatches + ofTokens);
        assertThat(weights(PassAccounting.DOCUMENTED, step) - weights(PassAccounting.STEADY, step))
                .isEqualTo(norms + tower);
    }

    /// The shared expert writes 16 of the 64 tokens on each rank, in float16 where the reference says int8, and
    /// adds them to the others.
    @Test
    void theSharedExpertWritesItsOwnType() {
        ForwardShape step = new ForwardShape.Uniform(64, Request.decode(1, 2001));
        PricedPass documented = price(PassAccounting.DOCUMENTED, step);
        PricedPass steady = price(PassAccounting.STEADY, step);

        double written = SPARSE_LAYERS * 16 * HIDDEN / BANDWIDTH;
        for (String operator : new String[] {"aten.add.Tensor", "tensor_cast.static_quant_linear.default"}) {
            assertThat(seconds(steady, operator) - seconds(documented, operator))
                    .as(operator)
                    .isCloseTo(written, within(1e-12));
        }
    }

    @Test
    void nothingElseDiffers() {
        ForwardShape step = new ForwardShape.Uniform(64, Request.decode(1, 2001));
        PricedPass documented = price(PassAccounting.DOCUMENTED, step);
        PricedPass steady = price(PassAccounting.STEADY, step);

        assertThat(steady.operators()).hasSameSizeAs(documented.operators());
        for (int index = 0; index < steady.operators().size(); index++) {
            PricedPass.PricedOperator operator = steady.operators().get(index);
            if (!operator.name().equals(ATTENTION)
                    && !operator.name().equals("aten.add.Tensor")
                    && !operator.name().equals("tensor_cast.static_quant_linear.default")) {
                assertThat(operator.cost())
                        .isEqualTo(documented.operators().get(index).cost());
            }
        }
        assertThat(steady.estimate().memory().kvCacheBytes())
                .isEqualTo(documented.estimate().memory().kvCacheBytes());
    }

    private PricedPass price(PassAccounting accounting, ForwardShape shape) {
        return estimator.price(GoldenDeployments.of("MiniMaxAI/MiniMax-M3", accounting), shape);
    }

    private double weights(PassAccounting accounting, ForwardShape shape) {
        return price(accounting, shape).estimate().memory().weightBytes();
    }

    private static double seconds(PricedPass pass, String operator) {
        return pass.operators().stream()
                .filter(priced -> priced.name().equals(operator))
                .mapToDouble(priced -> priced.calls() * priced.cost().seconds())
                .sum();
    }
}

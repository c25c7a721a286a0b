package io.throughputoptimizer.core.forward;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.deployment.PassAccounting;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What is counted of DeepSeek-V4-Flash where the reference is wrong, by hand. It has 43 layers, of which 21
/// compress every 4 tokens and 20 every 128; 64 heads of 512 elements, of which 64 are rotated; 64 index heads
/// of 128 elements, 16 on each of 4 ranks; the first 3 layers choose 6 experts for each of 129,280 tokens by a
/// table. Measured on a device that moves 1.6 TiB a second at 0.6 and multiplies 353.9 TFLOPS in float16 at
/// 0.7.
class CompressedAccountingTest {
    private static final int INDEXED = 21;
    private static final double BANDWIDTH = 1.6 * 1024 * 1024 * 1024 * 1024 * 0.6;
    private static final double MATRIX_RATE = 353.9e12 * 0.7;
    private static final double GENERAL_RATE = 11e12 * 0.7;
    private static final double MATRIX_STATIC = 5e-6;
    private static final double GENERAL_STATIC = 2e-6;
    private static final String INDEXER = "tensor_cast.quant_lightning_indexer.default";
    private static final String ROTARY = "aten.index.Tensor";
    private static final String ROWS = "aten.index_select.default";
    private static final String TABLE = "tensor_cast.moe_gating_top_k_hash.default";

    private final AnalyticForwardEstimator estimator = new AnalyticForwardEstimator();

    /// 16 requests on one rank, each with a token on 100,000: 25,000 entries of 128 elements in float16 to
    /// read, and a product with 16 heads. The reference takes 128 entries and reads none, however long the
    /// context.
    @Test
    void theIndexerLooksThroughTheWholeContext() {
        double pairs = 16 * 25_000.0;
        double queries = 16 * 16 * 128;
        double selected = 8 * 16 * 512.0;
        double bytes = 2 * queries + 2 * 16 * 16 + 16 * 16 + pairs * 128 * 2 + selected + 4 * pairs;
        double matrix = 2 * 16 * 128 * pairs / MATRIX_RATE;
        double general = (queries * (7 + 6) + 3 * 16 * pairs + 2 * 16 * 512) / GENERAL_RATE;
        double seconds = Math.max(bytes / BANDWIDTH, matrix + general) + MATRIX_STATIC;

        assertThat(seconds(steady(), decode(16, 100_000), INDEXER)).isCloseTo(INDEXED * seconds, within(1e-12));
        assertThat(seconds(documented(), decode(16, 100_000), INDEXER))
                .isEqualTo(seconds(documented(), decode(16, 2_048), INDEXER));
    }

    /// Of both tables, 2^20 rows of 512 elements each to the reference, 16 rows of 64 are read.
    @Test
    void rotaryFactorsAreLookedUp() {
        double row = 64 * 2;
        double seconds = 2 * ((8 * 16 + 2 * 16 * row) / BANDWIDTH + GENERAL_STATIC);

        assertThat(seconds(steady(), decode(16, 2_000), ROWS)).isCloseTo(seconds, within(1e-15));
        assertThat(seconds(steady(), decode(16, 2_000), ROTARY)).isZero();
        assertThat(seconds(documented(), decode(16, 2_000), ROTARY)).isGreaterThan(2 * 1024 * 1048576.0 / BANDWIDTH);
    }

    /// A rank takes 4 of 16 tokens: scores of 256 experts, ids, and 6 experts a token instead of those of all
    /// 129,280.
    @Test
    void expertsOfTokensAreLookedUp() {
        double rest = 4 * 4 * 256 + 8 * 16 + 12 * 4 * 6;
        double gathered = (rest + 4 * 4 * 6) / BANDWIDTH + GENERAL_STATIC;
        double whole = (rest + 4 * 129_280 * 6) / BANDWIDTH + GENERAL_STATIC;

        assertThat(seconds(steady(), decode(16, 2_000), TABLE)).isCloseTo(3 * gathered, within(1e-15));
        assertThat(seconds(documented(), decode(16, 2_000), TABLE)).isCloseTo(3 * whole, within(1e-15));
    }

    /// Narrower tables, sinks once, and the weights of the compressors: two matrices of 4096 rows in float32,
    /// as wide as an entry, twice that where entries overlap, and those of the indexer's.
    @Test
    void weightsAreThoseThatThereAre() {
        double tables = 2 * 2 * 1_048_576.0 * (512 - 64);
        double sinks = 43 * 4 * 64;
        double compressors = 2 * 4096 * 4.0 * (INDEXED * 2 * (512 + 128) + 20 * 512);

        assertThat(weights(steady()) - weights(documented())).isEqualTo(compressors - tables - sinks);
    }

    /// Seven requests with 2 tokens each but for one with 3: 15 tokens do not divide by 7, so the reference
    /// takes them for a prompt of 15.
    @Test
    void aStepIsOneByTheTokensOfEachRequest() {
        ForwardShape step = new ForwardShape.RequestList(List.of(
                new ForwardShape.Group(6, Request.decode(2, 2_000)),
                new ForwardShape.Group(1, Request.decode(3, 2_000))));

        assertThat(joinsEntries(estimator.price(documented(), step))).isTrue();
        assertThat(joinsEntries(estimator.price(steady(), step))).isFalse();
    }

    /// A draft layer keeps a window of 128 entries of 512 elements, not of 576 beside an index for all tokens.
    @Test
    void draftsKeepTheirWindow() {
        double step = cache(withDraft()) - cache(steady());

        assertThat(step).isEqualTo(16 * 128 * 512 * 2);
    }

    private double cache(Deployment deployment) {
        long query = deployment.execution().decodeQueryLength();
        return estimator
                .estimate(deployment, new ForwardShape.Uniform(16, Request.decode(query, 2_000)))
                .memory()
                .kvCacheBytes();
    }

    private static Deployment withDraft() {
        Deployment plain = steady();
        return new Deployment(
                plain.model(),
                plain.device(),
                plain.layout(),
                plain.quantization(),
                plain.execution().withDrafts(1));
    }

    private double weights(Deployment deployment) {
        return estimator.estimate(deployment, decode(16, 2_000)).memory().weightBytes();
    }

    /// Only prompts are attended to together with the entries that they make.
    private static boolean joinsEntries(PricedPass pass) {
        return pass.operators().stream()
                .filter(operator -> operator.name().equals("aten.cat.default"))
                .flatMap(operator -> operator.inputs().stream())
                .anyMatch(entries -> entries.endsWith(", 512]:float16"));
    }

    private double seconds(Deployment deployment, ForwardShape shape, String operator) {
        return estimator.price(deployment, shape).operators().stream()
                .filter(priced -> priced.name().equals(operator))
                .mapToDouble(priced -> priced.calls() * priced.cost().seconds())
                .sum();
    }

    private static ForwardShape decode(long concurrency, long sequence) {
        return new ForwardShape.Uniform(concurrency, Request.decode(1, sequence));
    }

    private static Deployment documented() {
        return deployment(PassAccounting.DOCUMENTED);
    }

    private static Deployment steady() {
        return deployment(PassAccounting.STEADY);
    }

    private static Deployment deployment(PassAccounting accounting) {
        return GoldenDeployments.of("deepseek-ai/DeepSeek-V4-Flash", accounting);
    }
}

package io.throughputoptimizer.core.forward;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import io.throughputoptimizer.core.deployment.AttentionQuantization;
import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.deployment.Execution;
import io.throughputoptimizer.core.deployment.LinearQuantization;
import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.deployment.ParallelLayout.ExpertLayout;
import io.throughputoptimizer.core.deployment.PassAccounting;
import io.throughputoptimizer.core.deployment.QuantizationScheme;
import io.throughputoptimizer.core.model.AttentionSpec.GroupedQuery;
import io.throughputoptimizer.core.model.FeedForwardSpec;
import io.throughputoptimizer.core.model.LayerGroup;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.operator.Quantities;
import io.throughputoptimizer.core.operator.Quantity;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Attention within chunks of tokens (Llama 4): against counting pair by pair, against passes worked out by hand, and
/// against full attention where a chunk holds all.
class ChunkedAttentionTest {
    private static final ModelArchitecture SCOUT = TestDeployments.model("meta-llama/Llama-4-Scout-17B-16E-Instruct");
    private static final double BANDWIDTH = 1.6 * 1024 * 1024 * 1024 * 1024 * 0.6;
    private static final double MATRIX_RATE = 353.9e12 * 0.7;
    private static final double GENERAL_RATE = 11e12 * 0.7;
    private static final double MATRIX_STATIC = 5e-6;

    private final AnalyticForwardEstimator estimator = new AnalyticForwardEstimator();

    /// Each new token sees what there is of its run; the first new one says from where on the cache is read.
    @Test
    void countsWhatIsSeenTokenByToken() {
        Random random = new Random(20_261_126);
        for (int trial = 0; trial < 300; trial++) {
            int chunk = 1 + random.nextInt(40);
            long sequence = 1L + random.nextInt(200);
            long query = 1L + random.nextInt((int) sequence);
            long pairs = 0;
            for (long token = sequence - query; token < sequence; token++) {
                long start = token / chunk * chunk;
                pairs += Math.min(start + chunk, sequence) - start;
            }
            long read = sequence - (sequence - query) / chunk * chunk;

            Quantities quantities = new Quantities();
            new RecentLoad(chunk, true, 0).read(batch(query, sequence), quantities);
            assertThat(quantities.get(Quantity.RECENT_PRODUCT)).isEqualTo(3 * pairs);
            assertThat(quantities.get(Quantity.RECENT_TOKENS)).isEqualTo(3 * read);
        }
    }

    /// 16 requests with a token each: behind 10,000 tokens 36 layers see 1,808 of them, the second chunk of 8,192 so
    /// far, and 12 all; behind 8,192 all see all. A prompt of 10,000 in one chunk of 8,192 and one of 1,808.
    @ParameterizedTest
    @CsvSource({
        "16, 1, 10000, 28928, 28928, 160000",
        "16, 1, 8192, 131072, 131072, 131072",
        "1, 10000, 10000, 70377728, 10000, 100000000"
    })
    void aPassWorkedOutByHand(
            long requests, long query, long sequence, double pairsInChunks, double readInChunks, double pairsOfAll) {
        double tokens = requests * query;
        double others = 2 * (2 * tokens * 40 * 128)
                + 8 * (requests * Math.ceil(sequence / 128.0) + (requests + 1) + 2 * requests);
        double expected = 36 * seconds(others, readInChunks, pairsInChunks)
                + 12 * seconds(others, requests * sequence, pairsOfAll);

        double attention = estimator
                .price(deployment(SCOUT), new ForwardShape.Uniform(requests, new Request(query, sequence, query == 1)))
                .operators()
                .stream()
                .filter(priced -> priced.name().equals("tensor_cast.attention.default"))
                .mapToDouble(priced -> priced.calls() * priced.cost().seconds())
                .sum();
        assertThat(attention).isCloseTo(expected, offset(1e-12));
    }

    /// Keys and values of 8 heads of 128 in float16 for each token that is read.
    private static double seconds(double otherBytes, double read, double pairs) {
        double bytes = otherBytes + read * 2 * 8 * 128 * 2;
        double work = 4 * pairs * 40 * 128 / MATRIX_RATE + 4 * pairs * 40 / GENERAL_RATE;
        return Math.max(bytes / BANDWIDTH, work) + MATRIX_STATIC;
    }

    /// A request keeps a chunk and the token to come, however far it is in its chunk: 16 times 8,193 in 1,025 blocks,
    /// and 16 times 10,001 in 1,251 in the layers that see all, of 4,096 bytes a token.
    @Test
    void theCacheKeepsAChunk() {
        assertThat(estimator
                        .estimate(deployment(SCOUT), new ForwardShape.Uniform(16, Request.decode(1, 10_000)))
                        .memory()
                        .kvCacheBytes())
                .isEqualTo((36.0 * 1025 + 12 * 1251) * 128 * 4096);
    }

    @Test
    void aChunkThatHoldsAllIsNone() {
        Deployment full = deployment(everywhere(heads -> heads.within(0)));
        Deployment chunked = deployment(everywhere(heads -> heads.chunked(200_000)));

        for (ForwardShape shape : List.of(
                new ForwardShape.Uniform(3, Request.prefill(4_000, 4_000)),
                new ForwardShape.Uniform(2, Request.prefill(700, 5_000)),
                new ForwardShape.Uniform(40, Request.decode(1, 150_000)))) {
            ForwardEstimate expected = estimator.estimate(full, shape);
            ForwardEstimate estimate = estimator.estimate(chunked, shape);
            assertThat(estimate.latencyMillis()).isEqualTo(expected.latencyMillis());
            assertThat(estimate.breakdown()).isEqualTo(expected.breakdown());
            assertThat(estimate.memory().kvCacheBytes())
                    .isEqualTo(expected.memory().kvCacheBytes());
            assertThat(estimate.memory().activationBytes())
                    .isEqualTo(expected.memory().activationBytes());
        }
    }

    /// Three of four layers are chunked; experts are in all (Scout) or in every other one (Maverick).
    @Test
    void layersAreThoseOfThePublishedModels() {
        assertThat(SCOUT.groups().stream().map(LayerGroup::count).distinct()).containsExactly(3, 1);
        ModelArchitecture maverick = TestDeployments.model("meta-llama/Llama-4-Maverick-17B-128E-Instruct");
        assertThat(maverick.groups()).hasSize(48);
        assertThat(maverick.groups().stream()
                        .filter(group -> group.feedForward() instanceof FeedForwardSpec.RoutedExperts))
                .hasSize(24);
        assertThat(deployment(SCOUT, PassAccounting.DOCUMENTED)
                        .obstacle()
                        .orElseThrow()
                        .reason())
                .contains("sliding window attention of llama4 is not modelled");
    }

    private static ModelArchitecture everywhere(UnaryOperator<GroupedQuery> change) {
        return SCOUT.withLayers(SCOUT.groups().stream()
                .map(group -> new LayerGroup(
                        group.count(), change.apply((GroupedQuery) group.attention()), group.feedForward()))
                .toList());
    }

    private static RankBatch batch(long query, long sequence) {
        return RankBatch.of(new ForwardShape.Uniform(3, new Request(query, sequence, query == 1)), deployment(SCOUT));
    }

    private static Deployment deployment(ModelArchitecture model) {
        return deployment(model, PassAccounting.STEADY);
    }

    private static Deployment deployment(ModelArchitecture model, PassAccounting accounting) {
        return new Deployment(
                model,
                TestDeployments.device("TEST_DEVICE"),
                new ParallelLayout(1, 1, 1, new ExpertLayout(1, 1, 1)),
                new QuantizationScheme(LinearQuantization.W8A8_DYNAMIC, AttentionQuantization.DISABLED, 32),
                new Execution(true, 0, 0, accounting, false, false));
    }
}

package io.throughputoptimizer.core.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.throughputoptimizer.core.model.AttentionSpec.GroupedQuery;
import io.throughputoptimizer.core.model.AttentionSpec.HeadNorm;
import io.throughputoptimizer.fixture.Architectures;
import org.junit.jupiter.api.Test;

class ModelArchitectureTest {
    private static final int HIDDEN = 64;
    private static final int INTERMEDIATE = 256;
    private static final int LAYERS = 3;
    private static final int VOCABULARY = 1000;
    private static final int QUERY_HEADS = 8;
    private static final int KEY_VALUE_HEADS = 2;
    private static final int HEAD = 16;
    private static final int PROJECTED = (QUERY_HEADS + 2 * KEY_VALUE_HEADS) * HEAD;
    private static final int PLAIN_LAYER =
            HIDDEN * PROJECTED + QUERY_HEADS * HEAD * HIDDEN + 3 * HIDDEN * INTERMEDIATE + 2 * HIDDEN;
    private static final int OUTSIDE_LAYERS = 2 * VOCABULARY * HIDDEN + HIDDEN;

    @Test
    void parametersAreThoseOfEveryLayerTheEmbeddingTheOutputHeadAndTheLastNorm() {
        assertThat(model(attention(HeadNorm.NONE, false, false)).parameterCount())
                .isEqualTo(LAYERS * PLAIN_LAYER + OUTSIDE_LAYERS);
    }

    @Test
    void headNormsAddAWeightForQueriesAndOneForKeys() {
        assertThat(model(attention(HeadNorm.PER_HEAD, false, false)).parameterCount())
                .isEqualTo(LAYERS * (PLAIN_LAYER + 2 * HEAD) + OUTSIDE_LAYERS);
    }

    @Test
    void biasesAddTheWidthOfTheirProjections() {
        assertThat(model(attention(HeadNorm.NONE, true, true)).parameterCount())
                .isEqualTo(LAYERS * (PLAIN_LAYER + PROJECTED + HIDDEN) + OUTSIDE_LAYERS);
    }

    @Test
    void theLargestModelHasACountableNumberOfParameters() {
        int heads = 1000;
        ModelArchitecture largest = Architectures.of(
                "zoo/Whale",
                "llama",
                ModelArchitecture.MAX_LAYERS,
                ModelArchitecture.MAX_HIDDEN_SIZE,
                ModelArchitecture.MAX_VOCABULARY_SIZE,
                ModelArchitecture.MAX_POSITIONS,
                1e-6,
                new GroupedQuery(
                        heads, heads, ModelArchitecture.MAX_INNER_WIDTH / heads, HeadNorm.PER_HEAD, true, true),
                new FeedForwardSpec.Dense(ModelArchitecture.MAX_INNER_WIDTH));

        double width = ModelArchitecture.MAX_INNER_WIDTH;
        double hidden = ModelArchitecture.MAX_HIDDEN_SIZE;
        double matrices = ModelArchitecture.MAX_LAYERS * (4 + 3) * width * hidden;
        assertThat((double) largest.parameterCount()).isBetween(matrices, matrices * 1.01);
    }

    @Test
    void sizesOutOfRangeAreRefusedByName() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new FeedForwardSpec.Dense(0))
                .withMessage("intermediate size is 0: a whole number from 1 to 10000000 is needed");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new GroupedQuery(10_000, 10_000, 10_000, HeadNorm.NONE, false, false))
                .withMessage("head size is 10000: a whole number from 1 to 1000 is needed");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new GroupedQuery(8, 3, 16, HeadNorm.NONE, false, false))
                .withMessageContaining("8 is not a multiple of key-value heads 3");
    }

    private static GroupedQuery attention(HeadNorm norm, boolean inputBias, boolean outputBias) {
        return new GroupedQuery(QUERY_HEADS, KEY_VALUE_HEADS, HEAD, norm, inputBias, outputBias);
    }

    private static ModelArchitecture model(AttentionSpec attention) {
        return Architectures.of(
                "zoo/Zebra",
                "llama",
                LAYERS,
                HIDDEN,
                VOCABULARY,
                128,
                1e-6,
                attention,
                new FeedForwardSpec.Dense(INTERMEDIATE));
    }
}

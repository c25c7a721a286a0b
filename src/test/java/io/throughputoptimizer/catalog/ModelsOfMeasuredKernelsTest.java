package io.throughputoptimizer.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.core.deployment.AttentionQuantization;
import io.throughputoptimizer.core.deployment.Execution;
import io.throughputoptimizer.core.deployment.LinearQuantization;
import io.throughputoptimizer.core.deployment.Obstacle.Part;
import io.throughputoptimizer.core.deployment.PassAccounting;
import io.throughputoptimizer.core.deployment.QuantizationScheme;
import io.throughputoptimizer.core.model.AttentionSpec;
import io.throughputoptimizer.core.model.AttentionSpec.GatedDelta;
import io.throughputoptimizer.core.model.AttentionSpec.Indexer;
import io.throughputoptimizer.core.model.AttentionSpec.LatentHead;
import io.throughputoptimizer.core.model.AttentionSpec.MultiHeadLatent;
import io.throughputoptimizer.core.model.BlockResiduals;
import io.throughputoptimizer.core.model.FeedForwardSpec.RoutedExperts;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.fixture.BuiltIn;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Built-in models that only measured kernels price.
class ModelsOfMeasuredKernelsTest {
    private static final Catalogs CATALOGS = BuiltIn.CATALOGS;

    @Test
    void kimiK3TakesTurnsInDeltaAndGatedLatentAttention() {
        ModelArchitecture model = model("moonshotai/Kimi-K3");
        AttentionSpec delta = new GatedDelta(96, 96, 128, 4, false, true);

        assertThat(model.attentions())
                .containsExactly(delta, new MultiHeadLatent(96, 1536, 512, new LatentHead(128, 64, 128), null, true));
        assertThat(model.layersOf(delta)).isEqualTo(69);
        assertThat(model.layers()).isEqualTo(93);
        assertThat(model.groups().getFirst().count()).isEqualTo(1);
        RoutedExperts experts = model.experts().orElseThrow();
        assertThat(experts.routing().experts()).isEqualTo(896);
        assertThat(experts.latentWidth()).isEqualTo(3584);
        assertThat(experts.sharedWidth()).isEqualTo(2 * 3072);
        assertThat(model.connections()).isEqualTo(new BlockResiduals(12));
        assertThat(model.predictsDrafts()).isFalse();
    }

    @Test
    void mostLayersOfGlm52TakeTheSelectionOfOneBefore() {
        ModelArchitecture model = model("zai-org/GLM-5.2");
        Indexer indexer = new Indexer(32, 128, 2048, false);
        LatentHead head = new LatentHead(192, 64, 256);

        assertThat(model.layersOf(new MultiHeadLatent(64, 2048, 512, head, indexer)))
                .isEqualTo(21);
        assertThat(model.layersOf(new MultiHeadLatent(64, 2048, 512, head, indexer.reusing())))
                .isEqualTo(57);
        assertThat(model.drafts())
                .extracting(drafts -> drafts.attention())
                .isEqualTo(new MultiHeadLatent(64, 2048, 512, head, indexer));
    }

    @ParameterizedTest
    @CsvSource(
            "moonshotai/Kimi-K3, is moonshotai/Kimi-K3: attention to residuals of kimi_k3 is not modelled by cost model analytic")
    void theRooflineRefusesThemByName(String id, String reason) {
        var obstacles = new Execution(true, 0, 0, PassAccounting.DOCUMENTED, false, false)
                .obstacles(
                        model(id),
                        new QuantizationScheme(LinearQuantization.DISABLED, AttentionQuantization.DISABLED, 32));

        assertThat(obstacles.getFirst().part()).isEqualTo(Part.MODEL);
        assertThat(obstacles.getFirst().reason()).isEqualTo(reason);
    }

    private static ModelArchitecture model(String id) {
        return CATALOGS.models().find(id).orElseThrow();
    }
}

package io.throughputoptimizer.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.core.model.AttentionSpec.GatedDelta;
import io.throughputoptimizer.core.model.AttentionSpec.GroupedQuery;
import io.throughputoptimizer.core.model.AttentionSpec.HeadNorm;
import io.throughputoptimizer.core.model.DraftLayers;
import io.throughputoptimizer.core.model.FeedForwardSpec;
import io.throughputoptimizer.core.model.FeedForwardSpec.RoutedExperts;
import io.throughputoptimizer.core.model.FeedForwardSpec.Routing;
import io.throughputoptimizer.core.model.GatedActivation;
import io.throughputoptimizer.core.model.LayerGroup;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.ModelCatalog;
import io.throughputoptimizer.core.model.NormStyle;
import io.throughputoptimizer.core.model.Router;
import io.throughputoptimizer.fixture.BuiltIn;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Qwen3.5, 3.6 and Qwen3-Next of the catalogue against the configurations published with them.
class HybridModelsTest {
    private static final ModelCatalog MODELS = BuiltIn.CATALOGS.models();
    private static final List<Integer> SECTIONS = List.of(11, 11, 10);

    @ParameterizedTest
    @ValueSource(strings = {"Qwen3.5-27B", "Qwen3.6-27B"})
    void threeOfFourDenseLayersAreLinear(String name) {
        FeedForwardSpec feedForward = new FeedForwardSpec.Dense(17408);
        ModelArchitecture model = model(name);

        assertThat(model.layers()).isEqualTo(64);
        assertThat(model.norms()).isEqualTo(NormStyle.SHIFTED);
        assertThat(model.groups().subList(0, 2))
                .containsExactly(
                        new LayerGroup(3, new GatedDelta(16, 48, 128, 4, false, false), feedForward),
                        new LayerGroup(1, gated(24, 4, SECTIONS), feedForward));
        assertThat(model.drafts()).isEqualTo(DraftLayers.like(model.groups().getLast()));
    }

    @Test
    void routedOnesHaveAGatedSharedExpert() {
        RoutedExperts experts =
                new RoutedExperts(new Routing(512, 10, new Router.Softmax()), 1024, 1024, true, GatedActivation.SILU);

        assertThat(model("Qwen3.5-397B-A17B").groups().subList(0, 2))
                .containsExactly(
                        new LayerGroup(3, new GatedDelta(16, 64, 128, 4, false, false), experts),
                        new LayerGroup(1, gated(32, 2, SECTIONS), experts));
    }

    @Test
    void qwen3NextIsAlikeWithPositionsAlongOneAxis() {
        RoutedExperts experts =
                new RoutedExperts(new Routing(512, 10, new Router.Softmax()), 512, 512, true, GatedActivation.SILU);
        ModelArchitecture model = model("Qwen3-Next-80B-A3B-Instruct");

        assertThat(model.groups().subList(0, 2))
                .containsExactly(
                        new LayerGroup(3, new GatedDelta(16, 32, 128, 4, true, false), experts),
                        new LayerGroup(1, gated(16, 2, List.of()), experts));
        assertThat(model.predictsDrafts()).isFalse();
    }

    /// Totals by the shapes of the published tensors, without the vision tower and the layer that predicts drafts.
    @ParameterizedTest
    @CsvSource({
        "Qwen3.5-27B, 26895998464",
        "Qwen3.6-27B, 26895998464",
        "Qwen3.5-35B-A3B, 34660610688",
        "Qwen3.6-35B-A3B, 34660610688",
        "Qwen3.5-122B-A10B, 122111526912",
        "Qwen3.5-397B-A17B, 396346350336",
        "Qwen3-Next-80B-A3B-Instruct, 79674391296"
    })
    void parametersAreAsManyAsThePublishedWeights(String name, long parameters) {
        assertThat(model(name).parameterCount()).isEqualTo(parameters);
    }

    private static GroupedQuery gated(int heads, int keyValueHeads, List<Integer> sections) {
        return new GroupedQuery(heads, keyValueHeads, 256, HeadNorm.PER_HEAD, false, false)
                .rotating(64)
                .gated(sections);
    }

    private static ModelArchitecture model(String name) {
        return MODELS.find("Qwen/" + name).orElseThrow();
    }
}

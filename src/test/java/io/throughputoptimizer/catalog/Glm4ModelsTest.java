package io.throughputoptimizer.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.core.model.AttentionSpec.GroupedQuery;
import io.throughputoptimizer.core.model.AttentionSpec.HeadNorm;
import io.throughputoptimizer.core.model.FeedForwardSpec;
import io.throughputoptimizer.core.model.FeedForwardSpec.RoutedExperts;
import io.throughputoptimizer.core.model.FeedForwardSpec.Routing;
import io.throughputoptimizer.core.model.LayerGroup;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.ModelCatalog;
import io.throughputoptimizer.core.model.Router;
import io.throughputoptimizer.fixture.BuiltIn;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// GLM-4.5 to 4.7 of the catalogue against the configurations published with them.
class Glm4ModelsTest {
    private static final ModelCatalog MODELS = BuiltIn.CATALOGS.models();
    private static final Router ROUTER =
            new Router.RawLogits(4, new Router.GroupLimited(1, 1, Router.GroupLimited.SINGLE));

    @ParameterizedTest
    @CsvSource({"GLM-4.5, 131072", "GLM-4.6, 202752", "GLM-4.7, 202752"})
    void theLargeOnesDifferInTheirContextAlone(String name, int maxPositions) {
        GroupedQuery attention = new GroupedQuery(96, 8, 128, HeadNorm.PER_HEAD, true, false).rotating(64);
        ModelArchitecture model = model(name);

        assertThat(model.maxPositions()).isEqualTo(maxPositions);
        assertThat(model.predictsDrafts()).isTrue();
        assertThat(model.groups())
                .containsExactly(
                        new LayerGroup(3, attention, new FeedForwardSpec.Dense(12288)),
                        new LayerGroup(89, attention, new RoutedExperts(new Routing(160, 8, ROUTER), 1536, 1536)));
    }

    @Test
    void airHasNoNormsOfHeads() {
        GroupedQuery attention = new GroupedQuery(96, 8, 128, HeadNorm.NONE, true, false).rotating(64);

        assertThat(model("GLM-4.5-Air").groups())
                .containsExactly(
                        new LayerGroup(1, attention, new FeedForwardSpec.Dense(10944)),
                        new LayerGroup(45, attention, new RoutedExperts(new Routing(128, 8, ROUTER), 1408, 1408)));
    }

    /// Totals of the published weights without the layer that predicts drafts.
    @ParameterizedTest
    @CsvSource({"GLM-4.5, 352797829024", "GLM-4.6, 352797829024", "GLM-4.7, 352797829024", "GLM-4.5-Air, 106852251264"})
    void parametersAreAsManyAsThePublishedWeights(String name, long parameters) {
        assertThat(model(name).parameterCount()).isEqualTo(parameters);
    }

    private static ModelArchitecture model(String name) {
        return MODELS.find("zai-org/" + name).orElseThrow();
    }
}

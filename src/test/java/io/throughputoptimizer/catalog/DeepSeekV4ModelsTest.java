package io.throughputoptimizer.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.core.model.AttentionSpec.Indexer;
import io.throughputoptimizer.core.model.CompressedSpec;
import io.throughputoptimizer.core.model.CompressedSpec.Compression;
import io.throughputoptimizer.core.model.DraftLayers;
import io.throughputoptimizer.core.model.FeedForwardSpec.RoutedExperts;
import io.throughputoptimizer.core.model.FeedForwardSpec.Routing;
import io.throughputoptimizer.core.model.GatedActivation;
import io.throughputoptimizer.core.model.HyperConnections;
import io.throughputoptimizer.core.model.LayerGroup;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.ModelCatalog;
import io.throughputoptimizer.core.model.Router;
import io.throughputoptimizer.fixture.BuiltIn;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// DeepSeek-V4 of the catalogue against the configurations published with it.
class DeepSeekV4ModelsTest {
    private static final ModelCatalog MODELS = BuiltIn.CATALOGS.models();

    @Test
    void flashBeginsWithTwoLayersThatSeeTheWindowAlone() {
        ModelArchitecture model = model("Flash");
        RoutedExperts hashed = flashExperts(true);
        RoutedExperts scored = flashExperts(false);

        assertThat(model.groups().subList(0, 5))
                .containsExactly(
                        new LayerGroup(2, flash(Compression.NONE), hashed),
                        new LayerGroup(1, flash(Compression.FINE), hashed),
                        new LayerGroup(1, flash(Compression.COARSE), scored),
                        new LayerGroup(1, flash(Compression.FINE), scored),
                        new LayerGroup(1, flash(Compression.COARSE), scored));
        assertThat(model.drafts()).isEqualTo(DraftLayers.like(new LayerGroup(1, flash(Compression.NONE), scored)));
        assertThat(model.connections()).isEqualTo(new HyperConnections(4, 20));
        assertThat(layers(model, Compression.FINE)).isEqualTo(21);
        assertThat(layers(model, Compression.COARSE)).isEqualTo(20);
    }

    @Test
    void everyLayerOfProCompresses() {
        ModelArchitecture model = model("Pro");

        assertThat(layers(model, Compression.NONE)).isZero();
        assertThat(layers(model, Compression.FINE)).isEqualTo(30);
        assertThat(layers(model, Compression.COARSE)).isEqualTo(31);
        assertThat(model.compressed().orElseThrow().indexer()).isEqualTo(new Indexer(64, 128, 1024, false));
        assertThat(model.experts().orElseThrow().routing().experts()).isEqualTo(384);
    }

    /// Published are 284 and 1600 thousand million parameters, without the layer that predicts drafts.
    @ParameterizedTest
    @CsvSource({"Flash, 284332240471", "Pro, 1572997201763"})
    void parametersAreAsManyAsPublished(String name, long parameters) {
        assertThat(model(name).parameterCount()).isEqualTo(parameters);
    }

    private static CompressedSpec flash(Compression compression) {
        return new CompressedSpec(
                64,
                512,
                64,
                1024,
                new CompressedSpec.Output(8, 1024),
                128,
                compression,
                new Indexer(64, 128, 512, false));
    }

    private static RoutedExperts flashExperts(boolean hashed) {
        return new RoutedExperts(
                new Routing(256, 6, new Router.SquareRoot(hashed)),
                2048,
                2048,
                false,
                GatedActivation.SILU,
                GatedActivation.CLAMPED_SILU);
    }

    private static int layers(ModelArchitecture model, Compression compression) {
        return model.groups().stream()
                .filter(group -> ((CompressedSpec) group.attention()).compression() == compression)
                .flatMapToInt(group -> IntStream.of(group.count()))
                .sum();
    }

    private static ModelArchitecture model(String name) {
        return MODELS.find("deepseek-ai/DeepSeek-V4-" + name).orElseThrow();
    }
}

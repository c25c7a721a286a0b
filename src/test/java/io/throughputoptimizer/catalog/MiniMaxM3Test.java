package io.throughputoptimizer.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.core.model.AttentionSpec.BlockIndexer;
import io.throughputoptimizer.core.model.AttentionSpec.BlockSparse;
import io.throughputoptimizer.core.model.DraftLayers;
import io.throughputoptimizer.core.model.FeedForwardSpec;
import io.throughputoptimizer.core.model.FeedForwardSpec.RoutedExperts;
import io.throughputoptimizer.core.model.FeedForwardSpec.Routing;
import io.throughputoptimizer.core.model.GatedActivation;
import io.throughputoptimizer.core.model.LayerGroup;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.Router;
import io.throughputoptimizer.fixture.BuiltIn;
import org.junit.jupiter.api.Test;

/// MiniMax-M3 of the catalogue against the configuration published with it.
class MiniMaxM3Test {
    private static final ModelArchitecture MODEL =
            BuiltIn.CATALOGS.models().find("MiniMaxAI/MiniMax-M3").orElseThrow();

    @Test
    void threeLayersAttendToAllTokensAndTheOthersToSixteenBlocks() {
        assertThat(MODEL.groups())
                .containsExactly(
                        new LayerGroup(
                                3,
                                new BlockSparse(64, 4, 128, 64, null),
                                new FeedForwardSpec.Dense(12288, GatedActivation.CLAMPED)),
                        new LayerGroup(
                                57,
                                new BlockSparse(64, 4, 128, 64, new BlockIndexer(4, 128, 128, 16)),
                                new RoutedExperts(
                                        new Routing(128, 4, new Router.FusedSigmoid()),
                                        3072,
                                        3072,
                                        false,
                                        GatedActivation.CLAMPED)));
        assertThat(MODEL.drafts()).isEqualTo(DraftLayers.like(MODEL.groups().getLast()));
    }

    /// The total of the decoder by the shapes of its tensors. Published are 428 billion, with the vision tower
    /// and what predicts drafts.
    @Test
    void parametersAreThoseOfTheDecoder() {
        assertThat(MODEL.parameterCount()).isEqualTo(426_174_572_928L).isBetween(424_000_000_000L, 428_000_000_000L);
    }
}

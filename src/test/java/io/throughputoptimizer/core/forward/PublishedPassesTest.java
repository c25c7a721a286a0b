package io.throughputoptimizer.core.forward;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.forward.GoldenFigures.GoldenPass;
import io.throughputoptimizer.core.load.Distribution;
import io.throughputoptimizer.core.model.DraftLayers;
import io.throughputoptimizer.core.model.ModelArchitecture;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/// All that is published of passes on Ascend devices, against cost model `analytic`: the table of
/// `docs/explanation/validation.md`.
class PublishedPassesTest {
    private static final AnalyticForwardEstimator ESTIMATOR = new AnalyticForwardEstimator();
    private static final List<JsonNode> CASES = GoldenFigures.cases("published-passes.json");

    static List<JsonNode> cases() {
        return CASES;
    }

    @ParameterizedTest
    @MethodSource("cases")
    void theFigureOfTheTableIsThatOfTheModel(JsonNode published) {
        assertThat(analytic(published)).isCloseTo(published.get("analytic_ms").doubleValue(), within(6e-4));
    }

    @Test
    void theErrorsAreAsStated() {
        double[] errors = CASES.stream()
                .mapToDouble(one ->
                        100 * Math.abs(analytic(one) / one.get("published_ms").doubleValue() - 1))
                .toArray();

        assertThat(errors).hasSize(18);
        assertThat(Distribution.of(errors).p50()).isCloseTo(8.8, within(0.05));
        assertThat(Distribution.of(errors).percentile(100)).isCloseTo(20.8, within(0.05));
    }

    private static double analytic(JsonNode published) {
        GoldenPass pass = new GoldenPass(published);
        return ESTIMATOR
                .price(withDrafts(GoldenDeployments.of(pass.setup())), pass.shape())
                .estimate()
                .latencyMillis();
    }

    /// The reference gives any model draft layers that is asked for some.
    private static Deployment withDrafts(Deployment deployment) {
        ModelArchitecture model = deployment.model();
        return deployment.execution().mtpTokens() == 0 || model.predictsDrafts()
                ? deployment
                : new Deployment(
                        new ModelArchitecture(
                                model.id(),
                                model.family(),
                                model.groups(),
                                model.hiddenSize(),
                                model.vocabularySize(),
                                model.maxPositions(),
                                model.contextTokens(),
                                model.rmsNormEpsilon(),
                                model.norms(),
                                model.tiesEmbeddings(),
                                DraftLayers.like(model.groups().getLast()),
                                model.vision(),
                                model.idleTower(),
                                model.stored(),
                                model.connections(),
                                model.computedRotations(),
                                model.document()),
                        deployment.device(),
                        deployment.layout(),
                        deployment.quantization(),
                        deployment.execution());
    }
}

package io.throughputoptimizer.api.result.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.api.request.CostModelName;
import io.throughputoptimizer.api.result.catalog.ModelResponse.PricingResponse;
import io.throughputoptimizer.api.result.catalog.ModelResponse.PricingResponse.Outcome;
import io.throughputoptimizer.catalog.Catalogs;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.config.HuggingFaceConfig;
import io.throughputoptimizer.core.model.config.ModelConfigException;
import io.throughputoptimizer.core.model.stored.StoredModel;
import io.throughputoptimizer.fixture.BuiltIn;
import io.throughputoptimizer.fixture.PublishedFiles;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ModelPricingTest {
    private static final Catalogs CATALOGS = BuiltIn.CATALOGS;
    private static final ModelPricing PRICING = new ModelPricing(
            CATALOGS.calibrations().values(), CATALOGS.engines().values());

    static List<ModelArchitecture> models() {
        return CATALOGS.models().all();
    }

    /// Requests read the same obstacles.
    @ParameterizedTest
    @MethodSource("models")
    void agreesWithSupportOfRequests(ModelArchitecture model) {
        ModelResponse response = ModelResponse.from(model, PRICING);

        assertThat(response.pricing())
                .filteredOn(pricing -> pricing.outcome() != Outcome.REFUSED)
                .extracting(PricingResponse::costModel)
                .containsExactlyElementsOf(response.supported().costModels());
        assertThat(response.pricing())
                .allSatisfy(
                        pricing -> assertThat(pricing.reason() != null).isEqualTo(pricing.outcome() == Outcome.REFUSED))
                .allSatisfy(
                        pricing -> assertThat(pricing.flags() != null).isEqualTo(pricing.outcome() == Outcome.FLAGGED));
    }

    /// The configurations that AIConfigurator has at its revision 095f58a.
    @Test
    void countsSupportedPublishedFiles() {
        assertThat(PublishedFiles.all().entrySet().stream()
                        .collect(Collectors.groupingBy(
                                file -> costModels(file.getKey(), file.getValue()), Collectors.counting())))
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        List.of(CostModelName.ANALYTIC, CostModelName.CALIBRATED), 71L,
                        List.of(CostModelName.CALIBRATED), 3L,
                        List.of(), 12L));
    }

    private static List<CostModelName> costModels(String id, Map<String, @Nullable Object> config) {
        try {
            return PRICING.of(StoredModel.of(id, new HuggingFaceConfig(config))).stream()
                    .filter(pricing -> pricing.outcome() != Outcome.REFUSED)
                    .map(PricingResponse::costModel)
                    .toList();
        } catch (ModelConfigException _) {
            return List.of();
        }
    }
}

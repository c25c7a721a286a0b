package io.throughputoptimizer.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.fixture.BuiltIn;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Sizes of the built-in models with sliding windows against those that are published.
class WindowedModelsTest {
    private static final Catalogs CATALOGS = BuiltIn.CATALOGS;

    /// In millions, without embeddings (table 1 of the report on Gemma 3).
    @ParameterizedTest
    @CsvSource({
        "google/gemma-3-1b-it, 698",
        "google/gemma-3-4b-it, 3209",
        "google/gemma-3-12b-it, 10759",
        "google/gemma-3-27b-it, 25600"
    })
    void parametersWithoutEmbeddingsAreThosePublished(String id, double millions) {
        ModelArchitecture model = model(id);
        long embeddings = 2L * model.vocabularySize() * model.hiddenSize();

        assertThat((model.parameterCount() - embeddings) / 1e6).isCloseTo(millions, within(0.5));
    }

    /// In thousand millions: those of the model cards of Gemma 4, whose head is the embedding again, without the tower.
    @ParameterizedTest
    @CsvSource({"google/gemma-4-26B-A4B-it, 25.2", "google/gemma-4-31B-it, 30.7"})
    void parametersOfGemma4AreThosePublished(String id, double billions) {
        ModelArchitecture model = model(id);
        long again = (long) model.vocabularySize() * model.hiddenSize();

        assertThat((model.parameterCount() - again) / 1e9).isCloseTo(billions, within(0.05));
    }

    /// In thousand millions: those published, without the tower.
    @ParameterizedTest
    @CsvSource({
        "meta-llama/Llama-4-Scout-17B-16E-Instruct, 107.77",
        "meta-llama/Llama-4-Maverick-17B-128E-Instruct, 400.7"
    })
    void parametersOfLlama4AreThosePublished(String id, double billions) {
        assertThat(model(id).parameterCount() / 1e9).isCloseTo(billions, within(0.05));
    }

    private static ModelArchitecture model(String id) {
        return CATALOGS.models().find(id).orElseThrow();
    }
}

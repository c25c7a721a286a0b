package io.throughputoptimizer.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.fixture.BuiltIn;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Sizes of the built-in models without a profile of the reference against those that are published.
class PlainModelsTest {
    private static final Catalogs CATALOGS = BuiltIn.CATALOGS;

    /// Totals of the published weights; an output head that shares its tensor with the embedding counts once.
    @ParameterizedTest
    @CsvSource({
        "google/gemma-2-9b-it, 9241705984",
        "mistralai/Mistral-7B-Instruct-v0.3, 7248023552",
        "mistralai/Ministral-8B-Instruct-2410, 8019808256",
        "ByteDance-Seed/Seed-OSS-36B-Instruct, 36151104512",
        "LGAI-EXAONE/EXAONE-4.0-32B, 32003216384",
        "zai-org/GLM-4-9B-0414, 9400279040",
        "microsoft/phi-4, 14659507200",
        "baidu/ERNIE-4.5-0.3B-PT, 360748032",
        "allenai/Olmo-3-7B-Instruct, 7298011136",
        "baidu/ERNIE-4.5-21B-A3B-PT, 21825437888",
        "inclusionAI/Ling-mini-2.0, 16255643392",
        "microsoft/Phi-3-mini-4k-instruct, 3821079552"
    })
    void parametersAreThosePublished(String id, long parameters) {
        ModelArchitecture model = CATALOGS.models().find(id).orElseThrow();
        long shared = model.tiesEmbeddings() ? (long) model.vocabularySize() * model.hiddenSize() : 0;

        assertThat(model.parameterCount() - shared).isEqualTo(parameters);
    }
}

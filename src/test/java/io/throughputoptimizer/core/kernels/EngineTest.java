package io.throughputoptimizer.core.kernels;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.fixture.Silicon;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What engines count differently in models with experts, and where they do not.
class EngineTest {
    private static final Engine VLLM = Silicon.engine("vllm");

    @ParameterizedTest
    @CsvSource({
        "trtllm, 46.2, 1.445",
        "vllm, 22.1, 1.656",
        "sglang, 146.4, 2.024",
    })
    void modelsWithExpertsHaveScalarsOfTheirOwn(String backend, double frontend, double others) {
        Engine serving = Silicon.engine(backend).serving(Silicon.model("Qwen/Qwen3-235B-A22B"));

        assertThat(serving.frontendMillis()).isEqualTo(frontend);
        assertThat(serving.factors()).isEqualTo(new Engine.PassFactors(0.834, 1.159, others));
    }

    @Test
    void denseModelsAndInstancesApartKeepTheirs() {
        Engine dense = VLLM.serving(Silicon.model("Qwen/Qwen3-32B"));

        assertThat(dense).isEqualTo(VLLM.apart());
        assertThat(dense.frontendMillis()).isEqualTo(35);
        assertThat(dense.factors()).isEqualTo(new Engine.PassFactors(0.87, 1.5, 1));
        assertThat(VLLM.apart().serving(Silicon.model("openai/gpt-oss-120b"))).isEqualTo(dense);
    }

    /// No server of their kinds was fitted.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Qwen/Qwen3.5-397B-A17B",
                "Qwen/Qwen3-Next-80B-A3B-Instruct",
                "deepseek-ai/DeepSeek-V3.2",
                "deepseek-ai/DeepSeek-V4-Pro",
                "zai-org/GLM-5",
                "MiniMaxAI/MiniMax-M3"
            })
    void newerKindsOfAttentionKeepTheUsualOnes(String id) {
        ModelArchitecture model = Silicon.model(id);

        assertThat(model.experts()).isPresent();
        assertThat(model.takesFittedScalars()).isFalse();
        assertThat(VLLM.serving(model)).isEqualTo(VLLM.apart());
    }

    @Test
    void anEngineThatWasNotFittedKeepsTheUsualOnes() {
        Engine ascend = Silicon.engine(Engine.VLLM_ASCEND);

        assertThat(ascend.serving(Silicon.model("Qwen/Qwen3-235B-A22B"))).isEqualTo(ascend);
    }

    @Test
    void whereInstancesOfBothKindsAreAskedForTheFrontEndIsOpen() {
        assertThat(VLLM.servingEither(Silicon.model("openai/gpt-oss-120b")).frontendMillis())
                .isNull();
        assertThat(VLLM.servingEither(Silicon.model("Qwen/Qwen3-32B")).frontendMillis())
                .isEqualTo(35);
    }

    @Test
    void aFrontEndThatIsGivenHoldsForEveryModel() {
        Engine given = VLLM.withFrontend(7);

        assertThat(given.serving(Silicon.model("openai/gpt-oss-120b")).frontendMillis())
                .isEqualTo(7);
        assertThat(given.serving(Silicon.model("openai/gpt-oss-120b")).factors())
                .isEqualTo(requireNonNull(VLLM.withExperts()).factors());
        assertThat(given.apart().frontendMillis()).isEqualTo(7);
    }

    @Test
    void aDeploymentTakesTheEngineAsItServesItsModel() {
        CalibratedDeployment together =
                Silicon.deployment("openai/gpt-oss-120b", "h200_sxm", "vllm", Scheme.MXFP4_EXPERTS, 2, 1, 2);
        CalibratedDeployment apart = new CalibratedDeployment(
                together.model(), together.calibration(), together.layout(), VLLM.apart(), together.precision());

        assertThat(together.engine()).isEqualTo(VLLM.serving(together.model()));
        assertThat(apart.engine()).isEqualTo(VLLM.apart());
    }
}

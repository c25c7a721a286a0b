package io.throughputoptimizer.core.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.throughputoptimizer.core.kernels.CalibratedDeployment;
import io.throughputoptimizer.core.kernels.CalibratedMemory;
import io.throughputoptimizer.core.kernels.Scheme;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.fixture.Silicon;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Memory of hybrids, whose recurrent and convolution layers count as linear layers.
class HybridMemoryTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "nvidia/NVIDIA-Nemotron-3-Nano-30B-A3B-BF16",
                "nvidia/NVIDIA-Nemotron-3-Super-120B-A12B-FP8",
                "nvidia/NVIDIA-Nemotron-3-Ultra-550B-A55B-BF16",
                "nvidia/Nemotron-H-56B-Base-8K",
                "nvidia/Llama-3_3-Nemotron-Super-49B-v1",
                "moonshotai/Kimi-Linear-48B-A3B-Instruct",
                "LiquidAI/LFM2-2.6B",
                "LiquidAI/LFM2-8B-A1B",
                "mistralai/Mixtral-8x7B-Instruct-v0.1",
                "mistralai/Mixtral-8x22B-v0.1"
            })
    void weightsInSixteenBitsTakeTwoBytesAParameter(String id) {
        CalibratedDeployment deployment = Silicon.deployment(id, "h200_sxm", "vllm", Scheme.BF16, 1, 1, 1);
        ModelArchitecture model = deployment.model();

        RankMemory memory = CalibratedMemory.of(deployment, deployment.engine().memorySettings());

        double shared = model.tiesEmbeddings() ? (double) model.vocabularySize() * model.hiddenSize() : 0;
        double absorbed = memory.weights().getOrDefault(WeightGroup.ABSORBED, 0.0)
                + memory.weights().getOrDefault(WeightGroup.ROPE, 0.0);
        assertThat(memory.weightsGib() * RankMemory.GIB - absorbed)
                .isCloseTo(2 * (model.parameterCount() - shared), withinPercentage(0.5));
    }

    @ParameterizedTest
    @ValueSource(strings = {"nvidia/NVIDIA-Nemotron-3-Nano-30B-A3B-BF16", "LiquidAI/LFM2-8B-A1B"})
    void aRequestTakesAStateInEachLayerWithout(String id) {
        CalibratedDeployment deployment = Silicon.deployment(id, "h200_sxm", "vllm", Scheme.BF16, 1, 1, 1);
        RankMemory memory = CalibratedMemory.of(deployment, deployment.engine().memorySettings());
        double exact = CalibratedMemory.requestBytes(deployment).of(2000);

        assertThat(memory.cache().heldBytes(2000)).isGreaterThan(exact);
        assertThat(memory.doubts()).contains(RankMemory.Doubt.UNMEASURED);
    }
}

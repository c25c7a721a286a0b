package io.throughputoptimizer.core.kernels;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.core.kernels.Flag.Load;
import io.throughputoptimizer.fixture.Silicon;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FlagTest {
    private static final Load ORDINARY = new Load(64, 64, 1000, 64, 4000, 10);

    @Test
    void aMeasuredDeviceInAnOrdinaryLayoutHasNone() {
        assertThat(flags(Silicon.deployment("Qwen/Qwen3-32B", "h100_sxm", "vllm", Scheme.FP8, 4, 1, 1), false))
                .isEmpty();
        assertThat(Flag.of(ORDINARY)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"a100_sxm, false, true", "gb200, false, true", "gb200, true, false", "b300_sxm, false, false"})
    void aDeviceWithoutServingRowsIsFlagged(String device, boolean disaggregated, boolean flagged) {
        CalibratedDeployment deployment = Silicon.deployment("Qwen/Qwen3-32B", device, "trtllm", Scheme.BF16, 4, 1, 1);

        assertThat(flags(deployment, disaggregated).contains(Flag.DEVICE)).isEqualTo(flagged);
    }

    @Test
    void kernelsOfAnotherBackendAreFlagged() {
        // The only measured decode of latent attention on A100 is TensorRT-LLM's.
        CalibratedDeployment deployment =
                Silicon.deployment("deepseek-ai/DeepSeek-V3", "a100_sxm", "vllm", Scheme.BF16, 8, 1, 1);

        assertThat(flags(deployment, false)).contains(Flag.FAMILY);
    }

    @Test
    void attentionDataParallelismBesideTensorParallelismIsFlagged() {
        CalibratedDeployment mixed =
                Silicon.deployment("deepseek-ai/DeepSeek-R1", "b200_sxm", "trtllm", Scheme.NVFP4_EXPERTS, 2, 4, 8);

        assertThat(flags(mixed, false)).containsExactly(Flag.LAYOUT);
    }

    @Test
    void collectivesBetweenNodesAreFlagged() {
        CalibratedDeployment wide =
                Silicon.deployment("deepseek-ai/DeepSeek-R1", "h200_sxm", "sglang", Scheme.FP8_BLOCK, 1, 16, 16);

        assertThat(flags(wide, false)).containsExactly(Flag.EXTRAPOLATED);
    }

    @Test
    void ascendAndKernelsWithoutAMeasurementAreUncalibrated() {
        assertThat(flags(
                        Silicon.deployment("Qwen/Qwen3-32B", "ascend_910b", "vllm-ascend", Scheme.W8A8, 4, 1, 1),
                        false))
                .contains(Flag.UNCALIBRATED);
        assertThat(flags(
                        Silicon.deployment("openai/gpt-oss-120b", "a100_sxm", "vllm", Scheme.MXFP4_EXPERTS, 4, 1, 1),
                        false))
                .contains(Flag.UNCALIBRATED);
    }

    @Test
    void attentionThatNoServerOfTheEngineRanIsFlagged() {
        assertThat(newer("Qwen/Qwen3.5-397B-A17B", "b200_sxm", "sglang", Scheme.FP8_BLOCK))
                .isEmpty();
        assertThat(newer("Qwen/Qwen3.5-397B-A17B", "b200_sxm", "vllm", Scheme.FP8_BLOCK))
                .containsExactly(Flag.FAMILY);
        assertThat(newer("zai-org/GLM-5", "h200_sxm", "sglang", Scheme.FP8_BLOCK))
                .containsExactly(Flag.DEVICE);
        assertThat(newer("MiniMaxAI/MiniMax-M3", "b200_sxm", "sglang", Scheme.FP8_BLOCK))
                .containsExactly(Flag.FAMILY);
    }

    @Test
    void attentionByTheSharesOfAnotherGenerationIsUncalibrated() {
        assertThat(newer("Qwen/Qwen3.5-27B", "a100_sxm", "sglang", Scheme.BF16)).contains(Flag.UNCALIBRATED);
        assertThat(newer("zai-org/GLM-5", "l40s", "sglang", Scheme.FP8_BLOCK)).contains(Flag.UNCALIBRATED);
    }

    private static Set<Flag> newer(String model, String device, String backend, Scheme scheme) {
        return flags(Silicon.deployment(model, device, backend, scheme, 8, 1, 8), false);
    }

    @Test
    void aLoadThatTheCacheBindsOrNearlyDoesIsFlagged() {
        assertThat(Flag.of(new Load(64, 64, 91, 64, 4000, 10))).containsExactly(Flag.CAPACITY);
        assertThat(Flag.of(new Load(64, 64, 92, 64, 4000, 10))).isEmpty();
        assertThat(Flag.of(new Load(64, 32, 1000, 64, 4000, 10))).containsExactly(Flag.CAPACITY);
    }

    @Test
    void longInputsManyRequestsAndFewWavesAreFlagged() {
        assertThat(Flag.of(new Load(64, 64, 1000, 64, 16_385, 10))).containsExactly(Flag.EXTRAPOLATED);
        assertThat(Flag.of(new Load(64, 64, 1000, 513, 4000, 10))).containsExactly(Flag.EXTRAPOLATED);
        assertThat(Flag.of(new Load(64, 64, 1000, 64, 4000, 2.9))).containsExactly(Flag.ONE_WAVE);
    }

    @Test
    void bandsFollowTheKindOfModelAndTheSizeOfDecodeInstances() {
        assertThat(BandBasis.tpot(Silicon.model("Qwen/Qwen3-32B"))).isEqualTo(BandBasis.TPOT_DENSE);
        assertThat(BandBasis.tpot(Silicon.model("Qwen/Qwen3.5-27B"))).isEqualTo(BandBasis.TPOT_MOE);
        assertThat(BandBasis.ttft(Silicon.model("Qwen/Qwen3.5-27B"))).isEqualTo(BandBasis.TTFT_MOE_OTHER);
        assertThat(List.of(
                        "openai/gpt-oss-120b",
                        "deepseek-ai/DeepSeek-R1",
                        "moonshotai/Kimi-K2-Instruct",
                        "moonshotai/Kimi-K2.5",
                        "MiniMaxAI/MiniMax-M2"))
                .allSatisfy(id -> assertThat(BandBasis.ttft(Silicon.model(id))).isEqualTo(BandBasis.TTFT_MOE));
        assertThat(List.of("Qwen/Qwen3-235B-A22B", "zai-org/GLM-4.5"))
                .allSatisfy(id -> assertThat(BandBasis.ttft(Silicon.model(id))).isEqualTo(BandBasis.TTFT_MOE_OTHER));
        assertThat(BandBasis.disaggregatedTpot(Silicon.deployment(
                        "deepseek-ai/DeepSeek-R1", "h200_sxm", "sglang", Scheme.FP8_BLOCK, 1, 16, 16)))
                .isEqualTo(BandBasis.TPOT_DISAGGREGATED_NODES);
        assertThat(BandBasis.disaggregatedTpot(Silicon.deployment(
                        "deepseek-ai/DeepSeek-R1", "gb200", "sglang", Scheme.NVFP4_EXPERTS, 1, 32, 32)))
                .isEqualTo(BandBasis.TPOT_DISAGGREGATED_ONE_NODE);
    }

    private static Set<Flag> flags(CalibratedDeployment deployment, boolean disaggregated) {
        return Flag.of(deployment, CalibratedPass.of(deployment).unexpectedBases(), disaggregated);
    }

    @ParameterizedTest
    @CsvSource({
        "nvidia/NVIDIA-Nemotron-3-Nano-30B-A3B-BF16, b200_sxm, 63, below 64 requests in flight",
        "nvidia/NVIDIA-Nemotron-3-Nano-30B-A3B-BF16, b200_sxm, 64, ''",
        "nvidia/NVIDIA-Nemotron-3-Nano-30B-A3B-BF16, a100_sxm, 512, not measured on A100",
        "moonshotai/Kimi-Linear-48B-A3B-Instruct, b200_sxm, 1, ''",
        "Qwen/Qwen3-32B, a100_sxm, 1, ''"
    })
    void whereServersOfMambaDifferedTheErrorIsStated(String model, String device, double requests, String error) {
        CalibratedDeployment deployment = Silicon.deployment(model, device, "vllm", Scheme.BF16, 1, 1, 1);

        assertThat(Flag.untrusted(deployment, requests).map(text -> text.contains(error) && !error.isEmpty()))
                .isEqualTo(error.isEmpty() ? Optional.empty() : Optional.of(true));
    }
}

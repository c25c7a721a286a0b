package io.throughputoptimizer.core.kernels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.throughputoptimizer.core.deployment.Obstacle;
import io.throughputoptimizer.core.deployment.Obstacle.Part;
import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.fixture.Silicon;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class CalibratedDeploymentTest {

    static Stream<Arguments> refused() {
        return Stream.of(
                refused(
                        Silicon.deployment("Qwen/Qwen3-32B", "a100_sxm", "vllm", Scheme.FP8, 4, 1, 1),
                        Part.LINEAR_QUANTIZATION,
                        "a100_sxm does not multiply in FP8, which scheme FP8 needs"),
                refused(
                        Silicon.deployment("Qwen/Qwen3-32B", "h100_sxm", "vllm", Scheme.NVFP4, 4, 1, 1),
                        Part.LINEAR_QUANTIZATION,
                        "h100_sxm does not multiply in FP4, which scheme NVFP4 needs"),
                refused(
                        Silicon.deployment("Qwen/Qwen3-32B", "h100_sxm", "vllm", Scheme.W8A8, 4, 1, 1),
                        Part.LINEAR_QUANTIZATION,
                        "scheme W8A8 is for Ascend devices, not for h100_sxm"),
                refused(
                        Silicon.deployment("Qwen/Qwen3-32B", "h100_sxm", "vllm-ascend", Scheme.BF16, 4, 1, 1),
                        Part.BACKEND,
                        "vllm-ascend serves Ascend devices only, not h100_sxm"),
                refused(
                        Silicon.deployment("Qwen/Qwen3-32B", "ascend_910b", "vllm", Scheme.BF16, 4, 1, 1),
                        Part.BACKEND,
                        "ascend_910b is served by vllm-ascend only"),
                refused(
                        Silicon.deployment("deepseek-ai/DeepSeek-V4-Pro", "h200_sxm", "vllm", Scheme.BF16, 8, 1, 8),
                        Part.CACHE_QUANTIZATION,
                        "the cache of deepseek_v4 is in fp8 only"),
                refused(
                        Silicon.deployment("zai-org/GLM-5", "ascend_910b", "vllm-ascend", Scheme.W8A8, 8, 1, 8),
                        Part.LINEAR_QUANTIZATION,
                        "attention of glm_moe_dsa was never measured with scheme W8A8"),
                refused(
                        Silicon.deployment("Qwen/Qwen3.5-27B", "h200_sxm", "vllm", Scheme.FP8_BLOCK, 32, 1, 1),
                        Part.TENSOR_PARALLEL,
                        "16 key heads of linear attention do not divide over tp 32"),
                refused(
                        Silicon.deployment("Qwen/Qwen3-32B", "h100_sxm", "vllm", Scheme.FP8, 3, 1, 1),
                        Part.TENSOR_PARALLEL,
                        "64 query heads do not divide over tp 3"),
                refused(
                        Silicon.deployment("Qwen/Qwen3-30B-A3B", "h100_sxm", "vllm", Scheme.FP8, 1, 6, 6),
                        Part.EXPERT_PARALLEL,
                        "128 experts do not divide over ep 6"));
    }

    private static Arguments refused(CalibratedDeployment deployment, Part part, String reason) {
        return Arguments.of(deployment, part, reason);
    }

    @ParameterizedTest(name = "{1}: {2}")
    @MethodSource("refused")
    void whatCannotBePricedIsRefusedByNameWithItsCause(CalibratedDeployment deployment, Part part, String reason) {
        assertThat(deployment.obstacle()).contains(new Obstacle(part, reason));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CalibratedPass.of(deployment))
                .withMessage(reason);
    }

    @Test
    void aCacheInFp8IsRefusedOnAscend() {
        assertThat(withCache("ascend_910b", "vllm-ascend").obstacle())
                .contains(new Obstacle(Part.CACHE_QUANTIZATION, "a cache in fp8 is not for Ascend devices: bf16 is"));
    }

    @Test
    void attentionInFp8NeedsARateForIt() {
        assertThat(withCache("a100_sxm", "trtllm").obstacle())
                .contains(new Obstacle(
                        Part.CACHE_QUANTIZATION,
                        "trtllm attends in FP8 on a cache in fp8, which a100_sxm does not multiply in: bf16 does"));
        assertThat(withCache("a100_sxm", "vllm").obstacle()).isEmpty();
    }

    @Test
    void aLayoutWithoutExpertsIsRefusedForAModelThatHasThem() {
        CalibratedDeployment routed =
                Silicon.deployment("Qwen/Qwen3-30B-A3B", "h100_sxm", "vllm", Scheme.BF16, 2, 1, 1);

        assertThat(new CalibratedDeployment(
                                routed.model(),
                                routed.calibration(),
                                ParallelLayout.dense(2, 1),
                                routed.engine(),
                                routed.precision())
                        .obstacle())
                .map(Obstacle::part)
                .contains(Part.EXPERT_PARALLEL);
    }

    @Test
    void aSchemeNeedsRatesOnlyForWhatTheModelHas() {
        assertThat(Silicon.deployment("openai/gpt-oss-120b", "a100_sxm", "vllm", Scheme.MXFP4_EXPERTS, 2, 1, 1)
                        .obstacle())
                .isEmpty();
    }

    private static CalibratedDeployment withCache(String device, String backend) {
        ModelArchitecture model = Silicon.model("Qwen/Qwen3-32B");
        return new CalibratedDeployment(
                model,
                Silicon.calibration(device),
                CalibratedDeployment.layout(model, 4, 1, 1),
                Silicon.engine(backend),
                new Precision(Scheme.BF16, CacheType.FP8, StateType.FLOAT32, false));
    }
}

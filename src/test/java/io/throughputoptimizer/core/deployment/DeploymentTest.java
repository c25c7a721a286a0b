package io.throughputoptimizer.core.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.catalog.Catalogs;
import io.throughputoptimizer.core.deployment.Obstacle.Part;
import io.throughputoptimizer.core.deployment.ParallelLayout.ExpertLayout;
import io.throughputoptimizer.fixture.BuiltIn;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What a model cannot be run as, with the reason.
class DeploymentTest {
    private static final Catalogs CATALOGS = BuiltIn.CATALOGS;
    private static final ParallelLayout EIGHT = layout(8, 1, new ExpertLayout(8, 1, 1));

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Qwen/Qwen3-32B",
                "Qwen/Qwen3-30B-A3B",
                "MiniMaxAI/MiniMax-M2",
                "deepseek-ai/DeepSeek-V3.1",
                "deepseek-ai/DeepSeek-V3.2",
                "moonshotai/Kimi-K2-Instruct",
                "zai-org/GLM-5"
            })
    void everyFamilyRunsCompiledOnEightDevices(String model) {
        assertThat(obstacle(model, EIGHT, compiled(0))).isEmpty();
    }

    @Test
    void headsMustDivideOverTheTensorParallelGroup() {
        assertThat(obstacle("deepseek-ai/DeepSeek-V3", layout(3, 1, new ExpertLayout(3, 1, 1)), compiled(0)))
                .contains(new Obstacle(Part.TENSOR_PARALLEL, "128 heads do not divide over tp 3"));
        assertThat(obstacle("MiniMaxAI/MiniMax-M2", layout(5, 1, new ExpertLayout(5, 1, 1)), compiled(0)))
                .contains(new Obstacle(Part.TENSOR_PARALLEL, "48 query heads do not divide over tp 5"));
        assertThat(obstacle("MiniMaxAI/MiniMax-M2", layout(12, 1, new ExpertLayout(12, 1, 1)), compiled(0)))
                .contains(new Obstacle(
                        Part.TENSOR_PARALLEL, "8 key-value heads neither divide over tp 12 nor replicate in it"));
    }

    @Test
    void everyRankMustOwnAnExpert() {
        assertThat(obstacle("Qwen/Qwen3-30B-A3B", layout(1, 256, new ExpertLayout(256, 1, 1)), compiled(0)))
                .contains(new Obstacle(Part.EXPERT_PARALLEL, "128 experts do not spread over ep 256"));
        assertThat(obstacle("Qwen/Qwen3-30B-A3B", layout(1, 128, new ExpertLayout(128, 1, 1)), compiled(0)))
                .isEmpty();
    }

    @Test
    void anExpertCannotBeSplitIntoMorePartsThanItIsWide() {
        assertThat(obstacle("Qwen/Qwen3-30B-A3B", layout(1, 1024, new ExpertLayout(1, 1024, 1)), compiled(0)))
                .contains(new Obstacle(Part.EXPERT_PARALLEL, "experts 768 wide do not split over moe_tp 1024"));
    }

    @Test
    void aModelWithExpertsNeedsALayoutForThem() {
        assertThat(obstacle("Qwen/Qwen3-30B-A3B", ParallelLayout.dense(8, 1), compiled(0)))
                .contains(new Obstacle(
                        Part.EXPERT_PARALLEL,
                        "the layout does not say how to split the experts of Qwen/Qwen3-30B-A3B"));
    }

    @Test
    void slidingWindowsAreModelledAsTheyAreRunOnly() {
        assertThat(obstacle("openai/gpt-oss-120b", EIGHT, compiled(0)))
                .contains(new Obstacle(
                        Part.MODEL,
                        "is openai/gpt-oss-120b: sliding window attention of gpt_oss is not modelled by cost model"
                                + " analytic with accounting documented; with steady it is"));
        assertThat(obstacle(
                        "openai/gpt-oss-120b", EIGHT, new Execution(true, 0, 0, PassAccounting.STEADY, false, false)))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Qwen/Qwen3-32B",
                "Qwen/Qwen3-30B-A3B",
                "MiniMaxAI/MiniMax-M2",
                "deepseek-ai/DeepSeek-V3.2",
                "moonshotai/Kimi-K2-Instruct"
            })
    void modelsWithoutMultiTokenPredictionRejectIt(String model) {
        assertThat(obstacle(model, EIGHT, compiled(1)))
                .contains(new Obstacle(Part.DRAFT_TOKENS, "is 1: model " + model + " has no multi-token prediction"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"deepseek-ai/DeepSeek-V3", "deepseek-ai/DeepSeek-R1", "zai-org/GLM-5.1"})
    void modelsWithMultiTokenPredictionTakeUpToNineTokens(String model) {
        assertThat(obstacle(model, EIGHT, compiled(9))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "MiniMaxAI/MiniMax-M2, minimax_m2",
        "deepseek-ai/DeepSeek-V3, deepseek_v3",
        "deepseek-ai/DeepSeek-V3.2, deepseek_v32",
        "moonshotai/Kimi-K2-Instruct, kimi_k2"
    })
    void eagerPassesThatWereNeverMeasuredAreRefused(String model, String family) {
        assertThat(obstacle(model, EIGHT, eager()))
                .contains(new Obstacle(
                        Part.COMPILATION, "must be true for " + family + ": uncompiled graphs are not supported"));
    }

    @Test
    void selectionsRunEagerWithDraftsAndWithout() {
        for (String model : List.of("zai-org/GLM-5", "zai-org/GLM-5.2")) {
            assertThat(obstacle(model, EIGHT, eager())).isEmpty();
            assertThat(obstacle(model, EIGHT, new Execution(false, 1, 0, PassAccounting.DOCUMENTED, false, false)))
                    .isEmpty();
        }
    }

    @Test
    void qwen3RunsEagerExceptWithExpertsSplitUnlikeTheRest() {
        assertThat(obstacle("Qwen/Qwen3-30B-A3B", EIGHT, eager())).isEmpty();
        assertThat(obstacle("Qwen/Qwen3-30B-A3B", layout(4, 2, new ExpertLayout(4, 2, 1)), eager()))
                .contains(new Obstacle(Part.COMPILATION, "moe_tp 2 with tp 4 requires compile: true"));
        assertThat(obstacle("Qwen/Qwen3-30B-A3B", layout(4, 2, new ExpertLayout(4, 2, 1)), compiled(0)))
                .isEmpty();
    }

    @Test
    void normsAcrossHeadsInSingleOperatorsAreSplitByAccountingCorrectedAlone() {
        String model = "allenai/Olmo-3-7B-Instruct";
        ParallelLayout split = ParallelLayout.dense(2, 1);

        assertThat(obstacle(model, split, compiled(0)))
                .contains(new Obstacle(
                        Part.TENSOR_PARALLEL,
                        "norms across the heads of olmo3 fail in the reference with tp 2; with accounting steady each"
                                + " rank normalizes its own"));
        assertThat(obstacle(model, split, new Execution(true, 0, 0, PassAccounting.STEADY, false, false)))
                .isEmpty();
        assertThat(obstacle(model, ParallelLayout.dense(1, 2), eager())).isEmpty();
    }

    /// What a selection costs to read was fitted on one request, and on a cache that is not quantized.
    @Test
    void selectionsOfSeveralRequestsAreExtrapolated() {
        QuantizationScheme plain =
                new QuantizationScheme(LinearQuantization.W8A8_DYNAMIC, AttentionQuantization.DISABLED, 32);
        QuantizationScheme cache =
                new QuantizationScheme(LinearQuantization.W8A8_DYNAMIC, AttentionQuantization.INT8, 32);

        assertThat(deployment("zai-org/GLM-5.2", EIGHT, plain, compiled(0)).extrapolatedSelection(2))
                .isPresent();
        assertThat(deployment("zai-org/GLM-5.2", EIGHT, plain, compiled(0)).extrapolatedSelection(1))
                .isEmpty();
        assertThat(deployment("zai-org/GLM-5.2", EIGHT, cache, compiled(0)).extrapolatedSelection(2))
                .isEmpty();
        assertThat(deployment("deepseek-ai/DeepSeek-V3", EIGHT, plain, compiled(0))
                        .extrapolatedSelection(2))
                .isEmpty();
    }

    @Test
    void latentAttentionOnAQuantizedCacheNeedsQuantizedLinears() {
        QuantizationScheme cacheOnly =
                new QuantizationScheme(LinearQuantization.DISABLED, AttentionQuantization.INT8, 32);

        assertThat(deployment("deepseek-ai/DeepSeek-V3", EIGHT, cacheOnly, compiled(0))
                        .obstacle())
                .contains(new Obstacle(
                        Part.CACHE_QUANTIZATION, "is INT8: latent attention needs quantized linears for it"));
        assertThat(deployment("Qwen/Qwen3-30B-A3B", EIGHT, cacheOnly, compiled(0))
                        .obstacle())
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "W4A8_DYNAMIC, DISABLED, LINEAR_QUANTIZATION, is W4A8_DYNAMIC: 4-bit weights of minimax_m3_vl were never measured",
        "MXFP4, DISABLED, LINEAR_QUANTIZATION, is MXFP4: 4-bit weights of minimax_m3_vl were never measured",
        "FP8, INT8, CACHE_QUANTIZATION, is INT8: a quantized cache of minimax_m3_vl was never measured"
    })
    void attentionToSelectedBlocksIsKnownWithWideTypesOnly(
            LinearQuantization linear, AttentionQuantization attention, Part part, String reason) {
        QuantizationScheme scheme = new QuantizationScheme(linear, attention, 32);

        assertThat(deployment("MiniMaxAI/MiniMax-M3", EIGHT, scheme, eager()).obstacle())
                .contains(new Obstacle(part, reason));
        assertThat(obstacle("MiniMaxAI/MiniMax-M3", EIGHT, eager())).isEmpty();
    }

    @Test
    void ranksThatShareSequencesDivideTheTensorParallelGroup() {
        assertThat(obstacle("deepseek-ai/DeepSeek-V3.1", EIGHT.withDcp(8), compiled(0)))
                .isEmpty();
        assertThat(obstacle("deepseek-ai/DeepSeek-V3.1", EIGHT.withDcp(3), compiled(0)))
                .contains(new Obstacle(Part.DECODE_CONTEXT_PARALLEL, "dcp 3 does not divide tp 8"));
    }

    @Test
    void eachGroupOfRanksThatShareSequencesNeedsAKeyValueHead() {
        assertThat(obstacle("Qwen/Qwen3-30B-A3B", EIGHT.withDcp(2), compiled(0)))
                .isEmpty();
        ParallelLayout sixteen = layout(16, 1, new ExpertLayout(16, 1, 1));
        assertThat(obstacle("Qwen/Qwen3-30B-A3B", sixteen.withDcp(2), compiled(0)))
                .contains(new Obstacle(
                        Part.DECODE_CONTEXT_PARALLEL,
                        "4 key-value heads are fewer than the 8 groups of dcp 2 that tp 16 has"));
        assertThat(obstacle("Qwen/Qwen3-30B-A3B", sixteen.withDcp(4), compiled(0)))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"MiniMaxAI/MiniMax-M2, minimax_m2", "MiniMaxAI/MiniMax-M3, minimax_m3_vl"})
    void decodeContextParallelismOfWhatWasNeverMeasuredIsRefused(String model, String family) {
        assertThat(obstacle(model, EIGHT.withDcp(2), compiled(0)))
                .contains(new Obstacle(Part.DECODE_CONTEXT_PARALLEL, "dcp 2 is not supported for " + family));
    }

    @ParameterizedTest
    @CsvSource({
        "deepseek-ai/DeepSeek-V3.1, 8, 4, 4",
        "deepseek-ai/DeepSeek-V3.2, 8, 4, 1",
        "Qwen/Qwen3-32B, 8, 4, 1",
        "Qwen/Qwen3-32B, 16, 4, 2",
        "Qwen/Qwen3-30B-A3B, 16, 2, 2",
        "Qwen/Qwen3.5-27B, 8, 4, 2",
        "Qwen/Qwen3-30B-A3B, 16, 1, 1"
    })
    void sharedSequencesLeaveRoomForMoreTokens(String model, int tp, int dcp, int factor) {
        ParallelLayout layout = layout(tp, 1, new ExpertLayout(tp, 1, 1)).withDcp(dcp);
        QuantizationScheme plain =
                new QuantizationScheme(LinearQuantization.W8A8_DYNAMIC, AttentionQuantization.DISABLED, 32);

        assertThat(deployment(model, layout, plain, compiled(0)).cacheCapacityFactor())
                .isEqualTo(factor);
    }

    private static Optional<Obstacle> obstacle(String model, ParallelLayout layout, Execution execution) {
        QuantizationScheme plain =
                new QuantizationScheme(LinearQuantization.W8A8_DYNAMIC, AttentionQuantization.DISABLED, 32);
        return deployment(model, layout, plain, execution).obstacle();
    }

    private static Deployment deployment(
            String model, ParallelLayout layout, QuantizationScheme quantization, Execution execution) {
        return new Deployment(
                CATALOGS.models().find(model).orElseThrow(),
                CATALOGS.devices().find("TEST_DEVICE").orElseThrow(),
                layout,
                quantization,
                execution);
    }

    private static ParallelLayout layout(int tp, int dp, ExpertLayout experts) {
        return new ParallelLayout(tp, 1, dp, experts);
    }

    private static Execution compiled(int mtpTokens) {
        return new Execution(true, mtpTokens, 0, PassAccounting.DOCUMENTED, false, false);
    }

    private static Execution eager() {
        return new Execution(false, 0, 0, PassAccounting.DOCUMENTED, false, false);
    }
}

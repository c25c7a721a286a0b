package io.throughputoptimizer.core.kernels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.throughputoptimizer.core.kernels.calibration.Calibration;
import io.throughputoptimizer.fixture.Silicon;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Laws of passes on random deployments of all models, devices, engines and schemes.
class CalibratedPassLawsTest {
    private static final int STEPS = 12;
    private static final List<String> MODELS = List.of(
            "Qwen/Qwen3-0.6B",
            "Qwen/Qwen3-32B",
            "meta-llama/Meta-Llama-3.1-70B",
            "Qwen/Qwen3-235B-A22B",
            "MiniMaxAI/MiniMax-M2",
            "deepseek-ai/DeepSeek-R1",
            "moonshotai/Kimi-K2-Instruct",
            "openai/gpt-oss-120b");
    private static final List<String> NEWER = List.of(
            "Qwen/Qwen3.5-27B",
            "Qwen/Qwen3.5-397B-A17B",
            "Qwen/Qwen3-Next-80B-A3B-Instruct",
            "deepseek-ai/DeepSeek-V3.2",
            "zai-org/GLM-5",
            "zai-org/GLM-5.2",
            "deepseek-ai/DeepSeek-V4-Flash",
            "deepseek-ai/DeepSeek-V4-Pro",
            "MiniMaxAI/MiniMax-M3",
            "moonshotai/Kimi-K3");
    private static final List<CalibratedDeployment> DEPLOYMENTS = Stream.concat(
                    deployments(MODELS, 400).stream(), deployments(NEWER, 200).stream())
            .toList();

    private static List<CalibratedDeployment> deployments(List<String> models, int number) {
        SplittableRandom random = new SplittableRandom(13);
        return Stream.generate(() -> random(models, random))
                .filter(deployment -> deployment.obstacle().isEmpty())
                .limit(number)
                .toList();
    }

    private static CalibratedDeployment random(List<String> models, SplittableRandom random) {
        Calibration calibration = any(random, Silicon.calibrations());
        List<String> backends =
                calibration.isAscend() ? List.of(Engine.VLLM_ASCEND) : List.of("trtllm", "vllm", "sglang");
        int tp = 1 << random.nextInt(4);
        int dp = 1 << random.nextInt(4);
        int ep = 1 << random.nextInt(1 + Integer.numberOfTrailingZeros(tp * dp));
        var model = Silicon.model(any(random, models));
        return new CalibratedDeployment(
                model,
                calibration,
                CalibratedDeployment.layout(model, tp, dp, ep),
                Silicon.engine(any(random, backends)),
                new Precision(
                        any(random, List.of(Scheme.values())),
                        any(random, List.of(CacheType.values())),
                        StateType.FLOAT32,
                        false));
    }

    private static <T> T any(SplittableRandom random, List<T> values) {
        return Objects.requireNonNull(values.get(random.nextInt(values.size())));
    }

    @Test
    void aStepNeverGetsShorterWithRequestsNorWithTheirContext() {
        DEPLOYMENTS.forEach(deployment -> {
            CalibratedPass pass = CalibratedPass.of(deployment);

            assertThat(grown(factor -> pass.decode(factor, factor * 2500)))
                    .as(deployment::toString)
                    .isSorted()
                    .doesNotContain(Double.NaN);
            assertThat(grown(factor -> pass.decode(6.5, 6.5 * 40 * factor)))
                    .as(deployment::toString)
                    .isSorted()
                    .doesNotContain(Double.NaN);
        });
    }

    @Test
    void aPromptNeverTakesLessWhenItIsLonger() {
        DEPLOYMENTS.forEach(deployment -> {
            CalibratedPass pass = CalibratedPass.of(deployment);
            double[] millis = grown(factor -> pass.prefill(30 * factor, 450 * factor * factor));

            assertThat(millis).as(deployment::toString).isSorted().doesNotContain(Double.NaN);
            assertThat(millis[0]).isPositive();
        });
    }

    @Test
    void verifyingDraftsTakesLongerThanAPlainStepAndLessThanOneForEachToken() {
        DEPLOYMENTS.forEach(deployment -> {
            CalibratedPass plain = CalibratedPass.of(deployment);
            double step = plain.decode(16, 16 * 3000);
            double verified = CalibratedPass.verifying(deployment, 3).decode(16, 16 * 3000);

            assertThat(verified)
                    .as(deployment::toString)
                    .isGreaterThan(step)
                    .isLessThan(plain.decode(64, 64 * 3000) * (1 + 1e-9));
            assertThat(CalibratedPass.verifying(deployment, 0).decode(16, 16 * 3000))
                    .isEqualTo(step);
        });
    }

    /// Values of something that grows from 1 to 446.
    private static double[] grown(DoubleUnaryOperator value) {
        return IntStream.range(0, STEPS)
                .mapToDouble(step -> value.applyAsDouble(Math.pow(2, step * 0.8)))
                .toArray();
    }

    @Test
    void launchesForFreeCostLess() {
        DEPLOYMENTS.forEach(deployment -> {
            LaunchRange range = LaunchRange.of(deployment, pass -> pass.decode(8, 20_000));

            assertThat(range.low()).as(deployment::toString).isPositive().isLessThan(range.high());
        });
    }

    @Test
    void aWindowCapsTheContextThatSomeLayersSee() {
        CalibratedPass pass =
                CalibratedPass.of(Silicon.deployment("openai/gpt-oss-120b", "h100_sxm", "vllm", Scheme.BF16, 1, 1, 1));

        double window = attention(pass, "attention_window", 4 * 128.0);
        assertThat(attention(pass, "attention_window", 4 * 50_000.0)).isEqualTo(window);
        assertThat(attention(pass, "attention", 4 * 50_000.0)).isGreaterThan(3 * window);
    }

    private static double attention(CalibratedPass pass, String name, double context) {
        return pass.decodeOperators(4, context).stream()
                .filter(operator -> operator.name().equals(name))
                .mapToDouble(OperatorTime::microseconds)
                .sum();
    }

    /// Published figures for Qwen3-32B W8A8 on four devices, context 4250 a request.
    @Test
    void theAscendRangeIsThatOfSingleLaunchesAndNone() {
        CalibratedDeployment ascend =
                Silicon.deployment("Qwen/Qwen3-32B", "ascend_910b", "vllm-ascend", Scheme.W8A8, 4, 1, 1);

        assertRange(LaunchRange.of(ascend, pass -> pass.decode(1, 4250)), 6.5, 14.7, 0.05);
        assertRange(LaunchRange.of(ascend, pass -> pass.decode(78, 78 * 4250)), 31.6, 36.4, 0.05);
        assertRange(LaunchRange.of(ascend, pass -> pass.prefill(3500, 3500.0 * 3500 / 2)), 219, 226, 0.5);
    }

    private static void assertRange(LaunchRange range, double low, double high, double tolerance) {
        assertThat(range.low()).isCloseTo(low, within(tolerance));
        assertThat(range.high()).isCloseTo(high, within(tolerance));
    }
}

package io.throughputoptimizer.core.kernels;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.throughputoptimizer.core.kernels.BandBasis.Coverage;
import io.throughputoptimizer.core.kernels.Bands.Band;
import io.throughputoptimizer.core.kernels.RankPass.Sequences;
import io.throughputoptimizer.core.kernels.calibration.KernelUse;
import io.throughputoptimizer.core.load.EngineSettings;
import io.throughputoptimizer.fixture.CacheOfVectors;
import io.throughputoptimizer.fixture.Silicon;
import java.util.List;
import org.junit.jupiter.api.Test;

class PassEstimateTest {
    private static final CalibratedDeployment DENSE =
            Silicon.deployment("Qwen/Qwen3-32B", "h100_sxm", "vllm", Scheme.FP8, 4, 1, 1);
    private static final double ROOM = CacheOfVectors.tokens(DENSE);

    @Test
    void unequalRequestsAddUp() {
        RankPass decode = RankPass.of(Phase.DECODE, List.of(new Sequences(3, 1, 1000), new Sequences(1, 1, 5000)));
        RankPass prefill = RankPass.of(Phase.PREFILL, List.of(new Sequences(2, 100, 100), new Sequences(1, 10, 60)));

        assertThat(decode).isEqualTo(new RankPass(Phase.DECODE, 4, 4, 8000, 8000));
        assertThat(prefill).isEqualTo(new RankPass(Phase.PREFILL, 3, 210, 260, 2 * 5000 + 10 * 50 + 50));
    }

    @Test
    void theLatencyIsThatOfTheOperatorsAndOfTheGap() {
        PassEstimate estimate = estimate(DENSE, decode(8, 2000));
        PassEstimate slow = estimate(withGap(0.7), decode(8, 2000));

        double micros = estimate.operators().stream()
                .mapToDouble(OperatorTime::totalMicroseconds)
                .sum();
        assertThat(estimate.latencyMillis()).isCloseTo(micros / 1000, withinPercentage(1e-9));
        assertThat(estimate.latencyMillis())
                .isCloseTo(CalibratedPass.of(DENSE).decode(8, 16_000), withinPercentage(1e-9));
        assertThat(slow.latencyMillis()).isCloseTo(estimate.latencyMillis() + 0.7, within(1e-9));
    }

    @Test
    void decodeHasTheBandOfTpotAndPrefillThatOfTtft() {
        Band decode = estimate(DENSE, decode(8, 2000)).band().orElseThrow();
        Band prefill = estimate(DENSE, prefill(2000, 2000)).band().orElseThrow();

        assertThat(decode.basis()).isEqualTo("tpot/dense");
        assertThat(prefill.basis()).isEqualTo("ttft/dense");
    }

    @Test
    void anOrdinaryPassHasNoFlags() {
        assertThat(estimate(DENSE, decode(8, 2000)).bands().flags()).isEmpty();
        assertThat(estimate(DENSE, prefill(2000, 2000)).bands().flags()).isEmpty();
    }

    @Test
    void aPassThatNearlyFillsTheCacheIsFlagged() {
        double context = 4000;

        assertThat(estimate(DENSE, decode(0.69 * ROOM / context, context))
                        .bands()
                        .flags())
                .isEmpty();
        assertThat(estimate(DENSE, decode(0.71 * ROOM / context, context))
                        .bands()
                        .flags())
                .containsExactly(Flag.CAPACITY);
    }

    @Test
    void promptsThatFollowCachedTokensAndLongContextsAreExtrapolated() {
        assertThat(estimate(DENSE, prefill(2000, 2001)).bands().flags()).containsExactly(Flag.EXTRAPOLATED);
        assertThat(estimate(DENSE, decode(1, 16_385)).bands().flags()).containsExactly(Flag.EXTRAPOLATED);
    }

    @Test
    void requestsOfAllRanksCountForTheFlag() {
        CalibratedDeployment parallel =
                Silicon.deployment("deepseek-ai/DeepSeek-R1", "b200_sxm", "trtllm", Scheme.NVFP4_EXPERTS, 1, 8, 8);

        assertThat(estimate(parallel, decode(64, 1000)).bands().flags()).isEmpty();
        assertThat(estimate(parallel, decode(65, 1000)).bands().flags()).containsExactly(Flag.EXTRAPOLATED);
    }

    @Test
    void onAscendTheLatencyIsARangeWithoutABand() {
        CalibratedDeployment ascend =
                Silicon.deployment("Qwen/Qwen3-32B", "ascend_910b", "vllm-ascend", Scheme.W8A8, 4, 1, 1);
        PassEstimate estimate = estimate(ascend, decode(78, 4250));

        LaunchRange range = requireNonNull(estimate.range());
        assertThat(range.low()).isCloseTo(31.6, within(0.05));
        assertThat(range.high()).isCloseTo(36.4, within(0.05)).isEqualTo(estimate.latencyMillis());
        assertThat(estimate.band()).isEmpty();
        assertThat(estimate.bands().flags()).contains(Flag.UNCALIBRATED);
    }

    @Test
    void onlyKernelsOfThePassAreListed() {
        CalibratedDeployment wide =
                Silicon.deployment("deepseek-ai/DeepSeek-R1", "h200_sxm", "sglang", Scheme.FP8_BLOCK, 1, 16, 16);

        assertThat(estimate(wide, decode(32, 1383)).unexpectedUses())
                .extracting(KernelUse::toString)
                .containsExactly("collective/alltoall: inter-node");
        assertThat(estimate(DENSE, decode(8, 2000)).unexpectedUses()).isEmpty();
    }

    private static PassEstimate estimate(CalibratedDeployment deployment, RankPass pass) {
        return PassEstimate.of(
                deployment, pass, CacheOfVectors.tokens(deployment) / pass.context(), Coverage.NINE_TENTHS);
    }

    private static RankPass decode(double requests, double context) {
        return RankPass.of(Phase.DECODE, List.of(new Sequences(requests, 1, context)));
    }

    private static RankPass prefill(double newTokens, double context) {
        return RankPass.of(Phase.PREFILL, List.of(new Sequences(1, newTokens, context)));
    }

    private static CalibratedDeployment withGap(double millis) {
        Engine vllm = DENSE.engine();
        EngineSettings settings = vllm.settings();
        Engine slow = vllm.with(
                new EngineSettings(settings.scheduling(), settings.pollInterval(), settings.frontendMillis(), millis));
        return new CalibratedDeployment(DENSE.model(), DENSE.calibration(), DENSE.layout(), slow, DENSE.precision());
    }
}

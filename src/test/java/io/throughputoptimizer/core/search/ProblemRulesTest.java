package io.throughputoptimizer.core.search;

import static io.throughputoptimizer.core.search.ProblemBuilder.problem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.throughputoptimizer.core.search.Objection.Subject;
import io.throughputoptimizer.core.serving.Accounting;
import io.throughputoptimizer.core.workload.LengthDistribution;
import io.throughputoptimizer.core.workload.Workload;
import io.throughputoptimizer.fixture.Distributions;
import io.throughputoptimizer.fixture.LinearEstimator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ProblemRulesTest {
    private static final LengthDistribution BUILTIN = Distributions.named("builtin");

    static Stream<Arguments> refused() {
        return Stream.of(
                Arguments.of(
                        problem(),
                        Subject.OBJECTIVE,
                        "limits are absent: disaggregation needs a TTFT limit to search prefill, a TPOT limit to search"
                                + " decode, or both"),
                Arguments.of(
                        problem().limits(5.0, null).devices(64, "SMALL"),
                        Subject.DEVICE_COUNT,
                        "device count is 64: the grid of SMALL holds 32 devices"),
                Arguments.of(
                        problem().limits(5.0, null).tensorSizes(8),
                        Subject.TP_SIZES,
                        "tp sizes has 8: at most the 4 devices"),
                Arguments.of(
                        problem().limits(5.0, null).maxBatchedTokens(0),
                        Subject.MAX_BATCHED_TOKENS,
                        "max batched tokens is 0: at least 1 is needed"),
                Arguments.of(
                        problem().limits(5.0, null).lengths(BUILTIN).maxBatchedTokens(8192),
                        Subject.MAX_BATCHED_TOKENS,
                        "max batched tokens is 8192: at least 140000 is needed, the longest effective input of the"
                                + " length distribution"),
                Arguments.of(
                        problem().limits(5.0, 6.0).lengths(BUILTIN),
                        Subject.TPOT_LIMIT,
                        "TPOT limit is 6.0 ms: a length distribution takes none, it covers prefill only"),
                Arguments.of(
                        problem().limits(null, 6.0).lengths(BUILTIN),
                        Subject.TTFT_LIMIT,
                        "TTFT limit is absent: a length distribution needs one"),
                Arguments.of(
                        problem().limits(5.0, null).mode(SearchMode.AGGREGATION).lengths(BUILTIN),
                        Subject.LENGTHS,
                        "length distribution is given in mode AGGREGATION: with documented accounting only DISAGGREGATION"
                                + " takes one"),
                Arguments.of(
                        pdRatio(4, 8).lengths(BUILTIN).accounting(new Accounting.Corrected()),
                        Subject.LENGTHS,
                        "length distribution is given in mode PD_RATIO: it takes one input length"),
                Arguments.of(
                        problem().limits(5.0, null).instances(4, 4),
                        Subject.INSTANCES,
                        "instance sizes are given in mode DISAGGREGATION: only PD_RATIO takes them"),
                Arguments.of(
                        problem().mode(SearchMode.PD_RATIO),
                        Subject.INSTANCES,
                        "instance sizes are absent: mode PD_RATIO needs those of prefill and decode"),
                Arguments.of(
                        pdRatio(33, 32),
                        Subject.PREFILL_DEVICES,
                        "devices per prefill instance is 33: the grid of DEVICE holds 32 devices"),
                Arguments.of(
                        pdRatio(32, 40),
                        Subject.DECODE_DEVICES,
                        "devices per decode instance is 40: the grid of DEVICE holds 32 devices"),
                Arguments.of(
                        pdRatio(4, 8).tensorSizes(4, 8), Subject.TP_SIZES, "tp sizes has 8: at most the 4 devices"),
                Arguments.of(
                        pdRatio(4, 6).tensorSizes(4),
                        Subject.TP_SIZES,
                        "tp sizes are [4]: at least one must divide the 6 devices"),
                Arguments.of(
                        problem().limits(5.0, null).lengths(BUILTIN).images(new Workload.Images(1, 2, 2)),
                        Subject.IMAGES,
                        "images are given: a length distribution takes text only"));
    }

    private static ProblemBuilder pdRatio(int prefill, int decode) {
        return problem().mode(SearchMode.PD_RATIO).instances(prefill, decode);
    }

    @ParameterizedTest
    @MethodSource("refused")
    void whatCannotBeSearchedIsRefusedByName(ProblemBuilder problem, Subject subject, String message) {
        assertThat(problem.build().objections()).contains(new Objection(subject, message));
    }

    @Test
    void aSoundProblemHasNoObjections() {
        assertThat(problem().limits(5.0, 6.0).build().objections()).isEmpty();
        assertThat(problem().limits(5.0, null).lengths(BUILTIN).build().objections())
                .isEmpty();
        assertThat(problem()
                        .limits(5.0, null)
                        .lengths(BUILTIN)
                        .maxBatchedTokens(140_000)
                        .build()
                        .objections())
                .isEmpty();
        assertThat(problem().mode(SearchMode.AGGREGATION).build().objections()).isEmpty();
    }

    @Test
    void correctedAccountingAggregatesMixedLengthsWhateverTheLimitsAndTheBudget() {
        ProblemBuilder problem = problem()
                .mode(SearchMode.AGGREGATION)
                .lengths(BUILTIN)
                .accounting(new Accounting.Corrected())
                .maxBatchedTokens(100);

        assertThat(problem.build().objections()).isEmpty();
        assertThat(problem.limits(5.0, 6.0).build().objections()).isEmpty();
    }

    /// One device in all, as when none are counted, says nothing about the instances.
    @Test
    void instancesMayHaveMoreDevicesThanThereAre() {
        ProblemBuilder problem = pdRatio(8, 16).devices(1, "DEVICE");

        assertThat(problem.build().objections()).isEmpty();
        assertThat(problem.tensorSizes(8).build().objections()).isEmpty();
    }

    @Test
    void theOptimizerRefusesAProblemWithObjections() {
        LinearEstimator estimator = new LinearEstimator(
                new LinearEstimator.Latency(1, 1, 1, 1, 1), new LinearEstimator.Memory(64, 10, 8, 1e-4));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Optimizer(estimator)
                        .optimize(problem().tensorSizes(3).build(), SearchMonitor.SILENT))
                .withMessageContaining("tp sizes are [3]: at least one must divide the 4 devices")
                .withMessageContaining("limits are absent");
        assertThat(estimator.calls()).isEmpty();
    }
}

package io.throughputoptimizer.core.search;

import static io.throughputoptimizer.core.search.ProblemBuilder.problem;
import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.core.model.AttentionSpec.GroupedQuery;
import io.throughputoptimizer.core.model.AttentionSpec.HeadNorm;
import io.throughputoptimizer.core.model.FeedForwardSpec.Dense;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.search.ProblemOutline.SearchMode;
import io.throughputoptimizer.core.search.space.InvalidProblemException;
import io.throughputoptimizer.core.search.space.Objection;
import io.throughputoptimizer.core.search.space.Objection.Subject;
import io.throughputoptimizer.core.serving.Accounting;
import io.throughputoptimizer.core.workload.LengthBin;
import io.throughputoptimizer.core.workload.LengthDistribution;
import io.throughputoptimizer.core.workload.Workload;
import io.throughputoptimizer.fixture.Architectures;
import io.throughputoptimizer.fixture.Distributions;
import io.throughputoptimizer.fixture.SmallDeployment;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ProblemRulesTest {
    private static final LengthDistribution BUILTIN = Distributions.named("builtin");

    private static final ModelArchitecture NORMS_ACROSS_HEADS = Architectures.of(
            "across",
            "across",
            2,
            256,
            1000,
            4096,
            1e-6,
            new GroupedQuery(16, 4, 16, HeadNorm.ACROSS_HEADS, false, false),
            new Dense(512));

    static Stream<Arguments> refused() {
        return Stream.of(
                Arguments.of(
                        problem(), new Objection(Subject.LIMITS, "are missing: a phase by itself is searched for one")),
                Arguments.of(
                        problem().limits(5.0, null).devices(64, "SMALL"),
                        new Objection(Subject.DEVICE_COUNT, "is 64: the grid of SMALL holds 32 devices")),
                Arguments.of(
                        problem().limits(5.0, null).input(3997).withinContext(),
                        new Objection(
                                Subject.INPUT_LENGTH,
                                "is 3997: with 100 output tokens that is 4097, and the context of small ends at 4096 tokens;"
                                        + " with allow_beyond_context true it is priced all the same")),
                Arguments.of(
                        problem().limits(5.0, null).tensorSizes(8),
                        new Objection(Subject.TP_SIZES, 0, "must be at most the device count (4), got 8")),
                Arguments.of(
                        problem().limits(null, 5.0).contextSizes(List.of(2, 4), 1, 8),
                        new Objection(Subject.DCP_SIZES, 1, "must be at most the device count (4), got 8")),
                Arguments.of(
                        pdRatio(8, 4).contextSizes(List.of(4), 8),
                        new Objection(Subject.DCP_SIZES, 0, "must be at most the device count (4), got 8")),
                Arguments.of(
                        problem().limits(null, 5.0).contextSizes(List.of(1, 2), 3, 4),
                        new Objection(
                                Subject.DCP_SIZES, "has no size that divides a tensor parallel size of the layouts")),
                Arguments.of(
                        problem().limits(null, 5.0).model(NORMS_ACROSS_HEADS).contextSizes(List.of(4), 1, 2),
                        new Objection(Subject.DCP_SIZES, 1, "dcp 2 is not supported for across")),
                Arguments.of(
                        problem().limits(5.0, null).maxBatchedTokens(0),
                        new Objection(Subject.MAX_BATCHED_TOKENS, "must be at least 1, got 0")),
                Arguments.of(
                        problem().limits(5.0, null).lengths(BUILTIN).maxBatchedTokens(8192),
                        new Objection(
                                Subject.MAX_BATCHED_TOKENS,
                                "must be at least 140000, the longest effective input of the length distribution, got 8192")),
                Arguments.of(
                        problem().limits(5.0, 6.0).lengths(BUILTIN),
                        new Objection(
                                Subject.TPOT_LIMIT, "is given: a length distribution is searched for prefill only")),
                Arguments.of(
                        problem().limits(null, 6.0).lengths(BUILTIN),
                        new Objection(Subject.TTFT_LIMIT, "is missing: a length distribution is searched for prefill")),
                Arguments.of(
                        problem().limits(5.0, null).mode(SearchMode.AGGREGATION).lengths(BUILTIN),
                        new Objection(Subject.MODE, "needs one input length with this accounting")),
                Arguments.of(
                        pdRatio(4, 8).lengths(BUILTIN),
                        new Objection(Subject.MODE, "needs one input length with this accounting")),
                Arguments.of(
                        problem().limits(null, 6.0).outputs(BUILTIN),
                        new Objection(Subject.OUTPUT_DISTRIBUTION, "is given: the accounting takes one output length")),
                Arguments.of(
                        problem()
                                .limits(null, 6.0)
                                .accounting(Accounting.STEADY)
                                .outputs(BUILTIN)
                                .images(new Workload.Images(1, 2, 2)),
                        new Objection(Subject.IMAGES, "are given: an output distribution takes text only")),
                Arguments.of(
                        problem()
                                .limits(null, 6.0)
                                .accounting(Accounting.STEADY)
                                .outputs(new LengthDistribution(
                                        List.of(new LengthBin(0, 10, 1), new LengthBin(10, 3097, 1))))
                                .withinContext(),
                        new Objection(
                                Subject.INPUT_LENGTH,
                                "is 1000: with 3097 output tokens that is 4097, and the context of small ends at 4096"
                                        + " tokens; with allow_beyond_context true it is priced all the same")),
                Arguments.of(
                        problem().limits(5.0, null).instances(4, 4),
                        new Objection(Subject.INSTANCES, "are given: nothing is paired")),
                Arguments.of(
                        problem().mode(SearchMode.PD_RATIO),
                        new Objection(Subject.INSTANCES, "are missing: nothing says what is paired")),
                Arguments.of(
                        pdRatio(33, 32),
                        new Objection(Subject.PREFILL_DEVICES, "is 33: the grid of DEVICE holds 32 devices")),
                Arguments.of(
                        pdRatio(32, 40),
                        new Objection(Subject.DECODE_DEVICES, "is 40: the grid of DEVICE holds 32 devices")),
                Arguments.of(
                        pdRatio(4, 8).tensorSizes(4, 8),
                        new Objection(Subject.TP_SIZES, 1, "must be at most the device count (4), got 8")),
                Arguments.of(
                        pdRatio(4, 6).tensorSizes(4),
                        new Objection(
                                Subject.SIZES, "has no valid combination of sizes: tp must divide the 6 devices")),
                Arguments.of(
                        problem().limits(5.0, null).lengths(BUILTIN).images(new Workload.Images(1, 2, 2)),
                        new Objection(Subject.IMAGES, "are given: a length distribution takes text only")),
                Arguments.of(
                        problem().limits(5.0, null).drafts(List.of(0.5), 3),
                        new Objection(Subject.DRAFT_TOKENS, "is 3: at most 2 with 1 values in mtp_acceptance_rate")),
                Arguments.of(
                        problem().limits(5.0, null).drafts(List.of(0.5), 1),
                        new Objection(
                                Subject.DRAFT_TOKENS,
                                "is 1: model " + SmallDeployment.MODEL.id() + " has no multi-token prediction")));
    }

    private static ProblemBuilder pdRatio(int prefill, int decode) {
        return problem().mode(SearchMode.PD_RATIO).instances(prefill, decode);
    }

    @ParameterizedTest
    @MethodSource("refused")
    void whatCannotBeSearchedIsRefusedByName(ProblemBuilder problem, Objection objection) {
        assertThat(objections(problem)).contains(objection);
    }

    @Test
    void allThatStandsAgainstAProblemIsSaidAtOnce() {
        assertThat(objections(problem().devices(64, "SMALL").tensorSizes(3, 128)))
                .extracting(Objection::subject)
                .containsExactly(Subject.LIMITS, Subject.DEVICE_COUNT, Subject.TP_SIZES);
    }

    @Test
    void aSoundProblemHasNoObjections() {
        assertThat(objections(problem().limits(5.0, 6.0))).isEmpty();
        assertThat(objections(problem().limits(5.0, null).lengths(BUILTIN))).isEmpty();
        assertThat(objections(problem().limits(5.0, null).lengths(BUILTIN).maxBatchedTokens(140_000)))
                .isEmpty();
        assertThat(objections(problem().mode(SearchMode.AGGREGATION))).isEmpty();
        assertThat(objections(pdRatio(2, 4).contextSizes(List.of(2), 1, 2))).isEmpty();
        assertThat(objections(problem().limits(null, 6.0).contextSizes(List.of(2, 4), 4)))
                .isEmpty();
    }

    @Test
    void steadyAccountingAggregatesMixedLengthsWhateverTheLimitsAndTheBudget() {
        ProblemBuilder problem = problem()
                .mode(SearchMode.AGGREGATION)
                .lengths(BUILTIN)
                .accounting(Accounting.STEADY)
                .maxBatchedTokens(100);

        assertThat(objections(problem)).isEmpty();
        assertThat(objections(problem.limits(5.0, 6.0))).isEmpty();
    }

    /// One device in all, as when none are counted, says nothing about the instances.
    @Test
    void instancesMayHaveMoreDevicesThanThereAre() {
        ProblemBuilder problem = pdRatio(8, 16).devices(1, "DEVICE");

        assertThat(objections(problem)).isEmpty();
        assertThat(objections(problem.tensorSizes(8))).isEmpty();
    }

    private static List<Objection> objections(ProblemBuilder problem) {
        try {
            OptimizationProblem _ = problem.build();
            return List.of();
        } catch (InvalidProblemException e) {
            return e.objections();
        }
    }
}

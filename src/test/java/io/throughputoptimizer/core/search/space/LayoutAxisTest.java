package io.throughputoptimizer.core.search.space;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.deployment.ParallelLayout.ExpertLayout;
import io.throughputoptimizer.core.search.space.Objection.Subject;
import io.throughputoptimizer.fixture.OptimizerVectors;
import io.throughputoptimizer.fixture.SmallDeployment;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

class LayoutAxisTest {

    static Stream<Arguments> sizes() {
        return OptimizerVectors.arguments(OptimizerVectors.common("resolve_search_sizes"));
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void sizesAreResolvedAsInTheReference(JsonNode vector) {
        assertThat(LayoutAxis.resolve(
                        OptimizerVectors.integers(vector, "values"),
                        vector.required("target_devices").intValue(),
                        vector.required("default_size").intValue()))
                .isEqualTo(OptimizerVectors.integers(vector, "result"));
    }

    @Test
    void sizesThatAreNotPositiveAreDropped() {
        assertThat(LayoutAxis.resolve(List.of(0, 4, -2, 1), 8, 8)).containsExactly(4, 1);
    }

    /// Both states of the reference, the later one as far as it searches neither numbers of draft tokens nor decode
    /// context parallel sizes, which there are none of here.
    static Stream<Arguments> candidates() {
        return Stream.concat(
                OptimizerVectors.arguments(OptimizerVectors.variant("parallel_candidates", "seed")),
                OptimizerVectors.arguments(
                        OptimizerVectors.variant("parallel_candidates", "head"),
                        vector -> vector.required("num_mtp_token_sizes").isNull()
                                && vector.required("dcp_sizes").isNull()));
    }

    @ParameterizedTest
    @MethodSource("candidates")
    void expertModelsGetTheCandidatesOfTheReferenceInItsOrder(JsonNode vector) {
        List<JsonNode> expected =
                OptimizerVectors.stream(vector.required("candidates")).toList();

        List<ParallelLayout> candidates = layouts(vector, true).layouts();
        assertThat(layouts(vector, true).count()).isEqualTo(candidates.size());

        assertThat(candidates)
                .isEqualTo(expected.stream().map(LayoutAxisTest::layout).toList());
        assertThat(candidates.stream().map(ParallelLayout::label))
                .isEqualTo(expected.stream()
                        .map(candidate -> candidate.required("label_moe").stringValue())
                        .toList());
    }

    /// The reference evaluates a dense model once per expert layout and collapses equal labels later.
    @ParameterizedTest
    @MethodSource("candidates")
    void denseModelsGetEachLabelOfTheReferenceOnce(JsonNode vector) {
        assertThat(layouts(vector, false).layouts().stream().map(ParallelLayout::label))
                .isEqualTo(OptimizerVectors.stream(vector.required("candidates"))
                        .map(candidate -> candidate.required("label_dense").stringValue())
                        .distinct()
                        .toList());
    }

    @Test
    void tensorParallelSizesAreSearchedWhenNothingIsGiven() {
        assertThat(new LayoutAxis(new ParallelSizes(null, null, null), 4, false).layouts())
                .containsExactly(ParallelLayout.dense(1, 4), ParallelLayout.dense(2, 2), ParallelLayout.dense(4, 1));
    }

    @Test
    void theSmallModelIsDense() {
        assertThat(LayoutAxis.of(SmallDeployment.MODEL, new ParallelSizes(null, List.of(3), null), 8)
                        .layouts())
                .containsExactly(ParallelLayout.dense(8, 1));
    }

    static Stream<Arguments> refused() {
        return Stream.of(
                Arguments.of(new ParallelSizes(List.of(2, 16), null, null), true, tooLarge(Subject.TP_SIZES, 1, 16)),
                Arguments.of(new ParallelSizes(List.of(2, 16), null, null), false, tooLarge(Subject.TP_SIZES, 1, 16)),
                Arguments.of(new ParallelSizes(null, List.of(9), null), true, tooLarge(Subject.EP_SIZES, 0, 9)),
                Arguments.of(new ParallelSizes(null, null, List.of(32)), true, tooLarge(Subject.MOE_DP_SIZES, 0, 32)),
                Arguments.of(new ParallelSizes(List.of(3, 5), null, null), false, noneDivides("tp")),
                Arguments.of(new ParallelSizes(List.of(3, 5), null, null), true, noneDivides("tp, ep and ep * moe_dp")),
                Arguments.of(
                        new ParallelSizes(List.of(1), List.of(3), null), true, noneDivides("tp, ep and ep * moe_dp")),
                Arguments.of(
                        new ParallelSizes(List.of(1), List.of(4, 8), List.of(4)),
                        true,
                        noneDivides("tp, ep and ep * moe_dp")));
    }

    private static Objection tooLarge(Subject subject, int element, int size) {
        return new Objection(subject, element, "must be at most the device count (8), got " + size);
    }

    private static Objection noneDivides(String sizes) {
        return new Objection(
                Subject.SIZES, "has no valid combination of sizes: " + sizes + " must divide the 8 devices");
    }

    @ParameterizedTest
    @MethodSource("refused")
    void sizesThatLeaveNothingToSearchAreRefusedByName(ParallelSizes sizes, boolean experts, Objection objection) {
        assertThat(new LayoutAxis(sizes, 8, experts).objections()).containsExactly(objection);
    }

    @Test
    void expertSizesCannotSpoilADenseModel() {
        assertThat(new LayoutAxis(new ParallelSizes(List.of(), List.of(64, 3), List.of(5)), 8, false).objections())
                .isEmpty();
    }

    private static LayoutAxis layouts(JsonNode vector, boolean experts) {
        ParallelSizes sizes = new ParallelSizes(
                OptimizerVectors.integers(vector, "tp_sizes"),
                OptimizerVectors.integers(vector, "ep_sizes"),
                OptimizerVectors.integers(vector, "moe_dp_sizes"));
        return new LayoutAxis(sizes, vector.required("num_devices").intValue(), experts);
    }

    private static ParallelLayout layout(JsonNode candidate) {
        ExpertLayout experts = new ExpertLayout(
                candidate.required("ep").intValue(),
                candidate.required("moe_tp").intValue(),
                candidate.required("moe_dp").intValue());
        return new ParallelLayout(
                candidate.required("tp").intValue(),
                candidate.required("pp").intValue(),
                candidate.required("dp").intValue(),
                experts);
    }
}

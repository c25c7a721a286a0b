package io.throughputoptimizer.core.explain;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.core.search.OptimizationProblem;
import io.throughputoptimizer.core.search.OptimizationProblem.Axes;
import io.throughputoptimizer.core.search.OptimizationProblem.BatchPlan;
import io.throughputoptimizer.core.search.OptimizationProblem.Demand;
import io.throughputoptimizer.core.search.OptimizationProblem.Search;
import io.throughputoptimizer.core.search.OptimizationProblem.Serving;
import io.throughputoptimizer.core.search.ProblemOutline.SearchMode;
import io.throughputoptimizer.core.search.batch.BatchStrategy;
import io.throughputoptimizer.core.search.space.DraftTokenAxis;
import io.throughputoptimizer.core.search.space.ParallelSizes;
import io.throughputoptimizer.core.search.space.QuantizationAxis;
import io.throughputoptimizer.core.search.space.TokenBudgetAxis;
import io.throughputoptimizer.core.serving.Accounting;
import io.throughputoptimizer.core.serving.DraftAcceptance;
import io.throughputoptimizer.core.workload.Lengths;
import io.throughputoptimizer.core.workload.Limits;
import io.throughputoptimizer.core.workload.Workload;
import io.throughputoptimizer.fixture.SmallDeployment;
import java.util.List;
import org.junit.jupiter.api.Test;

class RooflineQuestionTest {
    private static final int CONTEXT = SmallDeployment.MODEL.contextTokens();

    @Test
    void aChangedQuestionCrossesTheContextOnlyIfTheQuestionMay() {
        Workload longer = workload(CONTEXT - 99);

        assertThat(question(false).with(workload(CONTEXT - 100))).isPresent();
        assertThat(question(false).with(longer)).isEmpty();
        assertThat(question(true).with(longer)).isPresent();
        assertThat(question(true).with(Limits.NONE).flatMap(other -> other.with(longer)))
                .isPresent();
    }

    private static Workload workload(int inputTokens) {
        return new Workload(new Lengths.Fixed(inputTokens), 100, 0, null);
    }

    private static RooflineQuestion question(boolean beyondContext) {
        OptimizationProblem problem = new OptimizationProblem(
                SmallDeployment.MODEL,
                List.of(SmallDeployment.device("DEVICE")),
                4,
                new Demand(workload(1000), Limits.NONE, beyondContext, null),
                new Serving(true, 0, 0, DraftAcceptance.NONE, false, false),
                new Search(
                        SearchMode.AGGREGATION,
                        Accounting.DOCUMENTED,
                        new Axes(
                                new ParallelSizes(null, null, null),
                                new DraftTokenAxis(List.of(0)),
                                TokenBudgetAxis.CHOSEN,
                                QuantizationAxis.of(SmallDeployment.QUANTIZATION)),
                        new BatchPlan(BatchStrategy.EXPONENTIAL, null),
                        null),
                false);
        return new RooflineQuestion(problem, QuestionKind.AGGREGATION, List.of());
    }
}

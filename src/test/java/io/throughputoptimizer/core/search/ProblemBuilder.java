package io.throughputoptimizer.core.search;

import io.throughputoptimizer.core.hardware.DeviceProfile;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.search.OptimizationProblem.Axes;
import io.throughputoptimizer.core.search.OptimizationProblem.BatchPlan;
import io.throughputoptimizer.core.search.OptimizationProblem.Demand;
import io.throughputoptimizer.core.search.OptimizationProblem.Search;
import io.throughputoptimizer.core.search.OptimizationProblem.Serving;
import io.throughputoptimizer.core.search.ProblemOutline.SearchMode;
import io.throughputoptimizer.core.search.batch.BatchRange;
import io.throughputoptimizer.core.search.batch.BatchStrategy;
import io.throughputoptimizer.core.search.space.DraftTokenAxis;
import io.throughputoptimizer.core.search.space.Pairing;
import io.throughputoptimizer.core.search.space.ParallelSizes;
import io.throughputoptimizer.core.search.space.QuantizationAxis;
import io.throughputoptimizer.core.search.space.TokenBudgetAxis;
import io.throughputoptimizer.core.serving.Accounting;
import io.throughputoptimizer.core.serving.DraftAcceptance;
import io.throughputoptimizer.core.workload.LengthDistribution;
import io.throughputoptimizer.core.workload.Lengths;
import io.throughputoptimizer.core.workload.Limits;
import io.throughputoptimizer.core.workload.OutputLengths;
import io.throughputoptimizer.core.workload.Workload;
import io.throughputoptimizer.fixture.SmallDeployment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Problems on the small model: disaggregated, 4 devices, 1000 tokens in and 100 out, however long its context, unless
/// told otherwise.
final class ProblemBuilder {
    private ModelArchitecture model = SmallDeployment.MODEL;
    private Workload workload = new Workload(new Lengths.Fixed(1000), 100, 0, null);
    private Limits limits = Limits.NONE;
    private @Nullable Objective objective;
    private ParallelSizes sizes = new ParallelSizes(null, null, null);
    private BatchPlan batches = new BatchPlan(BatchStrategy.EXPONENTIAL, null);
    private List<DeviceProfile> devices = List.of(SmallDeployment.device("DEVICE"));
    private int deviceCount = 4;
    private DraftAcceptance acceptance = DraftAcceptance.NONE;
    private DraftTokenAxis draftTokens = new DraftTokenAxis(List.of(0));
    private SearchMode mode = SearchMode.DISAGGREGATION;
    private Accounting accounting = Accounting.DOCUMENTED;
    private TokenBudgetAxis tokenBudgets = TokenBudgetAxis.CHOSEN;
    private QuantizationAxis quantization = QuantizationAxis.of(SmallDeployment.QUANTIZATION);
    private @Nullable Pairing instances;
    private boolean listsRows;
    private boolean beyondContext = true;

    /// Of another model.
    ProblemBuilder model(ModelArchitecture other) {
        model = other;
        return this;
    }

    static ProblemBuilder problem() {
        return new ProblemBuilder();
    }

    ProblemBuilder limits(@Nullable Double ttftMillis, @Nullable Double tpotMillis) {
        limits = new Limits(ttftMillis, tpotMillis);
        return this;
    }

    ProblemBuilder limits(Limits other) {
        limits = other;
        return this;
    }

    ProblemBuilder ranked(Objective other) {
        objective = other;
        return this;
    }

    ProblemBuilder lengths(int input, int output) {
        workload = new Workload(new Lengths.Fixed(input), output, 0, null);
        return this;
    }

    ProblemBuilder input(int tokens) {
        workload = new Workload(new Lengths.Fixed(tokens), 100, 0, null);
        return this;
    }

    ProblemBuilder lengths(LengthDistribution distribution) {
        workload = new Workload(new Lengths.Mixed(distribution), 100, 0, null);
        return this;
    }

    ProblemBuilder outputs(LengthDistribution distribution) {
        workload = new Workload(workload.lengths(), OutputLengths.of(distribution), 0, workload.images());
        return this;
    }

    ProblemBuilder images(Workload.Images images) {
        workload = new Workload(workload.lengths(), workload.outputs(), 0, images);
        return this;
    }

    ProblemBuilder tensorSizes(Integer... tp) {
        sizes = new ParallelSizes(List.of(tp), null, null);
        return this;
    }

    /// Decode context parallel sizes to try on tensor parallel sizes.
    ProblemBuilder contextSizes(List<Integer> tp, Integer... dcp) {
        sizes = new ParallelSizes(tp, null, null, List.of(dcp));
        return this;
    }

    ProblemBuilder batches(BatchStrategy strategy, @Nullable BatchRange range) {
        batches = new BatchPlan(strategy, range);
        return this;
    }

    ProblemBuilder devices(int count, String... names) {
        deviceCount = count;
        devices = List.of(names).stream().map(SmallDeployment::device).toList();
        return this;
    }

    ProblemBuilder mode(SearchMode other) {
        mode = other;
        return this;
    }

    /// Numbers of draft tokens to try, of which the n-th is accepted that often.
    ProblemBuilder drafts(List<Double> acceptanceRates, Integer... counts) {
        acceptance = new DraftAcceptance.ByPosition(acceptanceRates);
        draftTokens = new DraftTokenAxis(List.of(counts));
        return this;
    }

    ProblemBuilder maxBatchedTokens(Integer... tokens) {
        tokenBudgets = new TokenBudgetAxis(List.of(tokens));
        return this;
    }

    ProblemBuilder quantization(QuantizationAxis other) {
        quantization = other;
        return this;
    }

    ProblemBuilder accounting(Accounting other) {
        accounting = other;
        return this;
    }

    /// Refuses requests longer than the model's context.
    ProblemBuilder withinContext() {
        beyondContext = false;
        return this;
    }

    ProblemBuilder listingRows() {
        listsRows = true;
        return this;
    }

    /// Devices of one prefill and of one decode instance.
    ProblemBuilder instances(int prefill, int decode) {
        instances = Pairing.of(prefill, decode);
        return this;
    }

    ProblemBuilder instances(Pairing other) {
        instances = other;
        return this;
    }

    OptimizationProblem build() {
        return new OptimizationProblem(
                model,
                devices,
                deviceCount,
                new Demand(workload, limits, beyondContext, objective),
                new Serving(true, 0, 0, acceptance, false, false),
                new Search(
                        mode, accounting, new Axes(sizes, draftTokens, tokenBudgets, quantization), batches, instances),
                listsRows);
    }
}

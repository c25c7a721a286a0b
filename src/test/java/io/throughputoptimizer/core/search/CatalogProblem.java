package io.throughputoptimizer.core.search;

import io.throughputoptimizer.catalog.Catalogs;
import io.throughputoptimizer.core.deployment.AttentionQuantization;
import io.throughputoptimizer.core.deployment.LinearQuantization;
import io.throughputoptimizer.core.deployment.QuantizationScheme;
import io.throughputoptimizer.core.forward.MemoryFootprint;
import io.throughputoptimizer.core.search.OptimizationProblem.Axes;
import io.throughputoptimizer.core.search.OptimizationProblem.BatchPlan;
import io.throughputoptimizer.core.search.OptimizationProblem.Demand;
import io.throughputoptimizer.core.search.OptimizationProblem.Search;
import io.throughputoptimizer.core.search.OptimizationProblem.Serving;
import io.throughputoptimizer.core.search.ProblemOutline.SearchMode;
import io.throughputoptimizer.core.search.batch.BatchRange;
import io.throughputoptimizer.core.search.batch.BatchStrategy;
import io.throughputoptimizer.core.search.space.DraftTokenAxis;
import io.throughputoptimizer.core.search.space.ParallelSizes;
import io.throughputoptimizer.core.search.space.QuantizationAxis;
import io.throughputoptimizer.core.search.space.TokenBudgetAxis;
import io.throughputoptimizer.core.serving.Accounting;
import io.throughputoptimizer.core.serving.DraftAcceptance;
import io.throughputoptimizer.core.workload.LengthDistribution;
import io.throughputoptimizer.core.workload.Lengths;
import io.throughputoptimizer.core.workload.Limits;
import io.throughputoptimizer.core.workload.Workload;
import io.throughputoptimizer.fixture.BuiltIn;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Problems about models and devices of the catalogue with the optimizer's defaults: W8A8_DYNAMIC, attention not
/// quantized, 10 GiB reserved, no multi-token prediction, compiled.
record CatalogProblem(String model, String device, int deviceCount) {
    private static final Catalogs CATALOGS = BuiltIn.CATALOGS;

    static LengthDistribution lengthDistribution(String name) {
        LengthDistribution distribution = CATALOGS.lengthDistributions().get(name);
        if (distribution == null) {
            throw new IllegalArgumentException(name);
        }
        return distribution;
    }

    OptimizationProblem aggregated(int inputTokens, int outputTokens, Limits limits) {
        return asking(
                new Demand(new Workload(new Lengths.Fixed(inputTokens), outputTokens, 0, null), limits, false, null),
                search(SearchMode.AGGREGATION, Accounting.DOCUMENTED, null, null));
    }

    OptimizationProblem asking(Demand demand, Search search) {
        return new OptimizationProblem(
                CATALOGS.models().find(model).orElseThrow(),
                List.of(CATALOGS.devices().find(device).orElseThrow()),
                deviceCount,
                demand,
                new Serving(true, 10 * MemoryFootprint.GIB, 0, DraftAcceptance.NONE, false, false),
                search,
                false);
    }

    static Search search(
            SearchMode mode, Accounting accounting, @Nullable BatchRange range, @Nullable Integer maxBatchedTokens) {
        return new Search(
                mode,
                accounting,
                axes(
                        new ParallelSizes(null, null, null),
                        maxBatchedTokens == null
                                ? TokenBudgetAxis.CHOSEN
                                : new TokenBudgetAxis(List.of(maxBatchedTokens))),
                new BatchPlan(BatchStrategy.EXPONENTIAL, range),
                null);
    }

    static Axes axes(ParallelSizes sizes, TokenBudgetAxis budgets) {
        return new Axes(
                sizes,
                new DraftTokenAxis(List.of(0)),
                budgets,
                new QuantizationAxis(
                        List.of(LinearQuantization.W8A8_DYNAMIC),
                        List.of(AttentionQuantization.DISABLED),
                        QuantizationScheme.DEFAULT_MXFP4_GROUP_SIZE));
    }
}

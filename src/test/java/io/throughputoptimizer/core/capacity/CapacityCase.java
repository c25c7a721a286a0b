package io.throughputoptimizer.core.capacity;

import io.throughputoptimizer.catalog.Catalogs;
import io.throughputoptimizer.core.capacity.Requirement.Unit;
import io.throughputoptimizer.core.deployment.AttentionQuantization;
import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.deployment.LinearQuantization;
import io.throughputoptimizer.core.deployment.QuantizationScheme;
import io.throughputoptimizer.core.forward.AnalyticForwardEstimator;
import io.throughputoptimizer.core.forward.ForwardPlan;
import io.throughputoptimizer.core.forward.MemoryFootprint;
import io.throughputoptimizer.core.search.Objective;
import io.throughputoptimizer.core.search.OptimizationProblem.Axes;
import io.throughputoptimizer.core.search.OptimizationProblem.BatchPlan;
import io.throughputoptimizer.core.search.OptimizationProblem.Demand;
import io.throughputoptimizer.core.search.OptimizationProblem.Search;
import io.throughputoptimizer.core.search.OptimizationProblem.Serving;
import io.throughputoptimizer.core.search.Optimizer;
import io.throughputoptimizer.core.search.ProblemOutline.SearchMode;
import io.throughputoptimizer.core.search.SearchMonitor;
import io.throughputoptimizer.core.search.batch.BatchRange;
import io.throughputoptimizer.core.search.batch.BatchStrategy;
import io.throughputoptimizer.core.search.space.AvailableDevices;
import io.throughputoptimizer.core.search.space.DraftTokenAxis;
import io.throughputoptimizer.core.search.space.KvTransferLink;
import io.throughputoptimizer.core.search.space.ParallelSizes;
import io.throughputoptimizer.core.search.space.QuantizationAxis;
import io.throughputoptimizer.core.search.space.TokenBudgetAxis;
import io.throughputoptimizer.core.serving.Accounting;
import io.throughputoptimizer.core.serving.DraftAcceptance;
import io.throughputoptimizer.core.workload.Lengths;
import io.throughputoptimizer.core.workload.Limits;
import io.throughputoptimizer.core.workload.Workload;
import io.throughputoptimizer.fixture.BuiltIn;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A seeded question about how many devices a demand takes, of up to 64 devices, with few enough batch sizes that all
/// can be tried.
record CapacityCase(
        String model,
        String device,
        int budget,
        List<Integer> sizes,
        int inputTokens,
        int outputTokens,
        Limits limits,
        Accounting accounting,
        int mostBatch,
        Requirement requirement,
        @Nullable KvTransferLink transfer) {
    static final Catalogs CATALOGS = BuiltIn.CATALOGS;
    static final QuantizationScheme QUANTIZATION = new QuantizationScheme(
            LinearQuantization.W8A8_DYNAMIC,
            AttentionQuantization.DISABLED,
            QuantizationScheme.DEFAULT_MXFP4_GROUP_SIZE);
    static final double RESERVED_BYTES = 4 * MemoryFootprint.GIB;
    static final int MAX_BATCHED_TOKENS = 8192;
    /// Dense, experts, and experts with latent attention.
    private static final List<String> MODELS =
            List.of("Qwen/Qwen3-8B", "Qwen/Qwen3-30B-A3B", "deepseek-ai/DeepSeek-V3.1");

    private static final Map<Deployment, ForwardPlan> PLANS = new ConcurrentHashMap<>();
    /// Of which each layout is planned once for all cases.
    static final AnalyticForwardEstimator ESTIMATOR =
            new AnalyticForwardEstimator(deployment -> PLANS.computeIfAbsent(deployment, ForwardPlan::new));

    static CapacityCase of(long seed) {
        Random random = new Random(seed);
        int budget = random.nextInt(4) == 0 ? 1 + random.nextInt(64) : 64;
        List<Integer> sizes = new ArrayList<>(List.of(1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64));
        Collections.shuffle(sizes, random);
        List<Integer> some = sizes.subList(0, 2 + random.nextInt(3)).stream()
                .filter(size -> size <= budget)
                .toList();
        int output = 50 + random.nextInt(500);
        double requests = Math.round(100 * Math.exp(random.nextDouble() * 6 - 1)) / 100.0;
        Unit unit = List.of(Unit.values()).get(random.nextInt(3));
        double amount = switch (unit) {
            case REQUESTS_PER_S -> requests;
            case TOKENS_PER_S -> Math.round(requests * output);
            case CONCURRENCY, CONVERSATIONS -> 1 + random.nextInt(300);
        };
        return new CapacityCase(
                MODELS.get((int) (seed % MODELS.size())),
                random.nextBoolean() ? "TEST_DEVICE" : "ATLAS_800_A3_752T_128G_DIE",
                budget,
                some.isEmpty() ? List.of(1) : some,
                200 + random.nextInt(3000),
                output,
                new Limits(
                        random.nextInt(3) == 0 ? null : 200 + random.nextDouble(4000),
                        random.nextInt(3) == 0 ? null : 15 + random.nextDouble(60)),
                random.nextBoolean() ? Accounting.DOCUMENTED : Accounting.STEADY,
                2 + random.nextInt(7),
                new Requirement(unit, amount, random.nextInt(3) / 5.0, output),
                null);
    }

    /// The same over a link that is slow enough to matter.
    static CapacityCase withTransfer(long seed) {
        Random random = new Random(~seed);
        return of(seed).over(new KvTransferLink(
                Math.exp(random.nextDouble() * 3 - 3) * MemoryFootprint.GIB, random.nextInt(200)));
    }

    /// The same of up to 128 devices, half of them over such a link, where a whole answer must be done in less
    /// time than in the pairs that serve it without that limit, or hardly more.
    static CapacityCase withAnswerLimit(long seed) {
        Random random = new Random(31 * seed + 7);
        CapacityCase asked = (random.nextBoolean() ? of(seed) : withTransfer(seed)).within(128);
        CapacityCase free = random.nextInt(3) == 0 ? asked : asked.with(Limits.NONE);
        double factor = 0.3 + 0.75 * random.nextDouble();
        double millis = Stream.concat(free.answer().plans().stream(), free.answer().beyond().stream())
                .filter(plan -> plan.kind() == CapacityProblem.Kind.DISAGGREGATED)
                .findFirst()
                .map(plan -> (CapacityPlan) plan)
                .map(plan -> plan.ttftMillis()
                        + (free.outputTokens - 1)
                                * plan.groups().getLast().peak().latencyMillis())
                .orElse(10_000.0);
        return free.with(free.limits.withRequestLatency(factor * millis));
    }

    CapacityCase with(Limits other) {
        return new CapacityCase(
                model,
                device,
                budget,
                sizes,
                inputTokens,
                outputTokens,
                other,
                accounting,
                mostBatch,
                requirement,
                transfer);
    }

    CapacityCase with(Requirement other) {
        return with(budget, other, transfer);
    }

    CapacityCase within(int devices) {
        return with(devices, requirement, transfer);
    }

    CapacityCase over(KvTransferLink link) {
        return with(budget, requirement, link);
    }

    private CapacityCase with(int devices, Requirement other, @Nullable KvTransferLink link) {
        return new CapacityCase(
                model, device, devices, sizes, inputTokens, outputTokens, limits, accounting, mostBatch, other, link);
    }

    /// What a request hands over: its prompt, in 16 bits, of keys and values of 8 heads in 36 layers or of 4 heads in
    /// 48 layers, each of 128, or of 512 + 64 latent values in 61 layers.
    double handedBytes() {
        double values = switch (MODELS.indexOf(model)) {
            case 0 -> 36 * 2 * 8 * 128;
            case 1 -> 48 * 2 * 4 * 128;
            default -> 61 * (512 + 64);
        };
        return values * 2 * inputTokens;
    }

    /// By `latency + bytes / rate`.
    double handedMillis() {
        return transfer == null ? 0 : transfer.latencyMillis() + 1000 * handedBytes() / transfer.bytesPerSecond();
    }

    Workload workload() {
        return new Workload(new Lengths.Fixed(inputTokens), outputTokens, 0, null);
    }

    CapacityProblem problem() {
        return problem(null, BatchStrategy.EXHAUSTIVE);
    }

    CapacityProblem problem(@Nullable Objective objective, BatchStrategy strategy) {
        return new CapacityProblem(
                CATALOGS.models().find(model).orElseThrow(),
                List.of(CATALOGS.devices().find(device).orElseThrow()),
                AvailableDevices.ofEach(budget),
                sizes,
                requirement,
                new Demand(workload(), limits, true, objective),
                new Serving(true, RESERVED_BYTES, 0, DraftAcceptance.NONE, false, false),
                new Search(
                        SearchMode.AGGREGATION,
                        accounting,
                        new Axes(
                                new ParallelSizes(null, null, null),
                                new DraftTokenAxis(List.of(0)),
                                new TokenBudgetAxis(List.of(MAX_BATCHED_TOKENS)),
                                QuantizationAxis.of(QUANTIZATION)),
                        new BatchPlan(strategy, new BatchRange(1, mostBatch)),
                        null),
                transfer);
    }

    CapacityResult answer() {
        return answer(problem());
    }

    static CapacityResult answer(CapacityProblem problem) {
        return new CapacityOptimizer(new Optimizer(ESTIMATOR)).optimize(problem, SearchMonitor.SILENT);
    }
}

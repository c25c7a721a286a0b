package io.throughputoptimizer.core.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.throughputoptimizer.catalog.Catalogs;
import io.throughputoptimizer.core.deployment.AttentionQuantization;
import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.deployment.Execution;
import io.throughputoptimizer.core.deployment.LinearQuantization;
import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.deployment.ParallelLayout.ExpertLayout;
import io.throughputoptimizer.core.deployment.PassAccounting;
import io.throughputoptimizer.core.deployment.QuantizationScheme;
import io.throughputoptimizer.core.forward.AnalyticForwardEstimator;
import io.throughputoptimizer.core.forward.ForwardShape;
import io.throughputoptimizer.core.forward.MemoryFootprint;
import io.throughputoptimizer.core.forward.Request;
import io.throughputoptimizer.core.hardware.DeviceProfile;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.search.OptimizationProblem.Axes;
import io.throughputoptimizer.core.search.OptimizationProblem.BatchPlan;
import io.throughputoptimizer.core.search.OptimizationProblem.Demand;
import io.throughputoptimizer.core.search.OptimizationProblem.Search;
import io.throughputoptimizer.core.search.OptimizationProblem.Serving;
import io.throughputoptimizer.core.search.OptimizationResult.DeviceResult;
import io.throughputoptimizer.core.search.PdRatioRow.Together;
import io.throughputoptimizer.core.search.ProblemOutline.SearchMode;
import io.throughputoptimizer.core.search.batch.BatchRange;
import io.throughputoptimizer.core.search.batch.BatchStrategy;
import io.throughputoptimizer.core.search.space.DraftTokenAxis;
import io.throughputoptimizer.core.search.space.InvalidProblemException;
import io.throughputoptimizer.core.search.space.KvTransferLink;
import io.throughputoptimizer.core.search.space.Pairing;
import io.throughputoptimizer.core.search.space.Pairing.Instances;
import io.throughputoptimizer.core.search.space.ParallelSizes;
import io.throughputoptimizer.core.search.space.QuantizationAxis;
import io.throughputoptimizer.core.search.space.TokenBudgetAxis;
import io.throughputoptimizer.core.serving.Accounting;
import io.throughputoptimizer.core.serving.DraftAcceptance;
import io.throughputoptimizer.core.workload.Lengths;
import io.throughputoptimizer.core.workload.Limits;
import io.throughputoptimizer.core.workload.Phase;
import io.throughputoptimizer.core.workload.Workload;
import io.throughputoptimizer.fixture.BuiltIn;
import io.throughputoptimizer.fixture.Nightly;
import io.throughputoptimizer.fixture.PassTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Prefill and decode instances of several sizes, on several kinds of device, with a transfer between them.
class PairCountsLawTest {
    private static final Catalogs CATALOGS = BuiltIn.CATALOGS;
    private static final AnalyticForwardEstimator ESTIMATOR = new AnalyticForwardEstimator();
    private static final double GIB = MemoryFootprint.GIB;
    private static final List<String> MODELS = List.of(
            "Qwen/Qwen3-8B",
            "Qwen/Qwen2.5-7B-Instruct",
            "meta-llama/Meta-Llama-3.1-8B",
            "Qwen/Qwen3-30B-A3B",
            "MiniMaxAI/MiniMax-M2",
            "deepseek-ai/DeepSeek-V3",
            "deepseek-ai/DeepSeek-V3.2",
            "deepseek-ai/DeepSeek-V4-Flash",
            "Qwen/Qwen3-Next-80B-A3B-Instruct",
            "zai-org/GLM-4.5-Air");
    private static final List<Integer> SIZES = List.of(1, 2, 4, 8);

    /// A question with everything but the limits and the pairing decided.
    private record Asked(
            ModelArchitecture model,
            List<DeviceProfile> devices,
            int deviceCount,
            Workload workload,
            Accounting accounting,
            QuantizationScheme quantization) {

        private OptimizationProblem with(Pairing pairing, Limits limits, @Nullable Objective objective) {
            return new OptimizationProblem(
                    model,
                    devices,
                    deviceCount,
                    new Demand(workload, limits, true, objective),
                    new Serving(true, 0, 0, DraftAcceptance.NONE, false, false),
                    new Search(
                            SearchMode.PD_RATIO,
                            accounting,
                            new Axes(
                                    new ParallelSizes(null, null, null),
                                    new DraftTokenAxis(List.of(0)),
                                    TokenBudgetAxis.CHOSEN,
                                    QuantizationAxis.of(quantization)),
                            new BatchPlan(BatchStrategy.EXPONENTIAL, new BatchRange(1, 64)),
                            pairing),
                    true);
        }

        private List<DeviceResult> answer(Pairing pairing, Limits limits) {
            return new Optimizer(ESTIMATOR)
                    .optimize(with(pairing, limits, null), SearchMonitor.SILENT)
                    .devices();
        }

        private Asked on(DeviceProfile device) {
            return new Asked(model, List.of(device), deviceCount, workload, accounting, quantization);
        }
    }

    /// A rate of one instance and what it takes, by formulas of their own.
    private record Rate(int devices, double requestsPerS, double millis) {}

    static LongStream seeds() {
        return Nightly.seeds(1);
    }

    /// Each pair of sizes asked for by itself, by the reference's rules and with the limit less the transfer, and all
    /// numbers tried one by one.
    @ParameterizedTest
    @MethodSource("seeds")
    void listsEqualTheBestOfSeparateRequests(long seed) {
        Random random = new Random(seed);
        boolean twoKinds = random.nextInt(3) == 0;
        Asked asked = asked(random, twoKinds);
        List<Integer> prefillSizes = sizes(random);
        List<Integer> decodeSizes = sizes(random);
        KvTransferLink transfer =
                random.nextBoolean() ? new KvTransferLink((1 + random.nextInt(50)) * GIB, random.nextInt(20)) : null;
        List<String> names = asked.devices.stream().map(DeviceProfile::name).toList();
        Pairing pairing = new Pairing(
                new Instances(prefillSizes, twoKinds ? List.of(names.getFirst()) : List.of()),
                new Instances(decodeSizes, twoKinds ? List.of(names.getLast()) : List.of()),
                transfer);
        double limit = 200 + random.nextInt(6000);
        Limits limits = new Limits(limit, 10.0 + random.nextInt(60));
        double bytes = bytes(asked);
        double handed = transfer == null ? 0 : transfer.latencyMillis() + bytes / transfer.bytesPerSecond() * 1000;

        DeviceResult found = asked.answer(pairing, limits).getFirst();

        List<Rate> prefill = handed >= limit
                ? List.of()
                : rates(
                        asked.on(asked.devices.getFirst()),
                        prefillSizes,
                        new Limits(limit - handed, limits.tpotMillis()),
                        Phase.PREFILL);
        List<Rate> decode = rates(asked.on(asked.devices.getLast()), decodeSizes, limits, Phase.DECODE);
        double best = bestPerDevice(prefill, decode, asked.deviceCount, twoKinds);
        List<PdRatioRow> rows = Objects.requireNonNull(found.pdRatio()).rows();
        assertThat(rows.isEmpty()).isEqualTo(best == 0);
        if (best > 0) {
            // Of batch sizes that sustain the same within 0.1 % the smallest is taken.
            double less = asked.accounting.isReference() ? 1e-12 : 1e-3;
            assertThat(together(rows.getFirst()).requestsPerSPerDevice())
                    .isBetween(best * (1 - less), best * (1 + 1e-12));
        }
        assertThat(rows).allSatisfy(row -> {
            assertThat(together(row).ttftMillis()).isLessThanOrEqualTo(limit + 1e-9);
            assertThat(row.prefill().device()).isEqualTo(names.getFirst());
            assertThat(row.decode().device()).isEqualTo(names.getLast());
            if (transfer == null) {
                assertThat(together(row).handover()).isNull();
            } else {
                assertThat(Objects.requireNonNull(together(row).handover()).bytes())
                        .isEqualTo(bytes);
            }
        });
    }

    private static Asked asked(Random random, boolean twoKinds) {
        List<DeviceProfile> devices = new ArrayList<>(List.of(device(random)));
        while (twoKinds && devices.size() < 2) {
            DeviceProfile other = device(random);
            if (!devices.contains(other)) {
                devices.add(other);
            }
        }
        boolean latent = random.nextBoolean();
        String model = MODELS.get(random.nextInt(MODELS.size()));
        return new Asked(
                CATALOGS.models().find(model).orElseThrow(),
                devices,
                16 + random.nextInt(40),
                new Workload(
                        new Lengths.Fixed(100 + random.nextInt(4000)),
                        1 + random.nextInt(500),
                        random.nextInt(3) == 0 ? 0.5 : 0,
                        null),
                random.nextBoolean() ? Accounting.DOCUMENTED : Accounting.STEADY,
                new QuantizationScheme(
                        LinearQuantization.W8A8_DYNAMIC,
                        latent && model.contains("Qwen3-8B")
                                ? AttentionQuantization.INT8
                                : AttentionQuantization.DISABLED,
                        QuantizationScheme.DEFAULT_MXFP4_GROUP_SIZE));
    }

    private static DeviceProfile device(Random random) {
        List<String> names = List.of("H100_SXM", "B200_SXM", "ATLAS_800_A2_376T_64G", "ATLAS_800_A3_752T_128G_DIE");
        return CATALOGS.devices().find(names.get(random.nextInt(names.size()))).orElseThrow();
    }

    private static List<Integer> sizes(Random random) {
        List<Integer> sizes = new ArrayList<>();
        for (int size : SIZES) {
            if (random.nextBoolean()) {
                sizes.add(size);
            }
        }
        return sizes.size() < 2 ? List.of(2, 8) : sizes;
    }

    /// What the cache of a request takes on one device, by the forward estimate.
    private static double bytes(Asked asked) {
        boolean experts = asked.model.experts().isPresent();
        ParallelLayout one = new ParallelLayout(1, 1, 1, experts ? new ExpertLayout(1, 1, 1) : null);
        Deployment deployment = new Deployment(
                asked.model,
                asked.devices.getFirst(),
                one,
                asked.quantization,
                new Execution(true, 0, 0, PassAccounting.STEADY, false, false));
        int input = asked.workload.lengths().longest();
        MemoryFootprint memory = ESTIMATOR
                .estimate(deployment, new ForwardShape.Uniform(1, Request.decode(1, input), null, true))
                .memory();
        return memory.kvCacheBytesPerToken() * input + memory.stateBytes();
    }

    private static List<Rate> rates(Asked asked, List<Integer> sizes, Limits limits, Phase phase) {
        boolean prefills = phase == Phase.PREFILL;
        List<Rate> rates = new ArrayList<>();
        for (int size : sizes) {
            int output = asked.workload.outputTokens();
            DeviceResult alone = asked.answer(Pairing.of(size, size), limits).getFirst();
            (prefills ? alone.phases().getFirst() : alone.phases().getLast())
                    .recorded().stream()
                            .map(row -> {
                                double millis = Objects.requireNonNull(
                                        prefills
                                                ? row.figures().ttftMillis()
                                                : row.figures().tpotMillis());
                                double requestsPerS = asked.accounting.isReference()
                                        ? row.concurrency()
                                                / (prefills ? millis : millis * Math.max(output - 1, 1))
                                                * 1000
                                        : 1000
                                                / new PassTime(ESTIMATOR)
                                                        .perRequest(phase, row.candidate(), row.batchSize());
                                return new Rate(size, requestsPerS, millis);
                            })
                            .filter(rate -> rate.millis
                                    <= Objects.requireNonNull(prefills ? limits.ttftMillis() : limits.tpotMillis()))
                            .forEach(rates::add);
        }
        return rates;
    }

    private static double bestPerDevice(List<Rate> prefill, List<Rate> decode, int devices, boolean apart) {
        double best = 0;
        for (Rate one : most(prefill)) {
            for (Rate other : most(decode)) {
                for (int p = 1; p * one.devices <= devices; p++) {
                    int left = apart ? devices : devices - p * one.devices;
                    for (int d = 1; d * other.devices <= left; d++) {
                        double rate = Math.min(p * one.requestsPerS, d * other.requestsPerS)
                                / (p * one.devices + d * other.devices);
                        best = Math.max(best, rate);
                    }
                }
            }
        }
        return best;
    }

    /// Of instances of one size those that serve most.
    private static List<Rate> most(List<Rate> rates) {
        return rates.stream()
                .filter(rate -> rates.stream()
                        .noneMatch(other -> other.devices == rate.devices && other.requestsPerS > rate.requestsPerS))
                .distinct()
                .toList();
    }

    /// 64 layers of 8 heads of 128, keys and values of 2 bytes: 256 KiB a token. 4096 tokens are 1 GiB, which take 40
    /// ms at 25 GiB/s.
    @Test
    void theTransferOfAnExampleIsWorkedOutByHand() {
        Asked asked = new Asked(
                CATALOGS.models().find("Qwen/Qwen3-32B").orElseThrow(),
                List.of(CATALOGS.devices().find("H100_SXM").orElseThrow()),
                16,
                new Workload(new Lengths.Fixed(4096), 500, 0.25, null),
                Accounting.DOCUMENTED,
                new QuantizationScheme(
                        LinearQuantization.FP8,
                        AttentionQuantization.DISABLED,
                        QuantizationScheme.DEFAULT_MXFP4_GROUP_SIZE));
        Pairing pairing = new Pairing(
                new Instances(List.of(4), List.of()),
                new Instances(List.of(4), List.of()),
                new KvTransferLink(25 * GIB, 5));

        PdRatioRow best = Objects.requireNonNull(
                        asked.answer(pairing, Limits.NONE).getFirst().pdRatio())
                .rows()
                .getFirst();

        assertThat(together(best).handover()).isEqualTo(new KvTransferLink.Handover(GIB, 45));
        assertThat(together(best).ttftMillis()).isEqualTo(best.prefill().latencyMillis() + 45);
    }

    @Test
    void aTransferThatTakesLongerThanALimitLeavesNoPrefillInstance() {
        Asked asked = asked(new Random(1), false);
        Pairing pairing = new Pairing(
                new Instances(List.of(4), List.of()),
                new Instances(List.of(4), List.of()),
                new KvTransferLink(GIB, 3000.5));

        DeviceResult found = asked.answer(pairing, new Limits(2000.0, null)).getFirst();

        assertThat(Objects.requireNonNull(found.pdRatio()).rows()).isEmpty();
        assertThat(found.phases().getFirst().rejected())
                .isNotEmpty()
                .allSatisfy(rejected -> assertThat(rejected.detail())
                        .startsWith("KV transfer 3")
                        .endsWith(" ms alone exceeds 2000.0 ms"));
    }

    /// By total throughput, by price and by what a user sees.
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void pairsAreRankedByTheObjective(long seed) {
        Asked asked = asked(new Random(seed), true);
        List<String> names = asked.devices.stream().map(DeviceProfile::name).toList();
        Pairing pairing =
                new Pairing(new Instances(List.of(2, 4, 8), List.of()), new Instances(List.of(4, 8), names), null);
        for (Objective objective : List.of(
                new Objective.TokensPerSecond(),
                new Objective.TokensPerSecondPerDevice(),
                new Objective.TokensPerSecondPerUser(3),
                new Objective.CostPerMillionTokens(Map.of(names.getFirst(), 3.0, names.getLast(), 0.5), null))) {
            OptimizationResult result = new Optimizer(ESTIMATOR)
                    .optimize(asked.with(pairing, Limits.NONE, objective), SearchMonitor.SILENT);
            PairObjective figure = new PairObjective(objective, asked.workload.outputTokens());

            assertThat(result.devices()).hasSize(4);
            for (DeviceResult device : result.devices()) {
                List<PdRatioRow> rows = Objects.requireNonNull(device.pdRatio()).rows();
                assertThat(rows.stream().map(row -> figure.value(row).orElseThrow()))
                        .isSortedAccordingTo(
                                objective.isCost() ? Double::compare : (one, other) -> Double.compare(other, one));
                assertThat(rows).allSatisfy(row -> {
                    InstanceCounts counts = Objects.requireNonNull(row.instances());
                    double tokens = together(row).requestsPerS() * asked.workload.outputTokens();
                    int p = counts.prefill() * row.prefill().deviceCount();
                    int d = counts.decode() * row.decode().deviceCount();
                    double expected = switch (objective) {
                        case Objective.TokensPerSecond() -> tokens;
                        case Objective.TokensPerSecondPerDevice() -> tokens / (p + d);
                        case Objective.TokensPerSecondPerUser(var _) ->
                            1000 / row.decode().latencyMillis();
                        case Objective.CostPerMillionTokens cost ->
                            (p * cost.price(row.prefill().device())
                                            + d * cost.price(row.decode().device()))
                                    / 3600
                                    / tokens
                                    * 1e6;
                    };
                    assertThat(figure.value(row).orElseThrow()).isCloseTo(expected, within(expected * 1e-12));
                    assertThat(together(row).devices()).isEqualTo(p + d);
                });
            }
            assertThat(result.comparison().orElseThrow().pdRatio()).hasSizeLessThanOrEqualTo(4);
        }
    }

    @Test
    void whatCanBeInNoPairIsRefused() {
        Asked asked = asked(new Random(5), true);
        String one = asked.devices.getFirst().name();
        String other = asked.devices.getLast().name();
        int count = asked.deviceCount;

        assertThat(objections(asked, instances(List.of(2, count + 1), one), instances(List.of(2), other)))
                .containsExactly(
                        "PREFILL_DEVICES 1 must be at most the device count (" + count + "), got " + (count + 1));
        assertThat(objections(asked, instances(List.of(2), one), instances(List.of(2), one)))
                .containsExactly("DEVICES 1 is " + other + ": pd_ratio has neither prefill nor decode instances of it");
        assertThat(objections(asked, instances(List.of(2), "NONE"), instances(List.of(2), one)))
                .containsExactly("PREFILL_KINDS null is NONE: it must be named in devices");
        assertThat(objections(asked, instances(List.of(2)), instances(List.of(2, 1, count))))
                .containsExactly("DECODE_DEVICES 2 is " + count
                        + ": with the smallest instance of the other kind it takes " + (count + 2) + " of " + count
                        + " devices");
    }

    private static Instances instances(List<Integer> sizes, String... kinds) {
        return new Instances(sizes, List.of(kinds));
    }

    private static List<String> objections(Asked asked, Instances prefill, Instances decode) {
        List<String> objections = new ArrayList<>();
        assertThatThrownBy(() -> asked.with(new Pairing(prefill, decode, null), Limits.NONE, null))
                .isInstanceOfSatisfying(
                        InvalidProblemException.class,
                        refused -> refused.objections()
                                .forEach(objection -> objections.add(
                                        objection.subject() + " " + objection.element() + " " + objection.message())));
        return objections;
    }

    private static Together together(PdRatioRow row) {
        return Objects.requireNonNull(row.together());
    }
}

package io.throughputoptimizer.core.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.core.capacity.CapacityPlan.Group;
import io.throughputoptimizer.core.forward.MemoryFootprint;
import io.throughputoptimizer.core.hardware.DeviceProfile;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.search.InstanceCounts;
import io.throughputoptimizer.core.search.OptimizationProblem;
import io.throughputoptimizer.core.search.OptimizationProblem.Axes;
import io.throughputoptimizer.core.search.OptimizationProblem.BatchPlan;
import io.throughputoptimizer.core.search.OptimizationProblem.Demand;
import io.throughputoptimizer.core.search.OptimizationProblem.Search;
import io.throughputoptimizer.core.search.OptimizationProblem.Serving;
import io.throughputoptimizer.core.search.OptimizationResult.DeviceResult;
import io.throughputoptimizer.core.search.Optimizer;
import io.throughputoptimizer.core.search.PdRatioRow;
import io.throughputoptimizer.core.search.PdRatioRow.Side;
import io.throughputoptimizer.core.search.ProblemOutline.SearchMode;
import io.throughputoptimizer.core.search.SearchMonitor;
import io.throughputoptimizer.core.search.batch.BatchRange;
import io.throughputoptimizer.core.search.batch.BatchStrategy;
import io.throughputoptimizer.core.search.space.AvailableDevices;
import io.throughputoptimizer.core.search.space.DraftTokenAxis;
import io.throughputoptimizer.core.search.space.KvTransferLink;
import io.throughputoptimizer.core.search.space.Pairing;
import io.throughputoptimizer.core.search.space.Pairing.Instances;
import io.throughputoptimizer.core.search.space.ParallelSizes;
import io.throughputoptimizer.core.search.space.QuantizationAxis;
import io.throughputoptimizer.core.search.space.TokenBudgetAxis;
import io.throughputoptimizer.core.serving.Accounting;
import io.throughputoptimizer.core.serving.DraftAcceptance;
import io.throughputoptimizer.core.workload.LengthBin;
import io.throughputoptimizer.core.workload.LengthDistribution;
import io.throughputoptimizer.core.workload.Lengths;
import io.throughputoptimizer.core.workload.Limits;
import io.throughputoptimizer.core.workload.OutputLengths;
import io.throughputoptimizer.core.workload.Phase;
import io.throughputoptimizer.core.workload.Workload;
import io.throughputoptimizer.fixture.Nightly;
import io.throughputoptimizer.fixture.PassTime;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

/// No deployment whose devices are counted needs more of their time than there is: the requests a second that it is
/// counted for, times what the passes of one take, priced by themselves, are at most its instances.
class DeviceTimeTest {
    /// What three decimals of a latency in ms, or of tokens a second, leave open.
    private static final double ROUNDING = 0.0005;

    private static final int QUESTIONS = Nightly.isNow() ? 240 : 60;
    private static final PassTime PASSES = new PassTime(CapacityCase.ESTIMATOR);
    private static final List<String> MODELS = List.of(
            "Qwen/Qwen3-8B",
            "Qwen/Qwen3-30B-A3B",
            "deepseek-ai/DeepSeek-V3.1",
            "meta-llama/Meta-Llama-3.1-8B",
            "zai-org/GLM-4.5-Air");
    private static final List<String> DEVICES =
            List.of("H100_SXM", "H200_SXM", "B200_SXM", "ATLAS_800_A3_752T_128G_DIE");

    private final CountedTime time = new CountedTime();

    @Test
    void noCountedDeploymentNeedsMoreTimeThanItsDevicesHave(TestReporter reporter) {
        for (long seed = 0; seed < QUESTIONS; seed++) {
            Random random = new Random(seed);
            switch ((int) (seed % 4)) {
                case 0, 1 -> pairs(seed, random, Accounting.STEADY);
                case 2 -> pairs(seed, random, Accounting.DOCUMENTED);
                default -> capacity(seed, random, Accounting.values()[(int) (seed / 4 % 2)]);
            }
        }

        time.report(reporter);
        assertThat(time.broken()).isEmpty();
        assertThat(time.asked())
                .containsExactly(
                        "documented capacity",
                        "documented pairs kinds",
                        "documented pairs lists",
                        "documented pairs plain",
                        "documented pairs transfer",
                        "steady capacity",
                        "steady pairs kinds",
                        "steady pairs lists",
                        "steady pairs plain",
                        "steady pairs transfer");
        assertThat(time.questions()).isEqualTo(QUESTIONS);
        assertThat(time.fewestGroups()).isGreaterThan(QUESTIONS / 12);
        assertThat(time.groups()).isGreaterThan(20 * QUESTIONS);
    }

    private void pairs(long seed, Random random, Accounting accounting) {
        String kind = List.of("plain", "lists", "kinds", "transfer").get((int) (seed / 4 % 4));
        String what = WireFormat.name(accounting) + " pairs " + kind;
        time.asked(what);
        ModelArchitecture model = model(random);
        boolean large = model.experts().isPresent();
        List<DeviceProfile> devices = kind.equals("kinds")
                ? List.of(device(DEVICES.get(random.nextInt(2))), device(DEVICES.get(2 + random.nextInt(2))))
                : List.of(device(DEVICES.get(random.nextInt(DEVICES.size()))));
        List<Integer> sizes = large ? List.of(8, 16) : List.of(1, 2, 4);
        List<Integer> some = kind.equals("plain") ? List.of(sizes.get(random.nextInt(sizes.size()))) : sizes;
        boolean apart = devices.size() > 1;
        Pairing pairing = new Pairing(
                new Instances(some, apart ? List.of(devices.getFirst().name()) : List.of()),
                new Instances(
                        kind.equals("plain") ? List.of(sizes.get(random.nextInt(sizes.size()))) : sizes,
                        apart ? List.of(devices.getLast().name()) : List.of()),
                kind.equals("transfer")
                        ? new KvTransferLink((1 + random.nextInt(40)) * MemoryFootprint.GIB, random.nextInt(20))
                        : null);
        OptimizationProblem problem = new OptimizationProblem(
                model,
                devices,
                (large ? 32 : 8) + random.nextInt(64),
                demand(random, accounting),
                serving(random, model),
                search(random, SearchMode.PD_RATIO, accounting, pairing, model),
                false);
        for (DeviceResult found : new Optimizer(CapacityCase.ESTIMATOR)
                .optimize(problem, SearchMonitor.SILENT)
                .devices()) {
            for (PdRatioRow row : Objects.requireNonNull(found.pdRatio()).rows()) {
                PdRatioRow.Available available = Objects.requireNonNull(row.available());
                if (available.most() != null) {
                    pair(
                            what,
                            seed,
                            row,
                            available.most().counts(),
                            available.most().requestsPerS());
                }
                if (row.together() != null) {
                    pair(
                            what,
                            seed,
                            row,
                            Objects.requireNonNull(row.instances()),
                            row.together().requestsPerS());
                }
            }
        }
    }

    private void pair(String what, long seed, PdRatioRow row, InstanceCounts counts, double requestsPerS) {
        Side prefill = row.prefill();
        Side decode = row.decode();
        boolean reference = prefill.candidate().terms().accounting().isReference();
        time.holds(
                what,
                seed,
                requestsPerS,
                PASSES.perRequest(Phase.PREFILL, prefill.candidate(), prefill.batchSize()),
                counts.prefill(),
                reference ? ROUNDING / prefill.latencyMillis() : 0);
        time.holds(
                what,
                seed,
                requestsPerS,
                PASSES.perRequest(Phase.DECODE, decode.candidate(), decode.batchSize()),
                counts.decode(),
                reference ? ROUNDING / decode.latencyMillis() : 0);
    }

    private void capacity(long seed, Random random, Accounting accounting) {
        String what = WireFormat.name(accounting) + " capacity";
        time.asked(what);
        ModelArchitecture model = model(random);
        Demand demand = demand(random, accounting);
        double outputs = demand.workload().outputs().mean();
        Requirement.Unit unit = List.of(Requirement.Unit.values()).get(random.nextInt(3));
        double amount = switch (unit) {
            case REQUESTS_PER_S -> 1 + random.nextInt(40);
            case TOKENS_PER_S -> (1 + random.nextInt(40)) * outputs;
            case CONCURRENCY, CONVERSATIONS -> 1 + random.nextInt(500);
        };
        CapacityProblem problem = new CapacityProblem(
                model,
                List.of(device(DEVICES.get(random.nextInt(DEVICES.size())))),
                AvailableDevices.ofEach(256),
                model.experts().isPresent() ? List.of(8, 16) : List.of(1, 2, 4),
                new Requirement(unit, amount, random.nextInt(3) / 5.0, outputs),
                demand,
                serving(random, model),
                search(random, SearchMode.AGGREGATION, accounting, null, model),
                random.nextInt(3) == 0 ? new KvTransferLink(20 * MemoryFootprint.GIB, 5) : null);
        CapacityResult result = CapacityCase.answer(problem);
        for (List<DemandPlan> plans : List.of(result.plans(), result.beyond(), result.reaches())) {
            for (DemandPlan plan : plans) {
                for (Group group : ((CapacityPlan) plan).groups()) {
                    group(what, seed, plan, group);
                }
            }
        }
    }

    /// At its most it serves the demand with headroom, at its load the demand.
    private void group(String what, long seed, DemandPlan plan, Group group) {
        Requirement asked = plan.requirement();
        var peak = group.peak().row();
        var load = group.load();
        double open = peak.candidate().terms().accounting().isReference()
                ? 2 * ROUNDING / load.figures().tokensPerSecond()
                : 0;
        double atPeak = PASSES.perRequest(group.phase(), peak.candidate(), peak.batchSize());
        time.holds(
                what,
                seed,
                plan.requestsPerSecond(),
                PASSES.perRequest(group.phase(), load.candidate(), load.batchSize()),
                group.count(),
                open);
        time.holds(what, seed, plan.mostRequestsPerSecond(), atPeak, group.count(), open);
        if (asked.unit() != Requirement.Unit.CONCURRENCY) {
            double planned = asked.amount()
                    * (1 + asked.headroom())
                    / (asked.unit() == Requirement.Unit.TOKENS_PER_S ? asked.outputTokens() : 1);
            time.holds(what, seed, planned, atPeak, group.count(), open);
        }
    }

    private static ModelArchitecture model(Random random) {
        return CapacityCase.CATALOGS
                .models()
                .find(MODELS.get(random.nextInt(MODELS.size())))
                .orElseThrow();
    }

    private static DeviceProfile device(String name) {
        return CapacityCase.CATALOGS.devices().find(name).orElseThrow();
    }

    /// Some with a prefix cache, and where they can be served some of unequal lengths.
    private static Demand demand(Random random, Accounting accounting) {
        boolean unequal = !accounting.isReference() && random.nextInt(3) == 0;
        int input = 100 + random.nextInt(6000);
        int output = 2 + random.nextInt(600);
        Lengths lengths = unequal
                ? new Lengths.Mixed(new LengthDistribution(List.of(
                        new LengthBin(input / 2, input, 1 + random.nextInt(9)),
                        new LengthBin(input, 2 * input, 1 + random.nextInt(9)),
                        new LengthBin(3 * input, 4 * input, 1))))
                : new Lengths.Fixed(input);
        OutputLengths outputs = unequal && random.nextBoolean()
                ? OutputLengths.of(new LengthDistribution(
                        List.of(new LengthBin(1, output, 3), new LengthBin(output, 4 * output, 1))))
                : OutputLengths.fixed(output);
        return new Demand(
                new Workload(lengths, outputs, random.nextInt(3) == 0 ? 0.4 : 0, null),
                new Limits(
                        random.nextInt(3) == 0 ? null : 300 + random.nextDouble(6000),
                        random.nextInt(3) == 0 ? null : 10 + random.nextDouble(70)),
                true,
                null);
    }

    private static Serving serving(Random random, ModelArchitecture model) {
        return new Serving(
                true,
                0,
                random.nextInt(3) == 0 ? 2.5 : 0,
                model.drafts() == null ? DraftAcceptance.NONE : new DraftAcceptance.ByPosition(List.of(0.8)),
                false,
                false);
    }

    /// Some cut prompts.
    private static Search search(
            Random random, SearchMode mode, Accounting accounting, @Nullable Pairing pairing, ModelArchitecture model) {
        TokenBudgetAxis budgets = random.nextInt(3) == 0
                ? new TokenBudgetAxis(List.of(1024 + random.nextInt(8192)))
                : TokenBudgetAxis.CHOSEN;
        return new Search(
                mode,
                accounting,
                new Axes(
                        new ParallelSizes(null, null, null),
                        new DraftTokenAxis(List.of(model.drafts() == null ? 0 : random.nextInt(2))),
                        budgets,
                        QuantizationAxis.of(CapacityCase.QUANTIZATION)),
                new BatchPlan(BatchStrategy.EXPONENTIAL, new BatchRange(1, 8 + random.nextInt(120))),
                pairing);
    }
}

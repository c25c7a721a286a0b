package io.throughputoptimizer.launch;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.problem.InvalidRequestException;
import io.throughputoptimizer.api.reading.ProblemReader;
import io.throughputoptimizer.api.reading.ProblemReader.Accepted;
import io.throughputoptimizer.api.reading.SearchQuestion;
import io.throughputoptimizer.api.request.OptimizationRequest;
import io.throughputoptimizer.api.result.LaunchResponse.ServerResponse;
import io.throughputoptimizer.api.result.PdRatioRowResponse;
import io.throughputoptimizer.api.result.ResultResponse;
import io.throughputoptimizer.api.result.ResultResponse.DeviceResponse;
import io.throughputoptimizer.api.result.RowResponse;
import io.throughputoptimizer.api.result.figure.EngineMemoryResponse;
import io.throughputoptimizer.api.result.figure.MemoryResponse;
import io.throughputoptimizer.api.result.figure.ParallelResponse;
import io.throughputoptimizer.core.calibrated.CalibratedDevice;
import io.throughputoptimizer.core.calibrated.CalibratedProblem;
import io.throughputoptimizer.core.forward.AnalyticForwardEstimator;
import io.throughputoptimizer.core.forward.ForwardPlan;
import io.throughputoptimizer.core.kernels.CalibratedDeployment;
import io.throughputoptimizer.core.kernels.CalibratedMemory;
import io.throughputoptimizer.core.kernels.Speculation;
import io.throughputoptimizer.core.memory.MemorySettings;
import io.throughputoptimizer.core.memory.RankMemory;
import io.throughputoptimizer.core.search.Optimizer;
import io.throughputoptimizer.core.search.SearchMonitor;
import io.throughputoptimizer.fixture.BuiltIn;
import io.throughputoptimizer.fixture.Nightly;
import io.throughputoptimizer.job.RunOptimization;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// Commands of seeded plans, by arithmetic from their own parts: they ask for no more memory than a device shows.
class LaunchMemoryLawTest {
    private static final int PLANS = Nightly.isNow() ? 500 : 40;
    private static final double ROUNDING = 1e-9;
    private static final List<String> MODELS = List.of(
            "Qwen/Qwen3-8B",
            "Qwen/Qwen3-32B",
            "Qwen/Qwen3-30B-A3B",
            "meta-llama/Llama-3.3-70B-Instruct",
            "openai/gpt-oss-120b",
            "openai/gpt-oss-20b",
            "google/gemma-3-27b-it",
            "Qwen/Qwen3.5-35B-A3B",
            "deepseek-ai/DeepSeek-V3",
            "deepseek-ai/DeepSeek-V4-Flash");
    private static final List<String> DEVICES =
            List.of("H100_SXM", "H200_SXM", "A100_SXM", "B200_SXM", "L40S", "ATLAS_800_A2_376T_64G");
    static final ProblemReader PROBLEMS = new ProblemReader(BuiltIn.CATALOGS, Long.MAX_VALUE);
    private static final AnalyticForwardEstimator ESTIMATOR = new AnalyticForwardEstimator(ForwardPlan::new);
    static final RunOptimization SEARCH = new RunOptimization(PROBLEMS, new Optimizer(ESTIMATOR), ESTIMATOR);

    private int servers;
    private int lowered;
    private int bytes;
    private int refused;

    @Test
    void commandsAskForNoMoreThanDevicesShow() {
        int plans = 0;
        for (long seed = 0; plans < PLANS; seed++) {
            assertThat(seed).isLessThan(20L * PLANS);
            plans += launches(request(new Random(seed))) ? 1 : 0;
        }
        assertThat(servers).isGreaterThanOrEqualTo(PLANS);
        assertThat(lowered).isGreaterThan(PLANS / 100);
        assertThat(bytes).isGreaterThan(PLANS / 50);
        assertThat(refused).isLessThan(PLANS / 4);
    }

    /// Returns whether a request has a plan that is launched.
    private boolean launches(ObjectNode question) {
        Accepted accepted;
        try {
            accepted = PROBLEMS.accept(WireFormat.read(question.toString(), OptimizationRequest.class));
        } catch (InvalidRequestException _) {
            return false;
        }
        ResultResponse result = SEARCH.answer(accepted.problem(), SearchMonitor.SILENT);
        DeviceResponse device = result.devices().getFirst();
        String engine = question.at("/engine/backend").asString();
        List<ServerResponse> launched;
        List<Rank> ranks = ranks(device);
        if (ranks.isEmpty()) {
            return false;
        }
        try {
            launched = new Launcher(BuiltIn.CATALOGS, engine)
                    .launch(accepted.effective(), result, new Launcher.Asked(null, 1, null), false)
                    .servers();
        } catch (CannotLaunchException e) {
            assertThat(e.getMessage()).matches(".*(GiB|cannot run this row|does not run).*");
            refused++;
            return false;
        }
        CalibratedProblem problem = ((SearchQuestion.Calibrated) accepted.problem()).problem();
        for (int kind = 0; kind < ranks.size(); kind++) {
            check(question, problem, ranks.get(kind), launched.get(kind).command());
        }
        return true;
    }

    /// A rank of a row, with the memory that the row has.
    private record Rank(ParallelResponse parallel, MemoryResponse memory, boolean apart, int drafts) {}

    private static List<Rank> ranks(DeviceResponse device) {
        if (device.pdRatio() == null) {
            List<RowResponse> rows = device.phases().getFirst().rows();
            return rows.stream()
                    .limit(1)
                    .map(row -> new Rank(row.parallel(), row.memory(), false, drafts(row.parallel())))
                    .toList();
        }
        List<PdRatioRowResponse> pairs = device.pdRatio().rows();
        if (pairs.isEmpty()) {
            return List.of();
        }
        PdRatioRowResponse pair = pairs.getFirst();
        int drafts = drafts(pair.decodeParallel());
        return List.of(
                new Rank(
                        pair.prefillParallel(),
                        requireNonNull(requireNonNull(pair.load()).prefillMemory()),
                        true,
                        drafts),
                new Rank(pair.decodeParallel(), requireNonNull(pair.load().memory()), true, drafts));
    }

    private static int drafts(ParallelResponse parallel) {
        return Optional.ofNullable(parallel.variant())
                .map(variant -> variant.numMtpTokens())
                .orElse(0);
    }

    private void check(ObjectNode question, CalibratedProblem problem, Rank rank, String command) {
        EngineMemoryResponse parts = requireNonNull(rank.memory.engine());
        List<String> words = Arrays.asList(command.split("\\s+"));
        servers++;
        String told = question + ": " + command;
        int sequences = (int) figure(words, "--max-num-seqs");
        int budget = (int) figure(words, "--max-num-batched-tokens");
        long context = (long) figure(words, "--max-model-len");
        assertThat(sequences).as(told).isEqualTo(parts.maxNumSeqs());
        assertThat(budget).as(told).isEqualTo(parts.maxBatchedTokens());

        CalibratedDevice device = problem.devices().getFirst();
        CalibratedDeployment deployment = deployment(problem, device, rank);
        MemorySettings stated = device.engine().memorySettings();
        MemorySettings settings = new MemorySettings(
                stated.version(),
                words.contains("--gpu-memory-utilization")
                        ? Double.valueOf(figure(words, "--gpu-memory-utilization"))
                        : null,
                sequences,
                budget,
                context,
                !words.contains("--enforce-eager"),
                !words.contains("--limit-mm-per-prompt"),
                stated.kernel(),
                true,
                words.contains("--kv-cache-memory-bytes")
                        ? Double.valueOf(figure(words, "--kv-cache-memory-bytes") / RankMemory.GIB)
                        : null,
                null);
        RankMemory memory = CalibratedMemory.of(deployment, settings);
        double seen = memory.rank().device().seenGib();
        double free = seen - memory.weightsGib() - memory.activationGib() - memory.otherGib() - memory.graphsGib();
        if (words.contains("--kv-cache-memory-bytes")) {
            bytes++;
            assertThat(figure(words, "--kv-cache-memory-bytes")).as(told).isLessThanOrEqualTo(free * RankMemory.GIB);
        } else {
            double share = requireNonNull(settings.share());
            assertThat(free - (1 - share) * seen)
                    .as(told)
                    .isEqualTo(requireNonNull(parts.kvPoolGib()), within(ROUNDING));
            assertThat((1 - share) * seen).as(told).isGreaterThanOrEqualTo(memory.outsideShareGib() - ROUNDING);
        }
        double low = (memory.poolGib() + memory.band().lowGib()) * RankMemory.GIB;
        assertThat(memory.cache().admittedBytes(context)).as(told).isLessThanOrEqualTo(low);
        assertThat(memory.fit()).as(told).isEqualTo(RankMemory.Fit.YES);
        long longest = requireNonNull(parts.maxModelLenLow());
        if (context == longest) {
            lowered++;
            assertThat(memory.cache().admittedBytes(context + 1))
                    .as(told)
                    .isGreaterThan(memory.cache().usableBytes(low));
        }
    }

    private static CalibratedDeployment deployment(CalibratedProblem problem, CalibratedDevice device, Rank rank) {
        ParallelResponse parallel = rank.parallel;
        int ep = parallel.ep() == null ? 1 : parallel.ep();
        var layout = CalibratedDeployment.layout(problem.model(), parallel.tp(), parallel.dp(), ep);
        CalibratedDeployment plain = rank.apart
                ? device.deploymentApart(problem.model(), layout)
                : device.deployment(problem.model(), layout);
        return rank.drafts == 0 ? plain : plain.with(new Speculation(rank.drafts, 1, Speculation.USUAL_REQUEST_MILLIS));
    }

    private static double figure(List<String> words, String option) {
        return Double.parseDouble(words.get(words.indexOf(option) + 1));
    }

    private static ObjectNode request(Random random) {
        String device = DEVICES.get(random.nextInt(DEVICES.size()));
        String model = MODELS.get(random.nextInt(MODELS.size()));
        boolean ascend = device.startsWith("ATLAS");
        int devices = 1 << random.nextInt(4);
        boolean pairs = random.nextInt(4) == 0;
        ObjectNode request = JsonMapper.shared().createObjectNode();
        request.put("cost_model", "calibrated").put("model_id", model).put("allow_beyond_context", true);
        request.put("num_devices", pairs ? 2 * devices : devices);
        request.putArray("devices").add(device);
        int input = 1 << (7 + random.nextInt(9));
        int output = 1 << (5 + random.nextInt(6));
        request.putObject("workload")
                .put("input_length", input)
                .put("output_length", output)
                .put("prefix_cache_hit_rate", random.nextBoolean() ? 0.5 : 0);
        request.putObject("quantization").put("scheme", ascend ? "W8A8" : scheme(random, model));
        engine(random, input + output, request.putObject("engine").put("backend", ascend ? "vllm-ascend" : "vllm"));
        request.putObject("search").putArray("tp_sizes").add(Math.min(devices, 1 << random.nextInt(4)));
        if (pairs) {
            request.put("mode", "pd_ratio");
            request.putObject("pd_ratio")
                    .put("prefill_devices_per_instance", devices)
                    .put("decode_devices_per_instance", devices);
        }
        if (random.nextInt(5) == 0 && (model.startsWith("deepseek") || model.startsWith("Qwen/Qwen3.5"))) {
            ObjectNode speculation = request.putObject("speculation").put("num_draft_tokens", 1);
            speculation.putObject("acceptance").putArray("rates").add(0.7);
        }
        return request;
    }

    private static String scheme(Random random, String model) {
        if (model.startsWith("openai")) {
            return "MXFP4_EXPERTS";
        } else if (model.startsWith("deepseek-ai/DeepSeek-V4")) {
            return "FP8_MXFP4";
        }
        return List.of("BF16", "FP8", "FP8_BLOCK").get(random.nextInt(3));
    }

    private static void engine(Random random, int longest, ObjectNode engine) {
        List<@Nullable String> versions = new ArrayList<>(List.of("0.10.1", "0.16.0", "0.19.0", "0.24.0", "0.29"));
        versions.add(null);
        engine.put("version", versions.get(random.nextInt(versions.size())));
        switch (random.nextInt(6)) {
            case 0 -> engine.put("kv_pool_gib", 1 + 12 * random.nextDouble());
            case 1 ->
                engine.put(
                        "kv_tokens",
                        random.nextBoolean() ? 1000 + random.nextInt(100_000) : longest + random.nextInt(256));
            case 2, 3 ->
                engine.put("memory_share", List.of(0.8, 0.885, 0.95, 0.99).get(random.nextInt(4)));
            default -> {}
        }
        if (random.nextInt(5) == 0) {
            engine.put("cuda_graphs", false);
        }
        if (random.nextInt(5) == 0) {
            engine.put("image_tower", false);
        }
        if (random.nextInt(3) == 0) {
            engine.put("max_model_len", 1 << (12 + random.nextInt(8)));
        }
        if (random.nextInt(5) == 0) {
            engine.put("max_num_seqs", 1 << random.nextInt(10));
        }
        if (random.nextInt(4) == 0) {
            engine.put("max_batched_tokens", 1024 << random.nextInt(5));
        }
    }
}

package io.throughputoptimizer.api.metrics;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.WireFormat.Syntax;
import io.throughputoptimizer.api.enginelog.EngineLogReader;
import io.throughputoptimizer.api.enginelog.EngineLogResponse;
import io.throughputoptimizer.api.enginelog.EngineLogResponse.ServerParallelResponse;
import io.throughputoptimizer.api.metrics.ComparisonRequest.RunningRequest;
import io.throughputoptimizer.api.metrics.ComparisonResponse.CorrectedResponse;
import io.throughputoptimizer.api.metrics.ComparisonResponse.DevicesResponse;
import io.throughputoptimizer.api.metrics.ComparisonResponse.GainResponse;
import io.throughputoptimizer.api.metrics.ComparisonResponse.LimitsResponse;
import io.throughputoptimizer.api.metrics.ComparisonResponse.MeasuredResponse;
import io.throughputoptimizer.api.metrics.ComparisonResponse.NowResponse;
import io.throughputoptimizer.api.metrics.ComparisonResponse.PlanResponse;
import io.throughputoptimizer.api.metrics.ComparisonResponse.ServerResponse;
import io.throughputoptimizer.api.metrics.MetricsResponse.RowResponse;
import io.throughputoptimizer.api.problem.InvalidRequestException;
import io.throughputoptimizer.api.problem.Violation;
import io.throughputoptimizer.api.request.CheckpointName;
import io.throughputoptimizer.api.request.DemandRequest;
import io.throughputoptimizer.api.request.LimitsRequest;
import io.throughputoptimizer.api.request.SubmittedRequest;
import io.throughputoptimizer.api.result.BestPlanResponse;
import io.throughputoptimizer.api.result.BestPlanResponse.InstancesResponse;
import io.throughputoptimizer.api.result.BestPlanResponse.IntervalResponse;
import io.throughputoptimizer.api.result.figure.ParallelResponse;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Comparison of a running server with the best plan for the same devices, by searches that the caller runs.
/// Used by one thread.
public final class Comparison {
    private static final double HEADROOM = 0.2;
    private static final double LEAST_GAIN = 5;
    private static final double PERCENT = 100;

    private static final Set<String> OF_ALL_LAYOUTS = Set.of("backend", "version", "kv_cache_dtype", "memory_share");

    /// Engine settings of a running server that a search takes.
    private static final List<String> SETTINGS = List.of(
            "backend",
            "version",
            "kv_cache_dtype",
            "memory_share",
            "max_num_seqs",
            "max_batched_tokens",
            "kv_tokens",
            "kv_pool_gib");

    /// Places of a search request and what stands there in a comparison.
    private static final Map<String, String> PLACES = new LinkedHashMap<>();

    static {
        PLACES.put("/model_id", "/running/model_id");
        PLACES.put("/quantization/scheme", "/running/scheme");
        PLACES.put("/quantization", "/running/scheme");
        PLACES.put("/engine", "/running");
        PLACES.put("/devices", "/device");
        PLACES.put("/search", "/running/parallel");
        PLACES.put("/workload", "/traffic/workload");
        PLACES.put("/demand", "/traffic/demand");
        PLACES.put("/num_devices", "/running");
        PLACES.put("/feedback", "/traffic/measured");
    }

    /// A search for the best plan.
    @FunctionalInterface
    public interface Search {
        /// Returns the best plan of a request; null if none is feasible.
        @Nullable
        BestPlanResponse best(SubmittedRequest request) throws InterruptedException;
    }

    /// A running server, by all that is stated about it.
    private static final class Running {
        private final Map<String, Object> engine = new LinkedHashMap<>(Map.of("backend", "vllm"));
        private @Nullable String modelId;
        private @Nullable String scheme;
        private int tp = 1;
        private int dp = 1;
        private int ep = 1;
        private int instances = 1;

        private void take(Object settings) {
            Map<?, ?> members = WireFormat.read(WireFormat.write(settings), Map.class);
            SETTINGS.stream()
                    .filter(members::containsKey)
                    .forEach(name -> engine.put(name, requireNonNull(members.get(name))));
        }

        private void layOut(ServerParallelResponse sizes) {
            tp = size(sizes.tp());
            dp = size(sizes.dp());
            ep = size(sizes.ep());
        }

        private static int size(@Nullable Long stated) {
            return stated == null ? 1 : stated.intValue();
        }

        private long devices() {
            return (long) tp * dp * instances;
        }

        private String layout() {
            return Comparison.layout(tp, dp, ep, instances);
        }
    }

    private final ComparisonRequest request;
    private final MetricsResponse traffic;
    private final Running running;
    private final Search search;
    private final List<String> warnings = new ArrayList<>();

    private Comparison(ComparisonRequest request, Predicate<String> isModel, Search search) {
        this.request = request;
        this.search = search;
        this.traffic = request.traffic() == null ? read(requireNonNull(request.metrics())) : request.traffic();
        this.running = running(requireNonNull(request.running()), isModel);
    }

    /// Compares.
    ///
    /// @param isModel true for model ids of the catalog
    /// @throws InvalidRequestException if the server or its traffic cannot be searched
    public static ComparisonResponse of(ComparisonRequest request, Predicate<String> isModel, Search search)
            throws InterruptedException {
        try {
            return new Comparison(request, isModel, search).response();
        } catch (InvalidRequestException broken) {
            throw new InvalidRequestException(
                    broken.violations().stream().map(Comparison::placed).toList());
        }
    }

    private static Violation placed(Violation violation) {
        return PLACES.entrySet().stream()
                .filter(place -> violation.pointer().startsWith(place.getKey()))
                .findFirst()
                .map(place -> new Violation(
                        place.getValue()
                                + violation.pointer().substring(place.getKey().length()),
                        violation.message()))
                .orElse(violation);
    }

    private static MetricsResponse read(String text) {
        MetricsReader.Stated unstated = new MetricsReader.Stated(null, null, null, null);
        return at(
                "/metrics",
                () -> MetricsReader.read(stream(text), text.stripLeading().startsWith("{"), unstated));
    }

    private Running running(RunningRequest stated, Predicate<String> isModel) {
        Running server = new Running();
        if (traffic.readAs() != null) {
            server.instances = Math.max(1, traffic.readAs().instances());
        }
        server.instances = requireNonNullElse(stated.instances(), server.instances);
        String text = stated.log();
        if (text != null) {
            EngineLogResponse log = at("/running/log", () -> EngineLogReader.read(stream(text)));
            server.take(log.engine());
            server.modelId = log.model();
            server.layOut(log.parallel());
        }
        String line = stated.command();
        if (line != null) {
            ServerCommand.Stated beside =
                    new ServerCommand.Stated(server.instances, null, stated.modelId(), stated.scheme());
            ServerCommandResponse command = at("/running/command", () -> ServerCommand.read(line, beside));
            server.take(command.engine());
            put(server.engine, "memory_share", command.memoryShare());
            server.modelId = command.modelId() == null ? server.modelId : command.modelId();
            server.scheme = command.scheme();
            server.instances = Math.toIntExact(command.instances());
            server.layOut(command.parallel());
        }
        server.take(stated);
        if (stated.parallel() != null) {
            server.tp = requireNonNull(stated.parallel().tp());
            server.dp = stated.parallel().dp();
            server.ep = stated.parallel().ep();
        }
        String checkpoint = server.modelId;
        server.modelId = stated.modelId() == null && checkpoint != null
                ? new CheckpointName(checkpoint).modelId(isModel)
                : stated.modelId();
        server.scheme = stated.scheme() == null ? server.scheme : stated.scheme();
        return server;
    }

    private static ByteArrayInputStream stream(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    /// Reads a text; its faults point to the place of the text.
    private static <T> T at(String place, Callable<T> reading) {
        try {
            return reading.call();
        } catch (InvalidRequestException broken) {
            throw new InvalidRequestException(broken.violations().stream()
                    .map(fault -> new Violation(place, fault.message()))
                    .toList());
        } catch (Exception impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private ComparisonResponse response() throws InterruptedException {
        if (traffic.workload() == null || traffic.workload().isEmpty()) {
            throw Scrapes.refused("/workload", "is required. Send metrics of a server that finished requests");
        }
        RowResponse row = traffic.measured() == null
                ? new RowResponse(null, null, null, null, null)
                : traffic.measured().row();
        LimitsRequest stated = request.slo();
        Map<String, Object> limits = new LinkedHashMap<>();
        if (stated == null) {
            put(limits, "ttft_ms", row.ttftMs());
            put(limits, "tpot_ms", row.tpotMs());
        }
        Object slo = stated == null ? limits : stated;
        BestPlanResponse predicted = predicted(row);
        BestPlanResponse most = search.best(submitted(alone(slo, null)));
        BestPlanResponse best = search.best(submitted(open(slo, null)));
        if (best == null || (most != null && rate(most) > rate(best))) {
            best = most;
        }
        MeasuredResponse measured = new MeasuredResponse(
                row.ttftMs(),
                row.tpotMs(),
                traffic.load() == null ? null : traffic.load().concurrency(),
                traffic.demand() == null ? null : traffic.demand().requestsPerS(),
                traffic.prefixCache() == null
                        ? null
                        : (Double) traffic.prefixCache().hitRate(),
                traffic.kvCache() == null ? null : traffic.kvCache().usageRatio());
        NowResponse now = now(measured, predicted);
        boolean uncertain = Boolean.FALSE.equals(now.inBand());
        GainResponse gain = most == null || best == null ? null : gain(most, best, uncertain);
        LimitsResponse kept = new LimitsResponse(
                stated == null ? row.ttftMs() : stated.ttftMs(),
                stated == null ? row.tpotMs() : stated.tpotMs(),
                stated == null ? "measured" : "request");
        if (traffic.speculation() != null) {
            warnings.add("The server drafts tokens; both plans are without speculative decoding.");
        }
        CorrectedResponse corrected = corrected(slo, row);
        Object version = running.engine.get("version");
        return new ComparisonResponse(
                sentence(now, kept, most, best, gain),
                new ServerResponse(
                        running.layout(),
                        running.devices(),
                        running.engine.get("backend")
                                + (version == null ? "" : " " + version)
                                + (running.scheme == null ? "" : ", " + running.scheme),
                        most),
                now,
                kept,
                new PlanResponse(
                        best == null ? null : layout(best), best, best == null ? null : atDemand(slo, best, 0)),
                gain,
                best == null ? null : fewerDevices(slo, best),
                corrected,
                List.copyOf(warnings));
    }

    private @Nullable BestPlanResponse predicted(RowResponse row) throws InterruptedException {
        if (row.concurrency() == null) {
            warnings.add("The measured concurrency is unknown; there is no prediction for today.");
            return null;
        }
        int batch = Math.max(1, (int) Math.floor((double) row.concurrency() / running.dp + 0.5));
        batch = Math.min(batch, requireNonNullElse(mostSequences(), batch));
        BestPlanResponse predicted = search.best(submitted(alone(Map.of(), List.of(batch, batch))));
        if (predicted == null) {
            warnings.add("The running layout is not feasible by the model: check device, scheme and KV cache type.");
        }
        return predicted;
    }

    private static NowResponse now(MeasuredResponse measured, @Nullable BestPlanResponse predicted) {
        IntervalResponse band = predicted == null ? null : predicted.tpotMsBand();
        Double tpot = measured.tpotMs();
        Double low = band == null ? null : band.low();
        Double high = band == null ? null : band.high();
        Boolean inBand = null;
        if (tpot != null && low != null && high != null) {
            inBand = tpot >= low && tpot <= high;
        }
        return new NowResponse(
                measured,
                predicted,
                ratio(measured.ttftMs(), predicted == null ? null : predicted.ttftMs()),
                ratio(tpot, predicted == null ? null : predicted.tpotMs()),
                inBand);
    }

    private static @Nullable Double ratio(@Nullable Double measured, @Nullable Double predicted) {
        return measured == null || predicted == null ? null : (Double) (measured / predicted);
    }

    private static double rate(BestPlanResponse plan) {
        return requireNonNullElse(plan.requestsPerS(), 0.0);
    }

    private static double percent(double more, double less) {
        return PERCENT * (more / less - 1);
    }

    private static GainResponse gain(BestPlanResponse most, BestPlanResponse best, boolean uncertain) {
        return new GainResponse(
                percent(rate(best), rate(most)), band(most.requestsPerSBand(), best.requestsPerSBand()), uncertain);
    }

    private static @Nullable IntervalResponse band(@Nullable IntervalResponse from, @Nullable IntervalResponse to) {
        if (from == null || to == null) {
            return null;
        }
        Double least = from.low();
        Double most = from.high();
        Double low = to.low();
        Double high = to.high();
        return least == null || most == null || low == null || high == null || least <= 0
                ? null
                : new IntervalResponse(percent(low, most), percent(high, least));
    }

    private @Nullable BestPlanResponse atDemand(Object slo, BestPlanResponse best, double headroom)
            throws InterruptedException {
        DemandRequest demand = traffic.demand();
        if (demand == null || demand.requestsPerS() == null || demand.requestsPerS() <= 0) {
            return null;
        }
        InstancesResponse instances = best.instances().getFirst();
        Map<String, Object> question = question(slo, engine(false));
        question.put("mode", "capacity");
        question.put("demand", demand);
        question.put("headroom", headroom);
        question.put("instance_sizes", List.of(instances.devicesPerInstance()));
        question.put("search", sizes(instances.parallel()));
        return search.best(submitted(question));
    }

    private @Nullable DevicesResponse fewerDevices(Object slo, BestPlanResponse best) throws InterruptedException {
        BestPlanResponse plan = atDemand(slo, best, HEADROOM);
        return plan == null || plan.numDevices() == null
                ? null
                : new DevicesResponse(plan.numDevices(), running.devices());
    }

    private @Nullable CorrectedResponse corrected(Object slo, RowResponse row) throws InterruptedException {
        if (traffic.measured() == null || !traffic.measured().usable()) {
            return null;
        }
        if (!running.engine.containsKey("version")) {
            warnings.add("The measured row is usable as feedback. Set running.version to correct both plans by it.");
            return null;
        }
        Map<String, Object> served = new LinkedHashMap<>();
        served.put("parallel", Map.of("tp", running.tp, "dp", running.dp, "ep", running.ep));
        served.put("concurrency", requireNonNull(row.concurrency()));
        served.put("input_length", requireNonNull(row.inputLength()));
        served.put("output_length", requireNonNull(row.outputLength()));
        put(served, "ttft_ms", row.ttftMs());
        put(served, "tpot_ms", row.tpotMs());
        Map<String, Object> feedback = Map.of("rows", List.of(served));
        BestPlanResponse most = search.best(submitted(alone(slo, feedback)));
        BestPlanResponse best = search.best(submitted(open(slo, feedback)));
        warnings.add("corrected: lengths are the means of a mix; a single row corrects the level, not its course.");
        return new CorrectedResponse(
                most, best, most == null || best == null ? null : (Double) percent(rate(best), rate(most)));
    }

    /// Returns the request for the running layout.
    private Map<String, Object> alone(Object slo, @Nullable Object more) {
        Map<String, Object> question = question(slo, engine(true));
        question.put("num_devices", running.devices());
        Map<String, Object> search = new LinkedHashMap<>();
        search.put("tp_sizes", List.of(running.tp));
        search.put("dp_sizes", List.of(running.dp));
        search.put("ep_sizes", List.of(running.ep));
        if (more instanceof List<?> batches) {
            search.put("batch_range", batches);
        } else if (mostSequences() != null) {
            search.put("batch_range", List.of(1, requireNonNull(mostSequences())));
        }
        question.put("search", search);
        if (more instanceof Map<?, ?> feedback) {
            question.put("feedback", feedback);
        }
        return question;
    }

    /// Returns the request for all layouts.
    private Map<String, Object> open(Object slo, @Nullable Object feedback) {
        Map<String, Object> question = question(slo, engine(false));
        put(question, "feedback", feedback);
        return question;
    }

    private Map<String, Object> question(Object slo, Map<String, Object> engine) {
        Map<String, Object> question = new LinkedHashMap<>();
        question.put("cost_model", "calibrated");
        question.put("model_id", requireNonNullElse(running.modelId, ""));
        question.put("devices", List.of(requireNonNull(request.device())));
        question.put("num_devices", request.numDevices() == null ? running.devices() : request.numDevices());
        question.put("quantization", running.scheme == null ? Map.of() : Map.of("scheme", running.scheme));
        question.put("engine", engine);
        question.put("workload", traffic.workload());
        question.put("slo", slo);
        return question;
    }

    /// Returns the engine settings, without those that a layout decides unless they are of the running one.
    private Map<String, Object> engine(boolean own) {
        Map<String, Object> engine = new LinkedHashMap<>(running.engine);
        if (!own) {
            engine.keySet().retainAll(OF_ALL_LAYOUTS);
        } else if (engine.containsKey("kv_tokens") || engine.containsKey("kv_pool_gib")) {
            engine.remove("memory_share");
        }
        return engine;
    }

    private @Nullable Integer mostSequences() {
        return running.engine.get("max_num_seqs") instanceof Number most ? (Integer) most.intValue() : null;
    }

    private static Map<String, Object> sizes(ParallelResponse parallel) {
        return Map.of(
                "tp_sizes",
                List.of(parallel.tp()),
                "dp_sizes",
                List.of(parallel.dp()),
                "ep_sizes",
                List.of(requireNonNullElse(parallel.ep(), 1)));
    }

    private static void put(Map<String, Object> members, String name, @Nullable Object value) {
        if (value != null) {
            members.put(name, value);
        }
    }

    private static SubmittedRequest submitted(Map<String, Object> question) {
        return SubmittedRequest.read(Syntax.JSON, WireFormat.write(question).getBytes(StandardCharsets.UTF_8));
    }

    private String sentence(
            NowResponse now,
            LimitsResponse limits,
            @Nullable BestPlanResponse most,
            @Nullable BestPlanResponse best,
            @Nullable GainResponse gain) {
        List<String> words = new ArrayList<>();
        broken(words, "TTFT", now.measured().ttftMs(), limits.ttftMs());
        broken(words, "TPOT", now.measured().tpotMs(), limits.tpotMs());
        Double ratio = now.tpotRatio();
        if (Boolean.FALSE.equals(now.inBand()) && ratio != null) {
            words.add(String.format(
                    Locale.ROOT,
                    "Your server is %.1f times %s than predicted: check version, clocks, prefix cache, other load.",
                    ratio > 1 ? ratio : 1 / ratio,
                    ratio > 1 ? "slower" : "faster"));
        }
        if (best == null) {
            words.add("No layout on these devices keeps your limits.");
        } else if (most == null) {
            words.add(String.format(
                    Locale.ROOT,
                    "You run %s, which cannot keep your limits. %s would serve %.1f requests/s within them.",
                    running.layout(),
                    layout(best),
                    rate(best)));
        } else if (gain != null && gain.requestsPercent() >= LEAST_GAIN) {
            words.add(String.format(
                    Locale.ROOT,
                    "You run %s. %s would serve %.0f%% more %s (%.1f instead of %.1f requests/s).",
                    running.layout(),
                    layout(best),
                    gain.requestsPercent(),
                    within(limits),
                    rate(best),
                    rate(most)));
        } else {
            words.add("Your layout is within 5% of the best one; no change pays.");
        }
        Double hits = now.measured().hitRate();
        if (hits != null && hits > 0) {
            words.add(String.format(
                    Locale.ROOT,
                    "This holds with the hit rate of %.0f%% that was measured; another layout may keep fewer prefixes.",
                    PERCENT * hits));
        }
        return String.join(" ", words);
    }

    /// Returns the limits in words; without limits in the request they are the measured latencies.
    private String within(LimitsResponse limits) {
        if (request.slo() != null) {
            return "within your limits";
        }
        return limits.ttftMs() == null && limits.tpotMs() == null
                ? "without latency limits"
                : "without being slower than today";
    }

    private void broken(List<String> words, String name, @Nullable Double measured, @Nullable Double limit) {
        if (request.slo() != null && measured != null && limit != null && measured > limit) {
            words.add(String.format(
                    Locale.ROOT, "Your server breaks the limit of %s: %.1f ms, above %.1f ms.", name, measured, limit));
        }
    }

    private static String layout(BestPlanResponse plan) {
        InstancesResponse instances = plan.instances().getFirst();
        ParallelResponse parallel = instances.parallel();
        return layout(
                parallel.tp(),
                parallel.dp(),
                requireNonNullElse(parallel.ep(), 1),
                requireNonNullElse(instances.count(), 1L));
    }

    private static String layout(int tp, int dp, int ep, long instances) {
        return "TP=" + tp + (dp == 1 ? "" : " DP=" + dp) + (ep == 1 ? "" : " EP=" + ep) + " x " + instances;
    }
}

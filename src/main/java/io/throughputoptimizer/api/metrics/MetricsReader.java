package io.throughputoptimizer.api.metrics;

import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import io.throughputoptimizer.api.metrics.MetricsResponse.CacheResponse;
import io.throughputoptimizer.api.metrics.MetricsResponse.DraftsResponse;
import io.throughputoptimizer.api.metrics.MetricsResponse.HitsResponse;
import io.throughputoptimizer.api.metrics.MetricsResponse.HourResponse;
import io.throughputoptimizer.api.metrics.MetricsResponse.LatencyResponse;
import io.throughputoptimizer.api.metrics.MetricsResponse.LengthsResponse;
import io.throughputoptimizer.api.metrics.MetricsResponse.LoadResponse;
import io.throughputoptimizer.api.metrics.MetricsResponse.MeasuredResponse;
import io.throughputoptimizer.api.metrics.MetricsResponse.OpenResponse;
import io.throughputoptimizer.api.metrics.MetricsResponse.RangeResponse;
import io.throughputoptimizer.api.metrics.MetricsResponse.RequestsResponse;
import io.throughputoptimizer.api.metrics.MetricsResponse.RowResponse;
import io.throughputoptimizer.api.metrics.MetricsResponse.SourceResponse;
import io.throughputoptimizer.api.metrics.MetricsResponse.SquareResponse;
import io.throughputoptimizer.api.metrics.MetricsResponse.WorkloadResponse;
import io.throughputoptimizer.api.metrics.ScrapedServer.Histogram;
import io.throughputoptimizer.api.metrics.Scrapes.Scrape;
import io.throughputoptimizer.api.request.DemandRequest;
import io.throughputoptimizer.api.request.LengthDistributionRequest;
import io.throughputoptimizer.api.request.LengthDistributionRequest.LengthBinRequest;
import io.throughputoptimizer.core.workload.HistogramBins;
import io.throughputoptimizer.core.workload.HistogramBins.Bucket;
import io.throughputoptimizer.core.workload.HistogramBins.OpenBucket;
import io.throughputoptimizer.core.workload.HistogramBins.UnusableHistogramException;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Reader of metrics of running servers: lengths with exact means, rates, hits, load, latencies. Used by one
/// thread.
public final class MetricsReader {
    /// Names of query parameters that messages point to.
    public static final String SOURCE = "source";

    public static final String SERVED_MODEL = "served_model";
    public static final String INSTANCES = "instances";

    private static final int LEAST_REQUESTS = 100;
    private static final int LEAST_LATENCIES = 10;
    private static final double MOST_ABORTED = 0.05;
    private static final double MOST_HITS = 0.05;
    private static final double ALIKE = 0.01;
    private static final double MILLIS = 1_000;
    private static final double PERCENT = 100;
    private static final long HOUR = 3_600;
    private static final Map<String, Double> QUANTILES = new TreeMap<>(Map.of("p50", 0.5, "p90", 0.9, "p99", 0.99));

    /// Properties of metrics that the caller can set.
    ///
    /// @param source family to read; null for the first that is present
    /// @param servedModel model whose series count; null if there is only one
    /// @param instances equal instances that the text stands for; null for those in it
    /// @param contextTokens longest request; null if unknown
    public record Stated(
            @Nullable String source,
            @Nullable String servedModel,
            @Nullable Integer instances,
            @Nullable Long contextTokens) {}

    private final Stated stated;
    private final Scrapes scrapes;
    private final boolean prometheus;
    private final MetricSource source;
    private final @Nullable String model;
    private final List<ScrapedServer> servers;
    private final List<String> warnings = new ArrayList<>();
    private final List<String> reasons = new ArrayList<>();
    private final Map<String, @Nullable Histogram> histograms = new LinkedHashMap<>();
    private final Map<String, @Nullable Double> counters = new LinkedHashMap<>();

    private MetricsReader(Scrapes scrapes, boolean prometheus, Stated stated) {
        this.scrapes = scrapes;
        this.prometheus = prometheus;
        this.stated = stated;
        this.source = source();
        this.model = model();
        this.servers = servers();
    }

    /// Reads metrics to the end.
    ///
    /// @param prometheus true for answers of Prometheus' HTTP API, false for exposition text
    /// @throws io.throughputoptimizer.api.problem.InvalidRequestException if the metrics are unreadable. Its
    ///     pointer is the name of a parameter if that is at fault
    public static MetricsResponse read(InputStream stream, boolean prometheus, Stated stated) throws IOException {
        Scrapes scrapes = prometheus ? PrometheusAnswer.read(stream) : MetricsText.read(stream);
        return new MetricsReader(scrapes, prometheus, stated).response();
    }

    private MetricSource source() {
        List<MetricSource> present = MetricSource.all().stream()
                .filter(known -> scrapes.all.stream()
                        .flatMap(scrape -> scrape.samples.keySet().stream())
                        .anyMatch(metric -> known.equals(MetricSource.of(metric))))
                .toList();
        if (present.isEmpty()) {
            throw Scrapes.refused(requireNonNullElse(
                    scrapes.refusal,
                    "must have metrics of vLLM, SGLang, TensorRT-LLM, Dynamo, llm-d or TGI, got none. vLLM serves them"
                            + " at /metrics; SGLang needs --enable-metrics."));
        }
        return present.stream()
                .filter(known -> stated.source == null || known.name().equals(stated.source))
                .findFirst()
                .orElseThrow(() -> Scrapes.refused(
                        SOURCE,
                        "has no metrics of " + stated.source + "; found: "
                                + present.stream().map(MetricSource::name).collect(Collectors.joining(", ")) + "."));
    }

    private NavigableSet<String> values(@Nullable String label, Predicate<String> metrics) {
        TreeSet<String> values = new TreeSet<>();
        for (Scrape scrape : scrapes.all) {
            scrape.samples.forEach((metric, samples) -> {
                if (label != null && source.equals(MetricSource.of(metric)) && metrics.test(metric)) {
                    samples.keySet().stream()
                            .map(labels -> labels.get(label))
                            .filter(Objects::nonNull)
                            .forEach(values::add);
                }
            });
        }
        return values;
    }

    private @Nullable String model() {
        NavigableSet<String> models = values(source.model(), source::hasModel);
        String named = stated.servedModel;
        if (named == null && models.size() > 1) {
            throw Scrapes.refused(
                    SERVED_MODEL,
                    "has metrics of " + models.size() + " models: " + String.join(", ", models)
                            + ". Name one with served_model.");
        }
        if (named != null && !models.isEmpty() && !models.contains(named)) {
            throw Scrapes.refused(
                    SERVED_MODEL,
                    "unknown value " + Scrapes.quoted(named, named.length()) + "; found: " + String.join(", ", models)
                            + ".");
        }
        return named == null && !models.isEmpty() ? models.first() : named;
    }

    private List<ScrapedServer> servers() {
        Map<String, List<Scrape>> instances = new TreeMap<>();
        scrapes.all.forEach(scrape -> instances
                .computeIfAbsent(scrape.instance, _ -> new ArrayList<>())
                .add(scrape));
        List<ScrapedServer> read = new ArrayList<>();
        instances.forEach((name, own) -> {
            if (own.size() > 1 && own.stream().anyMatch(scrape -> scrape.at == null)) {
                throw Scrapes.refused("each scrape must have a time where there are several. Put a line # scrape: TIME"
                        + " before each.");
            }
            own.sort(Comparator.comparing(scrape -> requireNonNullElse(scrape.at, 0.0)));
            for (int i = 1; i < own.size(); i++) {
                if (requireNonNull(own.get(i).at).equals(own.get(i - 1).at)) {
                    throw Scrapes.refused("two scrapes of " + name + " must not have the same time.");
                }
            }
            read.add(new ScrapedServer(source, own, model));
        });
        return read;
    }

    private @Nullable Histogram histogram(String figure, Predicate<Labels> where) {
        return joined(server -> server.histogram(figure, where), (one, other) -> one.plus(other, figure));
    }

    private @Nullable Histogram of(String figure) {
        return histograms.get(figure);
    }

    private @Nullable Double counter(String figure, Predicate<Labels> where) {
        return added(server -> server.counter(figure, where));
    }

    private @Nullable Double added(Function<ScrapedServer, @Nullable Double> figure) {
        return joined(figure, Double::sum);
    }

    private <T> @Nullable T joined(Function<ScrapedServer, @Nullable T> figure, BinaryOperator<T> join) {
        return servers.stream()
                .flatMap(server -> Stream.ofNullable(figure.apply(server)))
                .reduce(join)
                .orElse(null);
    }

    private double total(ToDoubleFunction<ScrapedServer> figure) {
        return servers.stream().mapToDouble(figure).sum();
    }

    private static double orZero(@Nullable Double number) {
        return requireNonNullElse(number, 0.0);
    }

    private MetricsResponse response() {
        boolean streams = source.name().equals("sglang")
                && servers.stream()
                        .anyMatch(server -> server.scrapes.stream()
                                .flatMap(scrape -> server.rows(scrape, "ttft", "_count").stream())
                                .anyMatch(row -> isStreamed(row.labels())));
        for (String figure :
                List.of("input", "output", "ttft", "itl", "request_tpot", "decode", "e2e", "queue", "cached")) {
            histograms.put(
                    figure,
                    histogram(
                            figure, streams && figure.equals("ttft") ? MetricsReader::isStreamed : ScrapedServer.ANY));
        }
        Map<String, LengthsResponse> lengths = lengths();
        for (String figure : List.of(
                "finished",
                "aborted",
                "queries",
                "hits",
                "external_hits",
                "prompt_tokens",
                "output_tokens",
                "cached_tokens",
                "preemptions",
                "drafts",
                "draft_tokens",
                "accepted")) {
            counters.put(figure, counter(figure, ScrapedServer.ANY));
        }
        List<@Nullable Double> windows = new ArrayList<>();
        servers.forEach(server -> windows.add(server.window()));
        boolean known = windows.stream().allMatch(Objects::nonNull);
        int resets = servers.stream().mapToInt(server -> server.resets).max().orElse(0);
        Double finished = finished();
        Double aborted = source.reason() == null
                ? counters.get("aborted")
                : (Double) orZero(counter("finished", labels -> isAborted(labels.get(source.reason()))));
        int factor = factor();
        boolean steady = known && (resets == 0 || prometheus || isRestartKnown(windows));
        if (resets > 0 && !steady) {
            warnings.add("a server restarted during the window at an unknown time; no rate");
        }
        Double finishedPerS = null;
        Double arrivedPerS = null;
        if (steady && finished != null) {
            finishedPerS = factor * perSecond(windows, this::finished);
            double waits = perSecond(
                    windows,
                    server -> server.scrapes.size() == 1
                            ? 0
                            : server.inFlight(server.last()) - server.inFlight(server.scrapes.getFirst()));
            arrivedPerS = Math.max(0, finishedPerS + factor * waits);
        }
        HitsResponse hits = hits();
        LoadResponse load = load(factor, steady, windows);
        DraftsResponse drafts = drafts();
        Map<String, LatencyResponse> latency = latency(drafts != null);
        WorkloadResponse workload = workload(lengths, hits, finished);
        List<String> roles = List.copyOf(values("engine_type", _ -> true).stream()
                .filter(role -> !role.isEmpty())
                .toList());
        boolean split = roles.size() > 1 || roles.contains("prefill") || roles.contains("decode");
        boolean several = servers.getFirst().scrapes.size() > 1;
        SourceResponse readAs = new SourceResponse(
                source.name(),
                prometheus ? "prometheus" : "text",
                scrapes.all.size(),
                servers.size(),
                servers.stream().mapToInt(ScrapedServer::ranks).max().orElse(1),
                model,
                scrapes.kept,
                scrapes.passedOver,
                split ? roles : null,
                known
                        ? windows.stream()
                                .map(Objects::requireNonNull)
                                .max(Comparator.naturalOrder())
                                .orElseThrow()
                        : null,
                known ? (several ? "between_scrapes" : "since_start") : "unknown",
                resets);
        RequestsResponse requests = new RequestsResponse(
                finished,
                aborted == null ? null : (Double) (finished == null || finished == 0 ? 0.0 : aborted / finished),
                finishedPerS,
                arrivedPerS);
        MeasuredResponse measured =
                measured(readAs, requests, row(readAs, factor, load, lengths, latency), load, latency, hits, drafts);
        Double preemptions = counters.get("preemptions");
        if (preemptions != null && finished != null && finished > 0 && preemptions > finished / PERCENT) {
            warnings.add((long) Math.rint(preemptions) + " preemptions; the KV cache overflowed");
        }
        return new MetricsResponse(
                readAs,
                requests,
                lengths,
                hits,
                load,
                cache(),
                drafts,
                latency,
                workload,
                arrivedPerS == null ? null : new DemandRequest(arrivedPerS, null, null, null),
                measured,
                rateProfile(factor),
                warnings);
    }

    private static boolean isStreamed(Labels labels) {
        return "true".equals(labels.get("is_streaming"));
    }

    private static boolean isAborted(@Nullable String reason) {
        return "abort".equals(reason) || "error".equals(reason);
    }

    private int factor() {
        Integer instances = stated.instances;
        if (instances == null || instances <= servers.size()) {
            return 1;
        }
        if (servers.size() > 1) {
            throw Scrapes.refused(
                    INSTANCES,
                    "must be 1 or the number of instances in the text, " + servers.size() + ", got " + instances + ".");
        }
        warnings.add(
                "one instance of " + instances + " was sent; rates and concurrency are multiplied by " + instances);
        return instances;
    }

    private boolean isRestartKnown(List<@Nullable Double> windows) {
        for (int i = 0; i < servers.size(); i++) {
            if (servers.get(i).resets > 0
                    && Objects.equals(windows.get(i), servers.get(i).span())) {
                return false;
            }
        }
        return true;
    }

    private double perSecond(List<@Nullable Double> windows, ToDoubleFunction<ScrapedServer> increase) {
        double rate = 0;
        for (int i = 0; i < servers.size(); i++) {
            rate += increase.applyAsDouble(servers.get(i)) / requireNonNull(windows.get(i));
        }
        return rate;
    }

    private @Nullable Double finished() {
        if (counters.get("finished") != null) {
            return counters.get("finished");
        }
        Histogram counted = of(counted());
        return counted == null ? null : (Double) counted.count();
    }

    /// Returns the histogram that counts requests where no counter does.
    private String counted() {
        return of("input") == null ? "e2e" : "input";
    }

    private double finished(ScrapedServer server) {
        if (counters.get("finished") != null) {
            return orZero(server.counter("finished", ScrapedServer.ANY));
        }
        Histogram counted = server.histogram(counted(), ScrapedServer.ANY);
        return counted == null ? 0 : counted.count();
    }

    private Map<String, LengthsResponse> lengths() {
        Long longest = stated.contextTokens;
        if (longest == null) {
            ScrapedServer first = servers.getFirst();
            double context = first.scrapes.stream()
                    .mapToDouble(scrape -> orZero(first.gauge(scrape, "context", Math::max)))
                    .max()
                    .orElse(0);
            longest = context > 0 ? (Long) (long) Math.rint(context) : null;
        }
        Map<String, LengthsResponse> lengths = new LinkedHashMap<>();
        for (String figure : List.of("input", "output")) {
            Histogram histogram = of(figure);
            if (histogram == null || histogram.count() == 0) {
                continue;
            }
            if (histogram.sum() == null) {
                warnings.add(figure + ": sum is missing or not a number; no mean, no bins");
                continue;
            }
            try {
                int least = figure.equals("input") ? 1 : 0;
                lengths.put(figure, lengths(HistogramBins.of(histogram.buckets(), histogram.sum(), least, longest)));
            } catch (UnusableHistogramException unusable) {
                warnings.add(figure + ": " + unusable.getMessage());
            }
        }
        return lengths;
    }

    private static LengthsResponse lengths(HistogramBins bins) {
        OpenBucket open = bins.open();
        Map<String, RangeResponse> quantiles = new LinkedHashMap<>();
        QUANTILES.forEach((name, share) -> {
            Bucket bucket = bins.quantile(share);
            if (bucket != null) {
                quantiles.put(name, new RangeResponse(bucket.low(), bucket.high()));
            }
        });
        return new LengthsResponse(
                bins.requests(),
                bins.mean(),
                bins.bins().stream()
                        .map(bin -> new LengthBinRequest(bin.minTokens(), bin.maxTokens(), bin.weight()))
                        .toList(),
                bins.meanAfter(),
                new SquareResponse(bins.meanSquare(), bins.leastSquare(), bins.greatestSquare()),
                quantiles,
                open == null ? null : new OpenResponse(open.requests(), open.fromTokens(), open.takenAs()));
    }

    private @Nullable HitsResponse hits() {
        Double queries = counters.get("queries");
        Double cached = counters.get("cached_tokens");
        double prompts = orZero(counters.get("prompt_tokens"));
        Histogram found = of("cached");
        Histogram inputs = of("input");
        if (orZero(queries) > 0) {
            return hits(
                    (orZero(counters.get("hits")) + orZero(counters.get("external_hits"))) / orZero(queries),
                    "hits_per_query");
        }
        if (cached != null && prompts > 0) {
            return hits(cached / prompts, "cached_tokens");
        }
        if (found != null && inputs != null && orZero(inputs.sum()) > 0) {
            return hits(orZero(found.sum()) / orZero(inputs.sum()), "cached_tokens");
        }
        Double mean = meanGauge("hit_gauge");
        if (mean == null) {
            return null;
        }
        warnings.add("hit rate is a gauge of the last batch");
        return hits(mean, "last_batch_gauge");
    }

    private static HitsResponse hits(double rate, String from) {
        return new HitsResponse(Math.min(1, rate), from);
    }

    /// Returns the mean over instances of the greatest value of a gauge; null if it is absent.
    private @Nullable Double meanGauge(String figure) {
        List<Double> values = new ArrayList<>();
        for (ScrapedServer server : servers) {
            Double value = server.gauge(server.last(), figure, Math::max);
            if (value != null) {
                values.add(value);
            }
        }
        return values.isEmpty() ? null : (Double) (values.stream().reduce(0.0, Double::sum) / values.size());
    }

    private LoadResponse load(int factor, boolean steady, List<@Nullable Double> windows) {
        Double running = added(server -> server.gauge(server.last(), "running", Double::sum));
        Double waiting = added(server -> server.gauge(server.last(), "waiting", Double::sum));
        running = running == null ? null : (Double) (factor * running);
        waiting = waiting == null ? null : (Double) (factor * waiting);
        Histogram latencies = of("e2e");
        if (latencies == null || latencies.sum() == null || !steady) {
            return running == null
                    ? new LoadResponse(null, waiting, null, null)
                    : new LoadResponse(running, waiting, running + orZero(waiting), "gauges");
        }
        double concurrency = factor
                * perSecond(windows, server -> {
                    Histogram own = server.histogram("e2e", ScrapedServer.ANY);
                    return own == null ? 0 : orZero(own.sum());
                });
        if (running != null) {
            double begin = factor * total(server -> server.inFlight(server.scrapes.getFirst()));
            double end = factor * total(server -> server.inFlight(server.last()));
            if (concurrency < Math.min(begin, end) / 2 || concurrency > 2 * Math.max(begin, end)) {
                warnings.add("concurrency is " + HistogramBins.general(concurrency, 3) + " by latencies but "
                        + HistogramBins.general(begin, 6) + " and " + HistogramBins.general(end, 6)
                        + " by gauges; the load changed, or requests last as long as the window");
            }
        }
        return new LoadResponse(running, waiting, concurrency, "latency_sum");
    }

    private @Nullable CacheResponse cache() {
        Double usage = joined(server -> server.gauge(server.last(), "usage", Math::max), Math::max);
        Double tokens = joined(
                server -> server.configuredCaches().stream()
                        .min(Comparator.naturalOrder())
                        .orElse(null),
                Math::min);
        if (tokens == null) {
            tokens = joined(server -> positive(server.gauge(server.last(), "kv_tokens", Math::min)), Math::min);
        }
        if (tokens == null) {
            tokens = joined(
                    server -> positive(orZero(server.gauge(server.last(), "kv_blocks", Math::min))
                            * orZero(server.gauge(server.last(), "kv_block", Math::min))),
                    Math::min);
        }
        tokens = positive(tokens);
        return tokens == null && usage == null
                ? null
                : new CacheResponse(tokens == null ? null : (Long) (long) Math.rint(tokens), usage);
    }

    private static @Nullable Double positive(@Nullable Double number) {
        return number == null || number == 0 ? null : number;
    }

    private @Nullable DraftsResponse drafts() {
        double drafts = orZero(counters.get("drafts"));
        if (drafts == 0) {
            List<Double> lengths = servers.stream()
                    .map(server -> positive(server.gauge(server.last(), "accept_length", Math::max)))
                    .filter(Objects::nonNull)
                    .map(Objects::requireNonNull)
                    .toList();
            return lengths.isEmpty()
                    ? null
                    : new DraftsResponse(null, lengths.stream().reduce(0.0, Double::sum) / lengths.size(), null);
        }
        Map<Integer, Double> positions = new TreeMap<>();
        for (ScrapedServer server : servers) {
            TreeSet<String> names = new TreeSet<>();
            for (Scrape scrape : server.scrapes) {
                server.rows(scrape, "accepted_at", "").stream()
                        .map(row -> row.labels().get("position"))
                        .filter(position -> position != null && position.matches("\\d{1,4}"))
                        .map(Objects::requireNonNull)
                        .forEach(names::add);
            }
            names.forEach(name -> positions.merge(
                    Integer.valueOf(name),
                    orZero(server.counter("accepted_at", labels -> name.equals(labels.get("position")))),
                    Double::sum));
        }
        return new DraftsResponse(
                (long) Math.rint(orZero(counters.get("draft_tokens")) / drafts),
                1 + orZero(counters.get("accepted")) / drafts,
                positions.values().stream().map(accepted -> accepted / drafts).toList());
    }

    private Map<String, LatencyResponse> latency(boolean drafts) {
        Map<String, LatencyResponse> latency = new LinkedHashMap<>();
        put(latency, "ttft_ms", mean("ttft", null));
        put(latency, "tpot_ms", tpot(drafts));
        put(latency, "itl_ms", mean("itl", null));
        put(latency, "e2e_ms", mean("e2e", null));
        put(latency, "queue_ms", mean("queue", null));
        return latency;
    }

    private static void put(Map<String, LatencyResponse> latency, String name, @Nullable LatencyResponse mean) {
        if (mean != null) {
            latency.put(name, mean);
        }
    }

    private @Nullable LatencyResponse mean(String figure, @Nullable String from) {
        Histogram histogram = of(figure);
        return histogram == null || histogram.count() == 0 || histogram.sum() == null
                ? null
                : new LatencyResponse(
                        MILLIS * histogram.sum() / histogram.count(), (long) Math.rint(histogram.count()), from);
    }

    private @Nullable LatencyResponse tpot(boolean drafts) {
        Histogram outputs = of("output");
        Histogram decode = of("decode");
        Histogram latencies = of("e2e");
        Histogram first = of("ttft");
        if (outputs != null && outputs.sum() != null && outputs.sum() > outputs.count()) {
            double tokens = outputs.sum() - outputs.count();
            if (decode != null && decode.sum() != null && areAlike(decode, outputs)) {
                return new LatencyResponse(MILLIS * decode.sum() / tokens, (long) Math.rint(tokens), "decode_time");
            }
            if (source.name().equals("sglang")
                    && latencies != null
                    && latencies.sum() != null
                    && first != null
                    && first.sum() != null
                    && areAlike(latencies, first)
                    && areAlike(latencies, outputs)) {
                return new LatencyResponse(
                        MILLIS * (latencies.sum() - first.sum()) / tokens,
                        (long) Math.rint(tokens),
                        "latency_minus_ttft");
            }
        }
        LatencyResponse gaps = drafts ? null : mean("itl", "inter_token_latency");
        return gaps == null ? mean("request_tpot", "request_mean") : gaps;
    }

    private static boolean areAlike(Histogram one, Histogram other) {
        return Math.abs(one.count() - other.count()) <= ALIKE * Math.max(one.count(), other.count());
    }

    private WorkloadResponse workload(
            Map<String, LengthsResponse> lengths, @Nullable HitsResponse hits, @Nullable Double finished) {
        LengthsResponse inputs = lengths.get("input");
        LengthsResponse outputs = lengths.get("output");
        WorkloadResponse workload = new WorkloadResponse(
                inputs == null ? null : new LengthDistributionRequest(null, inputs.bins()),
                inputs == null ? counted("inputs", counters.get("prompt_tokens"), finished) : null,
                outputs == null ? null : new LengthDistributionRequest(null, outputs.bins()),
                outputs == null ? counted("outputs", counters.get("output_tokens"), finished) : null,
                hits == null
                        ? null
                        : (Double) new BigDecimal(hits.hitRate())
                                .setScale(4, RoundingMode.HALF_EVEN)
                                .doubleValue());
        return workload.isEmpty() ? new WorkloadResponse(null, null, null, null, null) : workload;
    }

    private @Nullable Integer counted(String which, @Nullable Double tokens, @Nullable Double finished) {
        if (orZero(tokens) == 0 || orZero(finished) == 0) {
            return null;
        }
        warnings.add(which + ": no usable histogram; one length, the mean of the counters");
        return (int) Math.max(1, Math.rint(orZero(tokens) / orZero(finished)));
    }

    private RowResponse row(
            SourceResponse readAs,
            int factor,
            LoadResponse load,
            Map<String, LengthsResponse> lengths,
            Map<String, LatencyResponse> latency) {
        int ranks = readAs.ranksPerInstance();
        Integer concurrency = load.concurrency() == null
                ? null
                : (Integer) (int) Math.max(
                        ranks, ranks * Math.floor(load.concurrency() / (servers.size() * factor) / ranks + 0.5));
        return new RowResponse(
                concurrency,
                meanLength(lengths.get("input")),
                meanLength(lengths.get("output")),
                meanOf(latency.get("ttft_ms")),
                meanOf(latency.get("tpot_ms")));
    }

    private static @Nullable Integer meanLength(@Nullable LengthsResponse lengths) {
        return lengths == null ? null : (Integer) (int) Math.max(1, Math.floor(lengths.mean() + 0.5));
    }

    private static @Nullable Double meanOf(@Nullable LatencyResponse latency) {
        return latency == null ? null : (Double) latency.mean();
    }

    private MeasuredResponse measured(
            SourceResponse readAs,
            RequestsResponse requests,
            RowResponse row,
            LoadResponse load,
            Map<String, LatencyResponse> latency,
            @Nullable HitsResponse hits,
            @Nullable DraftsResponse drafts) {
        LatencyResponse whole = latency.get("e2e_ms");
        Double window = readAs.windowS();
        String change = change();
        double rate = hits == null ? 0 : hits.hitRate();
        because(
                readAs.window().equals("since_start"),
                "window covers the time since the server started; send two scrapes");
        because(change != null, "concurrency changed during the window, " + change);
        because(window == null, "window length is unknown; put a line # scrape: TIME before each of two scrapes");
        because(
                window != null && whole != null && window < LEAST_LATENCIES * whole.mean() / MILLIS,
                "window is shorter than " + LEAST_LATENCIES + " mean latencies");
        because(!"latency_sum".equals(load.concurrencyFrom()), "concurrency was not measured over the window");
        because(orZero(requests.finished()) < LEAST_REQUESTS, "fewer than " + LEAST_REQUESTS + " requests finished");
        because(
                orZero(requests.abortedRatio()) > MOST_ABORTED,
                "more than " + HistogramBins.general(PERCENT * MOST_ABORTED, 6) + "% of the requests were aborted");
        because(readAs.resets() > 0, "a server restarted during the window");
        because(
                rate > MOST_HITS,
                String.format(
                        Locale.ROOT,
                        "prefix cache hit rate is %.1f%%; feedback does not support prefix hits",
                        PERCENT * rate));
        because(drafts != null, "speculative decoding is on; feedback does not support draft tokens");
        because(readAs.roles() != null, "instances serve only prefill or only decode");
        because(
                source.name().equals("dynamo") || source.name().equals("llm-d"),
                "latencies come from a frontend, not from one server");
        because(row.ttftMs() == null && row.tpotMs() == null, "no latencies");
        because(row.concurrency() == null, "concurrency is unknown");
        because(row.inputLength() == null, "input_length is unknown");
        because(row.outputLength() == null, "output_length is unknown");
        return new MeasuredResponse(row, reasons.isEmpty(), reasons);
    }

    private void because(boolean holds, String reason) {
        if (holds) {
            reasons.add(reason);
        }
    }

    /// Returns the range of the concurrency between scrapes if a quarter off its mean, else null.
    private @Nullable String change() {
        int steps = servers.getFirst().scrapes.size() - 1;
        if (servers.stream().anyMatch(server -> !server.isSeries() || server.scrapes.size() != steps + 1)) {
            return null;
        }
        double weighted = 0;
        double least = Double.POSITIVE_INFINITY;
        double most = 0;
        double seconds = 0;
        for (int i = 0; i < steps; i++) {
            double together = 0;
            double first = 0;
            for (ScrapedServer server : servers) {
                Scrape from = server.scrapes.get(i);
                Scrape to = server.scrapes.get(i + 1);
                double before = orZero(server.sum(from, "e2e", "_sum"));
                double after = orZero(server.sum(to, "e2e", "_sum"));
                double step = orZero(to.at) - orZero(from.at);
                together += (after < before ? after : after - before) / step;
                first = server == servers.getFirst() ? step : first;
            }
            weighted += together * first;
            seconds += first;
            least = Math.min(least, together);
            most = Math.max(most, together);
        }
        double mean = weighted / seconds;
        return mean > 0 && (most > 1.25 * mean || least < 0.75 * mean)
                ? "from " + HistogramBins.general(least, 3) + " to " + HistogramBins.general(most, 3)
                : null;
    }

    private @Nullable List<HourResponse> rateProfile(int factor) {
        if (servers.stream().anyMatch(server -> !server.isSeries())) {
            return null;
        }
        Map<Long, Double> hours = new TreeMap<>();
        boolean isCounted = counters.get("finished") != null;
        for (ScrapedServer server : servers) {
            Map<Long, double[]> own = new TreeMap<>();
            for (int i = 1; i < server.scrapes.size(); i++) {
                Scrape from = server.scrapes.get(i - 1);
                Scrape to = server.scrapes.get(i);
                Double before = server.sum(from, isCounted ? "finished" : "input", isCounted ? "" : "_count");
                Double after = server.sum(to, isCounted ? "finished" : "input", isCounted ? "" : "_count");
                if (before != null && after != null) {
                    double begin = orZero(from.at);
                    double[] hour = own.computeIfAbsent((long) Math.floor(begin / HOUR) * HOUR, _ -> new double[2]);
                    hour[0] += after < before ? after : after - before;
                    hour[1] += orZero(to.at) - begin;
                }
            }
            own.forEach((hour, sums) -> hours.merge(hour, sums[0] / sums[1], Double::sum));
        }
        return hours.isEmpty()
                ? null
                : hours.entrySet().stream()
                        .map(hour -> new HourResponse(hour.getKey(), factor * hour.getValue()))
                        .toList();
    }
}

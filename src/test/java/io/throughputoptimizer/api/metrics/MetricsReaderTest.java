package io.throughputoptimizer.api.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.metrics.MetricsReader.Stated;
import io.throughputoptimizer.api.metrics.MetricsVectors.Vector;
import io.throughputoptimizer.api.problem.InvalidRequestException;
import io.throughputoptimizer.api.problem.Violation;
import io.throughputoptimizer.core.workload.HistogramBins;
import io.throughputoptimizer.core.workload.LengthDistribution;
import io.throughputoptimizer.core.workload.LengthMoments;
import io.throughputoptimizer.fixture.Nightly;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.json.JsonMapper;

/// Metrics of running servers, held against the executable specification.
class MetricsReaderTest {
    private static final Stated UNSTATED = new Stated(null, null, null, null);
    private static final Pattern COUNTER =
            Pattern.compile("(?m)^((?:vllm:)\\w+(?:_total|_sum|_count|_bucket)(?:\\{.*})?) (\\S+)$");

    static Stream<Vector> metrics() {
        return MetricsVectors.all().filter(vector -> vector.kind().equals("metrics"));
    }

    @ParameterizedTest
    @MethodSource("metrics")
    void agreesWithTheSpecification(Vector vector) {
        var parameters = vector.parameters();
        Stated stated = new Stated(
                null,
                parameters.has("served_model") ? parameters.get("served_model").asString() : null,
                vector.instances(),
                parameters.has("context_tokens")
                        ? (Long) parameters.get("context_tokens").asLong()
                        : null);
        if (vector.expected().has("refused")) {
            var refused = vector.expected().get("refused");
            assertThatThrownBy(() -> read(vector.body(), vector.contentType(), stated))
                    .isInstanceOfSatisfying(
                            InvalidRequestException.class,
                            thrown -> assertThat(thrown.violations())
                                    .containsExactly(new Violation(
                                            refused.get("pointer").asString(),
                                            refused.get("message").asString())));
            return;
        }
        var actual = JsonMapper.shared().readTree(WireFormat.write(read(vector.body(), vector.contentType(), stated)));

        assertThat(MetricsVectors.differences(vector.expected(), actual)).isEmpty();
    }

    @Test
    void keepsRatesAndLengthsWhenTimeAndCountersDouble() {
        String text = MetricsVectors.named("vllm-two-scrapes").body();
        String doubled =
                COUNTER.matcher(text).replaceAll(line -> line.group(1) + " " + 2 * Double.parseDouble(line.group(2)));
        doubled = Pattern.compile("(?m)^# scrape: (\\d+)")
                .matcher(doubled)
                .replaceAll(line -> "# scrape: " + (2 * Long.parseLong(line.group(1)) - 1_790_000_000));

        MetricsResponse one = read(text);
        MetricsResponse two = read(doubled);

        assertThat(two.requests().finishedPerS()).isEqualTo(one.requests().finishedPerS());
        assertThat(two.load().concurrency()).isCloseTo(one.load().concurrency(), within(1e-9));
        assertThat(two.measured().row()).isEqualTo(one.measured().row());
        assertThat(two.lengths().get("output").mean())
                .isEqualTo(one.lengths().get("output").mean());
    }

    @Test
    void keepsIncreasesWhenAWindowIsSplit() {
        String text = MetricsVectors.named("vllm-steady-series").body();
        String[] scrapes = text.split("(?m)(?=^# scrape: )");

        MetricsResponse ends = read(scrapes[0] + scrapes[scrapes.length - 1]);
        MetricsResponse all = read(text);
        String reversed = Stream.iterate(scrapes.length - 1, i -> i >= 0, i -> i - 1)
                .map(i -> scrapes[i])
                .collect(Collectors.joining());

        assertThat(scrapes).hasSizeGreaterThan(3);
        assertThat(all.requests()).isEqualTo(ends.requests());
        assertThat(all.lengths()).isEqualTo(ends.lengths());
        assertThat(read(reversed)).isEqualTo(all);
    }

    @Test
    void neverGivesNegativeRates() {
        Random random = new Random(7);
        for (int i = 0; i < 200; i++) {
            StringBuilder text = new StringBuilder();
            int scrapes = 2 + random.nextInt(4);
            for (int at = 0; at < scrapes; at++) {
                int number = random.nextInt(1000);
                text.append("# scrape: ").append(1000 + 60 * at).append('\n');
                text.append("process_start_time_seconds ")
                        .append(900 + random.nextInt(400))
                        .append('\n');
                text.append("vllm:request_success_total ").append(number).append('\n');
                text.append("vllm:request_prompt_tokens_bucket{le=\"10\"} ")
                        .append(number)
                        .append('\n');
                text.append("vllm:request_prompt_tokens_sum ")
                        .append(7 * number)
                        .append('\n');
                text.append("vllm:num_requests_running ")
                        .append(random.nextInt(9))
                        .append('\n');
            }
            MetricsResponse read = read(text.toString());

            assertThat(read.requests().finished()).isNotNegative();
            if (read.demand() != null) {
                assertThat(read.requests().finishedPerS()).isNotNegative();
                assertThat(read.demand().requestsPerS()).isNotNegative();
            }
        }
    }

    static LongStream seeds() {
        return Nightly.seeds(1_000);
    }

    @Test
    void keepsMeansInBins() {
        seeds().forEach(seed -> {
            Random random = new Random(seed);
            NavigableMap<Double, Double> buckets = new TreeMap<>();
            double edge = 0;
            double count = 0;
            double sum = 0;
            int edges = 1 + random.nextInt(25);
            for (int i = 0; i <= edges; i++) {
                int low = (int) edge + 1;
                edge += 1 + random.nextInt(i < 5 ? 10 : 4_000);
                int number = random.nextInt(3) == 0 ? 0 : random.nextInt(500);
                for (int j = 0; j < number; j++) {
                    sum += low + random.nextInt((int) edge - low + 1);
                }
                count += number;
                buckets.put(i == edges ? Double.POSITIVE_INFINITY : edge, count);
            }
            if (count == 0) {
                return;
            }
            HistogramBins bins = HistogramBins.of(buckets, sum, 1, random.nextBoolean() ? (Long) (long) edge : null);

            LengthDistribution taken = new LengthDistribution(bins.bins());
            assertThat(LengthMoments.of(taken).mean()).isCloseTo(sum / count, within(1e-9 * sum / count));
            assertThat(bins.bins().stream().mapToDouble(bin -> bin.weight()).sum())
                    .isCloseTo(count, within(1e-6));
            assertThat(bins.meanSquare()).isGreaterThanOrEqualTo(bins.leastSquare() * (1 - 1e-12));
            if (bins.greatestSquare() != null) {
                assertThat(bins.meanSquare()).isLessThanOrEqualTo(bins.greatestSquare() * (1 + 1e-12));
            }
            for (int i = 1; i < bins.bins().size(); i++) {
                assertThat(bins.bins().get(i).minTokens())
                        .isGreaterThanOrEqualTo(bins.bins().get(i - 1).maxTokens());
            }
        });
    }

    /// Each kind of damage gives figures, or a problem that names the place.
    @Test
    void readsHostileTexts() {
        String text = "# scrape: 1\nvllm:num_requests_running %s\nvllm:request_success_total 0\n"
                + "# scrape: 61\nvllm:num_requests_running 2\nvllm:request_success_total %s\n";

        assertThat(read("\uFEFF" + text.formatted("2", "120").replace("\n", "\r\n"))
                        .requests()
                        .finishedPerS())
                .isEqualTo(2);
        for (String gauge : List.of("NaN", "+Inf", "-Inf")) {
            MetricsResponse read = read(text.formatted("2", "120").replace("running 2", "running " + gauge));

            assertThat(read.load().running()).isNull();
            assertThat(read.requests().arrivedPerS()).isEqualTo(2);
        }
        for (String counter : List.of("NaN", "-1", "+Inf")) {
            rejects(text.formatted("2", counter), "finished: must be a finite number of at least 0, got");
        }
        String labels = IntStream.range(0, 10_000)
                .mapToObj(i -> "vllm:request_success_total{user=\"" + i + "\"} %s\n")
                .collect(Collectors.joining());
        assertThat(read("# scrape: 1\n" + labels.replace("%s", "0") + "# scrape: 61\n" + labels.replace("%s", "3"))
                        .requests()
                        .finished())
                .isEqualTo(30_000);
    }

    @Test
    void rejectsHostileTexts() {
        String name = "vllm:num_requests_running";
        rejects("x".repeat(65_537), "line 1: must be at most 65536 characters.");
        rejects("# scrape: 1\n".repeat(201), "must have at most 200 scrapes.");
        rejects("# scrape: soon\n", "line 1: must give the time of a scrape");
        rejects(name + "{a=\"b\" 1\n", "line 1: must close its labels");
        rejects(name + "{a=\"b\",a=\"c\"} 1\n", "line 1: must not repeat label a.");
        rejects(name + " 1 2 3\n", "line 1: must be NAME{LABELS} VALUE");
        rejects(name + " 0x1F\n", "line 1: must have a number after the name, got \"0x1F\".");
        rejects(
                LongStream.range(0, 2_001).mapToObj(i -> "vllm:a" + i + " 1\n").collect(Collectors.joining()),
                "must have at most 2000 different metrics");
        rejects("<html><body>down</body></html>", "must have metrics of vLLM");
        rejects("", "must have metrics of vLLM");
    }

    @Test
    void rejectsOtherJson() {
        for (Map.Entry<String, String> other : Map.of(
                        "[1]",
                        "must be an answer of Prometheus",
                        "{\"status\":",
                        "must be JSON of Prometheus' HTTP API.",
                        "{\"status\":\"success\",\"data\":{\"resultType\":\"scalar\",\"result\":[1,\"1\"]}}",
                        "must have resultType matrix or vector, got \"scalar\".",
                        "{\"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":[{\"metric\":"
                                + "{\"__name__\":\"vllm:a\"},\"value\":[1]}]}}",
                        "must have points")
                .entrySet()) {
            assertThatThrownBy(() -> read(other.getKey(), "application/json", UNSTATED))
                    .hasMessageContaining(other.getValue());
        }
    }

    private static void rejects(String text, String reason) {
        assertThatThrownBy(() -> read(text))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining(reason);
    }

    private static MetricsResponse read(String text) {
        return read(text, "text/plain", UNSTATED);
    }

    private static MetricsResponse read(String text, String type, Stated stated) {
        try {
            return MetricsReader.read(
                    new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)),
                    type.toLowerCase(Locale.ROOT).contains("json"),
                    stated);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

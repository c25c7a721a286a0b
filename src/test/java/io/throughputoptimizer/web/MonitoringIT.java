package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.fixture.EveryNight;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.test.context.TestPropertySource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.dataformat.yaml.YAMLMapper;

/// What dashboard, alerts and autoscaler ask for is what the service exposes.
@GatedSearches
@TestPropertySource(properties = {"optimizer.jobs.workers=1", "optimizer.jobs.timeout=200ms"})
@EveryNight
class MonitoringIT extends HttpTest {
    private static final Path DEPLOY = Path.of("deploy");
    private static final Pattern OWN_METRIC = Pattern.compile("\\boptimizer_[a-z_]+\\b");
    private static final Pattern SERIES = Pattern.compile("^([a-zA-Z_:][\\w:]*)(?:\\{(.*)})? ", Pattern.MULTILINE);

    /// Series and labels that Prometheus adds.
    private static final Set<String> ADDED_METRICS = Set.of("up");

    private static final Set<String> ADDED_LABELS = Set.of("instance", "job", "namespace");

    /// A name with its labels, as they are exposed.
    private record Series(String name, String labels) {
        boolean has(String label) {
            return ADDED_LABELS.contains(label) || labels.matches("(?:.*,)?" + label + "=\".*");
        }

        boolean matches(String matcher) {
            return ADDED_LABELS.contains(matcher.split("=", 2)[0]) || (labels + ",").contains(matcher + ",");
        }
    }

    @Test
    void everyQueryAsksForSeriesThatThereAre() throws Exception {
        List<Series> series = seriesOfAServiceThatHasFailed();
        List<String> expressions = Stream.concat(dashboard(), alerts()).toList();
        assertThat(expressions).hasSizeGreaterThan(20);

        assertThat(expressions).allSatisfy(expression -> {
            PromQuery query = PromQuery.of(expression);
            assertThat(query.metrics()).isNotEmpty();
            List<Series> asked = series.stream()
                    .filter(one -> query.metrics().contains(one.name()))
                    .toList();
            assertThat(asked.stream().map(Series::name).collect(Collectors.toSet()))
                    .containsExactlyInAnyOrderElementsOf(query.metrics().stream()
                            .filter(name -> !ADDED_METRICS.contains(name))
                            .collect(Collectors.toSet()));
            if (!ADDED_METRICS.containsAll(query.metrics())) {
                assertThat(query.matchers()).allMatch(matcher -> asked.stream().anyMatch(one -> one.matches(matcher)));
                assertThat(query.groups()).allMatch(label -> asked.stream().anyMatch(one -> one.has(label)));
            }
        });
    }

    @Test
    void everyMetricThatIsNamedInAFileOfDeploymentIsExposed() throws Exception {
        Set<String> exposed =
                seriesOfAServiceThatHasFailed().stream().map(Series::name).collect(Collectors.toSet());

        assertThat(named()).contains("optimizer_jobs_oldest_waiting_seconds").isSubsetOf(exposed);
    }

    @Test
    void probesOfTheDeploymentAreAnswered() throws IOException {
        JsonNode deployment = YAMLMapper.shared()
                .readTree(Files.readString(DEPLOY.resolve("kubernetes").resolve("deployment.yaml")));
        JsonNode container = deployment.at("/spec/template/spec/containers/0");

        for (String probe : List.of("startupProbe", "livenessProbe", "readinessProbe")) {
            String path = container.path(probe).path("httpGet").path("path").asString();
            api().get(path).then().statusCode(200);
        }
    }

    /// Some series are there only once there is something to say.
    private List<Series> seriesOfAServiceThatHasFailed() throws InterruptedException {
        String failed = json(PREFILL).post(OPTIMIZATIONS).then().extract().path("id");
        api().header("Prefer", "wait=600").get(OPTIMIZATIONS + "/" + failed + "/result");
        System.gc();
        String metrics = metrics();
        while (!metrics.contains("optimizer_jobs_failed_total{") || !metrics.contains("jvm_gc_pause_seconds_sum{")) {
            Thread.sleep(50);
            metrics = metrics();
        }
        return SERIES.matcher(metrics)
                .results()
                .map(line -> new Series(line.group(1), line.group(2) == null ? "" : line.group(2)))
                .toList();
    }

    private String metrics() {
        return api().get("/actuator/prometheus")
                .then()
                .statusCode(200)
                .extract()
                .asString();
    }

    private static Stream<String> dashboard() throws IOException {
        JsonNode dashboard = JsonMapper.shared()
                .readTree(Files.readString(DEPLOY.resolve("grafana/dashboards/throughput-optimizer.json")));
        return dashboard
                .path("panels")
                .valueStream()
                .flatMap(panel -> panel.path("targets").valueStream())
                .map(target -> target.path("expr").asString());
    }

    private static Stream<String> alerts() throws IOException {
        JsonNode alerts = YAMLMapper.shared().readTree(Files.readString(DEPLOY.resolve("prometheus/alerts.yml")));
        return alerts.path("groups")
                .valueStream()
                .flatMap(group -> group.path("rules").valueStream())
                .map(rule -> rule.path("expr").asString());
    }

    private static Set<String> named() throws IOException {
        try (Stream<Path> files = Files.walk(DEPLOY)) {
            List<Path> read = files.filter(Files::isRegularFile).toList();
            StringBuilder all = new StringBuilder();
            for (Path file : read) {
                all.append(Files.readString(file));
            }
            return OWN_METRIC.matcher(all).results().map(MatchResult::group).collect(Collectors.toSet());
        }
    }
}

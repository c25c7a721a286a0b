package io.throughputoptimizer.job;

import static io.throughputoptimizer.job.ServiceClient.OPTIMIZATIONS;
import static io.throughputoptimizer.job.ServiceClient.awaitEnd;
import static io.throughputoptimizer.job.ServiceClient.json;
import static io.throughputoptimizer.job.ServiceClient.shortSearch;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.throughputoptimizer.api.EarlierNames;
import io.throughputoptimizer.fixture.EveryNight;
import io.throughputoptimizer.fixture.OldDatabase;
import io.throughputoptimizer.fixture.ServiceProcess;
import io.throughputoptimizer.fixture.TestDatabase;
import io.throughputoptimizer.quota.CallerId;
import io.throughputoptimizer.security.ShareLinks;
import io.throughputoptimizer.web.description.Examples;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Types;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// A database of an older schema is opened, migrated and worked on. `h2-schema-2.zip` was written by the service at
/// version 2 of the schema, which was then killed with one job succeeded, one cancelled, one running and one queued.
///
/// Results of an older version are read and shown. `h2-result-1.zip` was written when results had no version yet: it
/// holds the database and what each of its jobs answered, as `ID.json`, `ID.txt` and `ID.csv`.
class UpgradeIT {
    /// By the ending of a file that holds it.
    private static final Map<String, Format> FORMATS = Map.of(
            "json", new Format("/result?include=all", "application/json", EarlierNames::inResult),
            "txt", new Format("/result", "text/plain", UnaryOperator.identity()),
            "csv", new Format("/result", "text/csv", UpgradeIT::withColumns));

    /// Path and media type of an answer, and its current names.
    private record Format(String path, String mediaType, UnaryOperator<String> names) {}

    private static String withColumns(String csv) {
        String header = csv.lines().findFirst().orElseThrow();
        return Stream.of(header.split(",")).map(EarlierNames::column).collect(Collectors.joining(","))
                + csv.substring(header.length());
    }

    @Test
    void jobsOfTheFirstSchemaAreServedAndFinished(@TempDir Path folder) throws Exception {
        OldDatabase.unpack("h2-schema-2.zip", folder.resolve("data"));
        try (ServiceProcess service = ServiceProcess.start(
                folder,
                "optimizer.recovery.heartbeat=200ms",
                "optimizer.recovery.attempts=1000",
                "optimizer.jobs.workers=1")) {
            JsonNode succeeded = again(service, "upgrade-succeeded");
            JsonNode queued = again(service, "upgrade-queued");
            String running = running(service);

            assertThat(succeeded.has("asked")).isFalse();
            assertThat(succeeded.required("result").required("devices").size()).isEqualTo(1);
            String request = shortSearch(1000);
            assertThat(json(service.post(OPTIMIZATIONS, request, "Prefer", "wait=60"))
                            .required("asked"))
                    .isEqualTo(JsonMapper.shared().readTree(request));
            assertThat(service.post("/api/v1/measurements", Examples.text("measurements.json"))
                            .statusCode())
                    .isEqualTo(201);
            assertThat(json(service.post("/api/v1/sweeps", Examples.text("sweep.json"), "Prefer", "wait=60"))
                            .required("progress")
                            .required("answered")
                            .asInt())
                    .isEqualTo(16);
            service.post(OPTIMIZATIONS + "/" + running + "/cancel", "");
            assertThat(end(service, running)).isEqualTo("cancelled");
            assertThat(end(service, queued.required("id").asString())).isEqualTo("succeeded");
        }
    }

    /// As a replica of the version before goes on to write them.
    @ParameterizedTest
    @EnumSource(TestDatabase.class)
    void jobsOfTheSixthSchemaCountForTheirOwners(TestDatabase kind) {
        try (HikariDataSource database = TestDatabase.connect(kind.newUrl())) {
            kind.migration(database, "6").migrate();
            JdbcClient jdbc = JdbcClient.create(database);
            UUID own = queued(jdbc, "key:ann");
            UUID nobodys = queued(jdbc, null);
            kind.migration(database, "latest").migrate();
            queued(jdbc, "key:ann");

            JobStore store = new JobStore(jdbc);
            assertThat(store.find(own).orElseThrow().origin().callerId()).isEqualTo(CallerId.ofOwner("key:ann"));
            assertThat(store.find(nobodys).orElseThrow().origin().callerId()).isEqualTo(CallerId.UNKNOWN);
            assertThat(store.waiting(CallerId.ofOwner("key:ann"))).isEqualTo(new Admission.Waiting(3, 2, 2));
        }
    }

    @ParameterizedTest
    @EnumSource(TestDatabase.class)
    void jobsOfTheTenthSchemaAreShared(TestDatabase kind) {
        try (HikariDataSource database = TestDatabase.connect(kind.newUrl())) {
            kind.migration(database, "10").migrate();
            JdbcClient jdbc = JdbcClient.create(database);
            UUID old = queued(jdbc, "key:ann");
            UUID gone = queued(jdbc, "key:ann");
            kind.migration(database, "latest").migrate();

            ShareLinks links = new ShareLinks(jdbc, Clock.systemUTC());
            ShareLinks.Created link = links.create(old, Duration.ofDays(1)).orElseThrow();
            assertThat(links.open(link.token().reveal())).hasValue(link.link());
            assertThat(links.list(old)).containsExactly(link.link());
            assertThat(links.revoke(gone, link.link().id())).isFalse();
            assertThat(links.revoke(old, link.link().id())).isTrue();
            assertThat(links.open(link.token().reveal())).isEmpty();
            assertThat(links.create(gone, Duration.ofDays(1))).isPresent();
            jdbc.sql("DELETE FROM optimization_job WHERE id = :id")
                    .param("id", gone)
                    .update();
            assertThat(links.create(old, Duration.ofDays(1))).isPresent();
            assertThat(links.list(gone)).isEmpty();
        }
    }

    /// They are found by the names that they get; what model they ask about is known of later ones.
    @ParameterizedTest
    @EnumSource(TestDatabase.class)
    void jobsOfTheTwelfthSchemaAreNamed(TestDatabase kind) {
        try (HikariDataSource database = TestDatabase.connect(kind.newUrl())) {
            kind.migration(database, "12").migrate();
            JdbcClient jdbc = JdbcClient.create(database);
            UUID old = queued(jdbc, "key:ann");
            kind.migration(database, "latest").migrate();
            UUID ofAnOldReplica = queued(jdbc, "key:ann");

            JobStore store = new JobStore(jdbc);
            assertThat(store.list(JobStore.Filter.ALL, null, null, 10).entries())
                    .extracting(OptimizationJob::label)
                    .containsExactly(OptimizationJob.Label.NONE, OptimizationJob.Label.NONE);
            assertThat(store.label(old, "first", true)).isTrue();
            JobStore.Filter named = new JobStore.Filter(Set.of(), true, List.of("first"));
            assertThat(store.list(named, null, null, 10).entries())
                    .extracting(OptimizationJob::id)
                    .containsExactly(old)
                    .doesNotContain(ofAnOldReplica);
        }
    }

    private static UUID queued(JdbcClient jdbc, @Nullable String owner) {
        UUID id = UUID.randomUUID();
        jdbc.sql("""
                INSERT INTO optimization_job (id, status, submitted_at, owner, request)
                VALUES (:id, 'queued', :at, :owner, :request)""")
                .param("id", id)
                .param("at", JobColumns.time(Instant.EPOCH))
                .param("owner", owner, Types.VARCHAR)
                .param("request", JobColumns.bytes("{}"), Types.VARBINARY)
                .update();
        return id;
    }

    @EveryNight
    @Test
    void resultsOfTheFirstVersionAnswerInEveryFormat(@TempDir Path folder) throws Exception {
        Path data = folder.resolve("data");
        OldDatabase.unpack("h2-result-1.zip", data);
        try (ServiceProcess service = ServiceProcess.start(folder);
                Stream<Path> files = Files.list(data)) {
            List<Path> answers =
                    files.filter(file -> FORMATS.containsKey(extension(file))).toList();

            assertThat(answers).hasSize(5 * FORMATS.size());
            for (Path answer : answers) {
                Format format = Objects.requireNonNull(FORMATS.get(extension(answer)));
                String id = answer.getFileName().toString().replaceFirst("\\..*", "");
                assertThat(service.get(OPTIMIZATIONS + "/" + id + format.path, format.mediaType)
                                .body())
                        .as(answer.toString())
                        .isEqualTo(format.names.apply(Files.readString(answer)));
            }
        }
    }

    private static String extension(Path file) {
        return file.getFileName().toString().replaceFirst(".*\\.", "");
    }

    private static String end(ServiceProcess service, String id) throws IOException, InterruptedException {
        return awaitEnd(service, id).required("status").asString();
    }

    /// The only long search that is not finished.
    private static String running(ServiceProcess service) throws IOException, InterruptedException {
        JsonNode jobs = json(service.get(OPTIMIZATIONS + "?status=running&status=queued"))
                .required("optimizations");
        return StreamSupport.stream(jobs.spliterator(), false)
                .filter(job -> job.required("request").required("search").has("batch_range"))
                .map(job -> job.required("id").asString())
                .findFirst()
                .orElseThrow();
    }

    /// The job of the one short request, under its key.
    private static JsonNode again(ServiceProcess service, String key) throws IOException, InterruptedException {
        String request = shortSearch(1000)
                .replace("\"num_devices\": 1", "\"num_devices\": 2")
                .replace("4000", "2000");
        return json(service.post(OPTIMIZATIONS, request, "Idempotency-Key", key));
    }
}

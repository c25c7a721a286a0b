package io.throughputoptimizer.job;

import static io.throughputoptimizer.job.ServiceClient.OPTIMIZATIONS;
import static io.throughputoptimizer.job.ServiceClient.awaitEnd;
import static io.throughputoptimizer.job.ServiceClient.json;
import static io.throughputoptimizer.job.ServiceClient.shortSearch;
import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.fixture.ServiceProcess;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.StreamSupport;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// A database of an older schema is opened, migrated and worked on. `h2-schema-2.zip` was written by the service at
/// version 2 of the schema, which was then killed with one job succeeded, one cancelled, one running and one queued.
class UpgradeIT {
    private static final String FILE = "throughput-optimizer.mv.db";

    @Test
    void jobsOfTheFirstSchemaAreServedAndFinished(@TempDir Path folder) throws Exception {
        unpack(Files.createDirectories(folder.resolve("data")));
        try (ServiceProcess service =
                ServiceProcess.start(folder, "optimizer.recovery.heartbeat=200ms", "optimizer.jobs.workers=1")) {
            JsonNode succeeded = again(service, "upgrade-succeeded");
            JsonNode queued = again(service, "upgrade-queued");
            String running = running(service);

            assertThat(succeeded.required("result").required("devices").size()).isEqualTo(1);
            service.delete(OPTIMIZATIONS + "/" + running);
            assertThat(end(service, running)).isEqualTo("cancelled");
            assertThat(end(service, queued.required("id").asString())).isEqualTo("succeeded");
        }
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

    private static void unpack(Path folder) throws IOException {
        try (InputStream file = UpgradeIT.class.getResourceAsStream("/upgrade/h2-schema-2.zip");
                ZipInputStream zip = new ZipInputStream(Objects.requireNonNull(file))) {
            assertThat(Objects.requireNonNull(zip.getNextEntry()).getName()).isEqualTo(FILE);
            Files.copy(zip, folder.resolve(FILE));
        }
    }
}

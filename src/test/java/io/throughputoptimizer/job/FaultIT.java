package io.throughputoptimizer.job;

import static io.throughputoptimizer.job.ServiceClient.OPTIMIZATIONS;
import static io.throughputoptimizer.job.ServiceClient.awaitEnd;
import static io.throughputoptimizer.job.ServiceClient.awaitStatus;
import static io.throughputoptimizer.job.ServiceClient.longSearch;
import static io.throughputoptimizer.job.ServiceClient.shortSearch;
import static io.throughputoptimizer.job.ServiceClient.submit;
import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.fixture.EveryNight;
import io.throughputoptimizer.fixture.PostgresServer;
import io.throughputoptimizer.fixture.ServiceProcess;
import io.throughputoptimizer.fixture.TcpProxy;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// The database fails for a while: callers are asked to come back, nothing that was accepted is lost, and the service
/// goes on by itself.
@EveryNight
class FaultIT {
    private static final String HEALTH = "/actuator/health";
    private static final int POSTS = 40;
    private static final int POSTERS = 4;

    /// Jobs whose worker could not reach the database are found again after four of them.
    private static final String HEARTBEAT = "optimizer.recovery.heartbeat=500ms";

    /// On a busy machine a job may be taken for lost any number of times.
    private static final String ATTEMPTS = "optimizer.recovery.attempts=1000";

    @Test
    @EnabledOnOs(OS.LINUX)
    void theEmbeddedDatabaseIsOpenedAgainAfterAFullDisk(@TempDir Path folder) throws Exception {
        try (ServiceProcess service = ServiceProcess.start(folder, HEARTBEAT, ATTEMPTS)) {
            List<String> accepted = new ArrayList<>();
            accepted.add(submit(service, shortSearch(1000)));
            accepted.add(submit(service, longSearch(4_000)));
            awaitStatus(service, accepted.getLast(), "running");

            service.limitFiles("0");
            for (int post = 0; post < POSTS; post++) {
                assertThatTheCallerShallComeBack(service.post(OPTIMIZATIONS, shortSearch(2000 + post)));
            }
            assertThat(service.get(OPTIMIZATIONS).statusCode()).isIn(200, 503);
            assertThat(service.get(HEALTH).statusCode()).isEqualTo(503);
            assertThat(service.get(HEALTH + "/readiness").statusCode()).isEqualTo(503);
            assertThat(service.get(HEALTH + "/liveness").statusCode()).isEqualTo(200);

            service.limitFiles("unlimited");
            awaitHealth(service);
            for (int post = 0; post < POSTS; post++) {
                accepted.add(submit(service, shortSearch(3000 + post)));
            }
            assertThatAllSucceed(service, accepted);
        }
    }

    @Test
    @EveryNight
    void aDatabaseThatIsCutOffUnderLoadIsFoundAgain(@TempDir Path folder) throws Exception {
        URI database = URI.create(PostgresServer.newDatabase().substring("jdbc:".length()));
        try (TcpProxy line = new TcpProxy(database.getHost(), database.getPort());
                ServiceProcess service = ServiceProcess.start(folder, HEARTBEAT, ATTEMPTS, through(line, database));
                ExecutorService posters = Executors.newFixedThreadPool(POSTERS)) {
            List<Future<List<String>>> posting = new ArrayList<>();
            for (int poster = 0; poster < POSTERS; poster++) {
                int first = 1000 * (poster + 1);
                posting.add(posters.submit(() -> postAll(service, first)));
            }
            for (int cuts = 0; cuts < 5; cuts++) {
                Thread.sleep(200);
                line.cut();
                Thread.sleep(200);
                line.pass();
            }
            List<String> accepted = new ArrayList<>();
            for (Future<List<String>> poster : posting) {
                accepted.addAll(poster.get());
            }
            assertThat(accepted).hasSize(POSTERS * POSTS);
            awaitHealth(service);
            assertThatAllSucceed(service, accepted);
        }
    }

    @Test
    @EveryNight
    void aDatabaseThatHangsOrRefusesWritesDoesNotHangCallers(@TempDir Path folder) throws Exception {
        String url = PostgresServer.newDatabase();
        URI database = URI.create(url.substring("jdbc:".length()));
        try (TcpProxy line = new TcpProxy(database.getHost(), database.getPort());
                ServiceProcess service = ServiceProcess.start(folder, HEARTBEAT, ATTEMPTS, through(line, database))) {
            String accepted = submit(service, shortSearch(1000));

            line.hang();
            assertThatTheCallerShallComeBack(service.post(OPTIMIZATIONS, shortSearch(2000)));
            assertThat(service.get(HEALTH).statusCode()).isEqualTo(503);
            assertThat(service.get(HEALTH + "/liveness").statusCode()).isEqualTo(200);

            line.pass();
            awaitHealth(service);
            assertThatAllSucceed(service, List.of(accepted, submit(service, shortSearch(3000))));

            PostgresServer.setReadOnly(url, true);
            await(service, HEALTH + "/readiness", 503);
            assertThatTheCallerShallComeBack(service.post(OPTIMIZATIONS, shortSearch(4000)));
            awaitStatus(service, accepted, "succeeded");
            await(service, HEALTH + "/readiness", 503);
            assertThat(service.get(HEALTH + "/liveness").statusCode()).isEqualTo(200);

            PostgresServer.setReadOnly(url, false);
            awaitHealth(service);
        }
    }

    private static String through(TcpProxy line, URI database) {
        return "spring.datasource.url=jdbc:postgresql://127.0.0.1:" + line.port() + database.getPath() + "?"
                + database.getQuery();
    }

    /// Every post has a key, and is sent again until it is accepted.
    private static List<String> postAll(ServiceProcess service, int first) throws IOException, InterruptedException {
        List<String> accepted = new ArrayList<>();
        for (int post = first; post < first + POSTS; post++) {
            HttpResponse<String> answer = post(service, post);
            while (answer.statusCode() != 202) {
                assertThatTheCallerShallComeBack(answer);
                Thread.sleep(50);
                answer = post(service, post);
            }
            accepted.add(ServiceClient.json(answer).required("id").asString());
        }
        return accepted;
    }

    private static HttpResponse<String> post(ServiceProcess service, int inputLength)
            throws IOException, InterruptedException {
        return service.post(OPTIMIZATIONS, shortSearch(inputLength), "Idempotency-Key", "post-" + inputLength);
    }

    private static void assertThatTheCallerShallComeBack(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(503);
        assertThat(answer.headers().firstValue("Retry-After")).hasValue("5");
    }

    private static void awaitHealth(ServiceProcess service) throws IOException, InterruptedException {
        await(service, HEALTH, 200);
    }

    private static void await(ServiceProcess service, String path, int status)
            throws IOException, InterruptedException {
        while (service.get(path).statusCode() != status) {
            Thread.sleep(50);
        }
    }

    private static void assertThatAllSucceed(ServiceProcess service, List<String> ids)
            throws IOException, InterruptedException {
        for (String id : ids) {
            assertThat(awaitEnd(service, id).required("status").asString()).isEqualTo("succeeded");
        }
    }
}

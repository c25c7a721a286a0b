package io.throughputoptimizer.job;

import static io.throughputoptimizer.job.ServiceClient.OPTIMIZATIONS;
import static io.throughputoptimizer.job.ServiceClient.awaitEnd;
import static io.throughputoptimizer.job.ServiceClient.awaitStatus;
import static io.throughputoptimizer.job.ServiceClient.longSearch;
import static io.throughputoptimizer.job.ServiceClient.submit;
import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.fixture.EveryNight;
import io.throughputoptimizer.fixture.ServiceProcess;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The service stops as `kill` asks it to, and goes on when it is started again.
@EveryNight
class StopIT {
    @Test
    void aStopEndsStreamsAndHandsRunningJobsBack(@TempDir Path folder) throws Exception {
        String id;
        try (ServiceProcess service = ServiceProcess.start(folder, "optimizer.recovery.stop-grace=0s");
                HttpClient http = HttpClient.newHttpClient()) {
            id = submit(service, longSearch(4_000));
            awaitStatus(service, id, "running");
            HttpRequest follow = HttpRequest.newBuilder(service.uri(OPTIMIZATIONS + "/" + id + "/events"))
                    .build();
            Stream<String> stream =
                    http.send(follow, HttpResponse.BodyHandlers.ofLines()).body();
            Iterator<String> lines = stream.iterator();
            assertThat(lines.next()).isEqualTo("event:progress");

            service.stop();

            while (lines.hasNext()) {
                assertThat(lines.next()).isNotEqualTo("event:finished");
            }
        }
        try (ServiceProcess service = ServiceProcess.start(folder)) {
            assertThat(awaitEnd(service, id).required("status").asString()).isEqualTo("succeeded");
        }
    }
}

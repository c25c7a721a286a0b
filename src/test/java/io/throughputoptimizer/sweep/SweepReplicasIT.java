package io.throughputoptimizer.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.fixture.EveryNight;
import io.throughputoptimizer.fixture.PostgresServer;
import io.throughputoptimizer.fixture.ServiceProcess;
import io.throughputoptimizer.fixture.TestDatabase;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Processes of the service on one PostgreSQL work off one sweep.
class SweepReplicasIT {
    private static final String SWEEPS = "/api/v1/sweeps";
    private static final int STEPS = 1_000;
    private static final int CELLS = 8 * STEPS;

    private final String database = PostgresServer.newDatabase();
    private final String[] settings = {
        "optimizer.sweeps.workers=1", "optimizer.recovery.heartbeat=200ms", "spring.datasource.url=" + database
    };

    /// Cells of some milliseconds each.
    private static final String SWEEP = """
            {"base": {"model_id": "Qwen/Qwen3-8B", "devices": ["TEST_DEVICE"],
                      "workload": {"input_length": 1000, "output_length": 100}, "slo": {"ttft_ms": 4000, "tpot_ms": 100}},
             "axes": [{"pointer": "/num_devices", "values": [1, 2, 4, 8, 16, 32, 64, 128]},
                      {"pointer": "/workload/input_length", "values": {"from": 500, "to": 9000, "steps": %d}}]}""".formatted(STEPS);

    /// One of two replicas is killed in the middle, and a third one begins.
    @EveryNight
    @Test
    void everyCellHasOneRowWhoeverDies(@TempDir Path folder) throws Exception {
        try (ServiceProcess one = ServiceProcess.start(folder, settings);
                ServiceProcess other = ServiceProcess.start(folder, settings)) {
            HttpResponse<String> answer = one.post(SWEEPS, SWEEP);
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(202);
            String sweep = SWEEPS + "/" + json(answer).required("id").asString();
            while (done(other, sweep) < CELLS / 10) {
                Thread.sleep(20);
            }
            one.kill();
            assertThat(done(other, sweep)).isLessThan(CELLS);
            try (ServiceProcess third = ServiceProcess.start(folder, settings)) {
                while (!json(third.get(sweep)).required("status").asString().equals("succeeded")) {
                    Thread.sleep(50);
                }
                JsonNode progress = json(other.get(sweep)).required("progress");
                assertThat(progress.required("done").asInt()).isEqualTo(CELLS);
                assertThat(progress.required("failed").asInt()).isZero();
                List<Integer> cells = third.get(sweep + "/cells", "application/x-ndjson")
                        .body()
                        .lines()
                        .map(line -> JsonMapper.shared()
                                .readTree(line)
                                .required("cell")
                                .asInt())
                        .toList();
                assertThat(cells).isEqualTo(IntStream.range(0, CELLS).boxed().toList());
            }
        }
        try (var connections = TestDatabase.connect(database)) {
            JdbcClient jdbc = JdbcClient.create(connections);
            assertThat(count(jdbc, "sweep_chunk")).isEqualTo(Math.ceilDiv(CELLS, Sweep.chunkCells(CELLS)));
            assertThat(count(jdbc, "sweep_task")).isZero();
        }
    }

    private static int count(JdbcClient jdbc, String table) {
        return jdbc.sql("SELECT COUNT(*) FROM " + table).query(Integer.class).single();
    }

    private static int done(ServiceProcess service, String sweep) throws IOException, InterruptedException {
        return json(service.get(sweep)).required("progress").required("done").asInt();
    }

    private static JsonNode json(HttpResponse<String> answer) {
        return JsonMapper.shared().readTree(answer.body());
    }
}

package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;

import io.restassured.path.json.JsonPath;
import io.throughputoptimizer.web.description.Examples;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Commands of servers over HTTP.
class ServerCommandIT extends HttpTest {
    private static final String QUESTION = """
            {"model_id": "%s", "devices": ["H100_SXM"], "num_devices": 8, "cost_model": "calibrated",
             "quantization": {"scheme": "%s"}, "engine": {"backend": "%s", "kv_cache_dtype": "%s"},
             "workload": {"input_length": %d, "output_length": 200, "prefix_cache_hit_rate": %s}}""";

    @Test
    void readsACommand() {
        api().contentType("text/plain")
                .body(Examples.text("server-command.txt"))
                .post(ServerController.COMMANDS + "?instances=2&device=H100_SXM&model_id=Qwen/Qwen3-32B")
                .then()
                .statusCode(200)
                .body("model_id", equalTo("Qwen/Qwen3-32B"))
                .body("device", equalTo("H100_SXM"))
                .body("num_devices", equalTo(16))
                .body("engine.max_num_seqs", equalTo(256));
    }

    @Test
    void rejectsOtherCommands() {
        rejects("docker run vllm/vllm-openai", "", "must start a server with `vllm serve`");
        rejects("vllm serve m", "?scheme=FP9", "unknown value \"FP9\"; allowed: BF16");
        rejects("vllm serve m", "?instances=0", "must be a whole number from 1 to 10000");
        rejects("vllm serve " + "m".repeat(65_536), "", "must be at most 65536 characters.");
    }

    private void rejects(String command, String query, String reason) {
        api().contentType("text/plain")
                .body(command)
                .post(ServerController.COMMANDS + query)
                .then()
                .statusCode(400)
                .body("errors[0].detail", containsString(reason));
    }

    /// Layout, requests, tokens of a step, cache type and prefix cache of each row come back from its command.
    @Test
    void readsBackTheCommandsOfPlans() {
        Random random = new Random(48);
        for (List<String> plan : List.of(
                List.of("Qwen/Qwen3-32B", "FP8", "vllm", "fp8"),
                List.of("Qwen/Qwen3-8B", "BF16", "sglang", "bf16"),
                List.of("Qwen/Qwen3-30B-A3B", "FP8_BLOCK", "vllm", "bf16"),
                List.of("Qwen/Qwen3-30B-A3B", "FP8_BLOCK", "sglang", "fp8"))) {
            String backend = plan.get(2);
            boolean hits = random.nextBoolean();
            JsonPath job = json(QUESTION.formatted(
                            plan.get(0),
                            plan.get(1),
                            backend,
                            plan.get(3),
                            200 + random.nextInt(4000),
                            hits ? "0.3" : "0.0"))
                    .header("Prefer", "wait=600")
                    .post(OPTIMIZATIONS)
                    .jsonPath();
            List<Map<String, ?>> rows = job.getList("result.devices[0].phases[0].rows");
            assertThat(rows).isNotEmpty();
            for (int rank = 1; rank <= rows.size(); rank++) {
                JsonPath launch = api().get(OPTIMIZATIONS + "/" + job.getString("id") + "/launch?engine=" + backend
                                + "&rank=" + rank)
                        .jsonPath();
                JsonPath read = api().contentType("text/plain")
                        .body(Objects.requireNonNull(launch.getString("servers[0].command")))
                        .post(ServerController.COMMANDS + "?model_id=" + plan.get(0) + "&scheme=" + plan.get(1)
                                + "&instances=" + launch.getInt("servers[0].instances"))
                        .then()
                        .statusCode(200)
                        .extract()
                        .jsonPath();
                String row = "result.devices[0].phases[0].rows[" + (rank - 1) + "].";

                assertThat(read.getInt("parallel.tp")).isEqualTo(job.getInt(row + "parallel.tp"));
                int replicas = read.get("parallel.dp") == null ? 1 : read.getInt("parallel.dp");
                assertThat(replicas * read.getInt("parallel.tp") * read.getInt("instances"))
                        .isEqualTo(read.getInt("num_devices"))
                        .isEqualTo(8);
                assertThat(read.getLong("engine.max_num_seqs")).isEqualTo(job.getLong(row + "batch_size"));
                assertThat(read.getString("engine.kv_cache_dtype")).isEqualTo(plan.get(3));
                assertThat(read.getBoolean("prefix_cache")).isEqualTo(hits);
                assertThat(launch.getString("servers[0].command"))
                        .contains(String.valueOf(
                                read.getLong("engine.max_batched_tokens") * (backend.equals("vllm") ? 1 : replicas)));
            }
        }
    }
}

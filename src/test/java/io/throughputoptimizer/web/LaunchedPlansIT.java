package io.throughputoptimizer.web;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import io.throughputoptimizer.fixture.EveryNight;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Whatever can be the best of a search can be started, or the engines say why they cannot run it.
class LaunchedPlansIT extends HttpTest {
    private static final List<String> ENGINES = List.of("vllm", "vllm-ascend", "sglang", "trtllm", "mindie");
    private static final int QUESTIONS = 6;

    @TempDir
    private Path folder;

    /// Rank 1 of random questions on all engines: its devices are all there, and its script is one that a shell reads.
    @EveryNight
    @ParameterizedTest
    @CsvSource({
        "aggregation, documented",
        "aggregation, steady",
        "disaggregation, documented",
        "pd_ratio, documented",
        "pd_ratio, steady",
        "capacity, documented",
        "capacity, steady"
    })
    void theBestOfASearchIsStarted(String mode, String accounting) throws Exception {
        Random random = new Random(mode.hashCode() * 31L + accounting.hashCode());
        int started = 0;
        for (int trial = 0; trial < QUESTIONS; trial++) {
            String question = question(mode, accounting, random);
            Response asked = json(question).header("Prefer", "wait=600").post(OPTIMIZATIONS);
            assertThat(asked.statusCode())
                    .as("%s: %.300s", question, asked.asString())
                    .isEqualTo(200);
            JsonPath job = asked.jsonPath();
            long devices = devices(job.getMap("result"), mode);
            if (devices == 0) {
                continue;
            }
            Set<String> refusals = new TreeSet<>();
            int commands = 0;
            for (String engine : ENGINES) {
                String address = OPTIMIZATIONS + "/" + job.getString("id") + "/launch?benchmark=true&engine=" + engine;
                Response answer = api().accept("application/json").get(address);
                if (answer.statusCode() != 200) {
                    assertThat(answer.statusCode())
                            .as("%s of %s: %s", engine, question, answer.asString())
                            .isEqualTo(422);
                    refusals.add(answer.jsonPath().getString("detail"));
                    continue;
                }
                commands++;
                JsonPath launch = answer.jsonPath();
                assertThat(devices(launch)).as("%s of %s", engine, question).isEqualTo(devices);
                checkPorts(launch);
                checkLimits(launch);
                requireReadable(api().accept("text/plain").get(address).asString());
            }
            assertThat(commands > 0 || refusals.stream().anyMatch(reason -> reason.contains("cannot run this row")))
                    .as("%s: %s", question, refusals)
                    .isTrue();
            started += commands > 0 ? 1 : 0;
        }
        assertThat(started).isGreaterThan(QUESTIONS / 3);
    }

    private static long devices(JsonPath launch) {
        List<Map<String, ?>> servers = launch.getList("servers");
        return servers.stream()
                .mapToLong(server -> number(server, "num_devices") * number(server, "instances"))
                .sum();
    }

    /// Devices of the best plan; 0 where there is none.
    @SuppressWarnings("unchecked") // JSON
    private static long devices(Map<String, ?> result, String mode) {
        if (mode.equals("capacity")) {
            Map<String, ?> capacity = (Map<String, ?>) requireNonNull(result.get("capacity"));
            List<Map<String, ?>> rows = (List<Map<String, ?>>) requireNonNull(capacity.get("rows"));
            return rows.isEmpty() ? 0 : number(rows.getFirst(), "num_devices");
        }
        Map<String, ?> device = ((List<Map<String, ?>>) requireNonNull(result.get("devices"))).getFirst();
        if (mode.equals("pd_ratio")) {
            Map<String, ?> best =
                    (Map<String, ?>) ((Map<String, ?>) requireNonNull(device.get("pd_ratio"))).get("best");
            return best == null || best.get("prefill_instances") == null
                    ? 0
                    : number(best, "prefill_instances") * number(best, "num_devices_p")
                            + number(best, "decode_instances") * number(best, "num_devices_d");
        }
        long devices = 0;
        for (Map<String, ?> phase : (List<Map<String, ?>>) requireNonNull(device.get("phases"))) {
            Map<String, ?> best = (Map<String, ?>) phase.get("best");
            if (best != null) {
                Map<String, ?> parallel = (Map<String, ?>) requireNonNull(best.get("parallel"));
                long replicas = best.get("replicas") == null ? 1 : number(best, "replicas");
                devices += number(parallel, "tp") * number(parallel, "dp") * replicas;
            }
        }
        return devices;
    }

    private static long number(Map<String, ?> members, String name) {
        return ((Number) requireNonNull(members.get(name))).longValue();
    }

    private static void checkPorts(JsonPath launch) {
        List<Map<String, ?>> servers = launch.getList("servers");
        List<Long> ports = new ArrayList<>();
        for (Map<String, ?> server : servers) {
            for (long index = 0; index < number(server, "instances"); index++) {
                ports.add(number(server, "port") + index);
            }
        }
        if (launch.get("router_port") != null) {
            ports.add(launch.getLong("router_port"));
        }
        assertThat(ports).doesNotHaveDuplicates().allMatch(port -> port < 65536);
        assertThat(ports.size() == 1 || launch.get("router") != null).isTrue();
    }

    /// vLLM refuses to start with more requests than tokens of a step.
    private static void checkLimits(JsonPath launch) {
        if (launch.getString("engine").startsWith("vllm")) {
            for (String command : launch.getList("servers.command", String.class)) {
                List<String> words = List.of(command.split("\\s+"));
                assertThat(Long.parseLong(words.get(words.indexOf("--max-num-seqs") + 1)))
                        .isLessThanOrEqualTo(Long.parseLong(words.get(words.indexOf("--max-num-batched-tokens") + 1)));
            }
        }
    }

    private void requireReadable(String script) throws IOException, InterruptedException {
        Path file = Files.writeString(folder.resolve("script.sh"), script);
        assertThat(run("bash", "-n", file.toString())).as(script).isZero();
    }

    private int run(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("output").toFile())
                .start()
                .waitFor();
    }

    @Test
    void nginxTakesItsConfiguration() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/sbin/nginx")), "nginx is not installed");
        String job = optimize("""
                {"cost_model": "calibrated", "model_id": "Qwen/Qwen3-32B", "devices": ["H100_SXM"], "num_devices": 8,
                 "engine": {"backend": "vllm"}, "quantization": {"scheme": "FP8"}, "search": {"tp_sizes": [2]},
                 "workload": {"input_length": 3500, "output_length": 1500}}""").extract().path("id");
        JsonPath launch =
                api().get(OPTIMIZATIONS + "/" + job + "/launch?engine=vllm").jsonPath();
        Files.writeString(folder.resolve("nginx.conf"), launch.getString("router_file.content"));

        int status = run("/usr/sbin/nginx", "-t", "-e", "stderr", "-p", folder.toString(), "-c", "nginx.conf");

        assertThat(status).as(Files.readString(folder.resolve("output"))).isZero();
    }

    /// With a tokenizer of single words, prompts have the lengths that are asked for, and share their beginning.
    @Test
    void theProgramWritesPromptsOfThePlansLengths() throws Exception {
        assumeTrue(run("python3", "--version") == 0, "Python is not installed");
        String job = optimize("""
                {"cost_model": "analytic", "model_id": "Qwen/Qwen3-8B", "devices": ["H100_SXM"], "num_devices": 1, "accounting": "steady",
                 "workload": {"length_distribution": {"bins": [{"min_tokens": 0, "max_tokens": 100, "weight": 3},
                                                               {"min_tokens": 200, "max_tokens": 300, "weight": 1}]},
                              "output_length": 20, "prefix_cache_hit_rate": 0.5},
                 "search": {"batch_range": [8, 8]}, "slo": {"tpot_ms": 500}}""").extract().path("id");
        JsonPath launch = api().get(OPTIMIZATIONS + "/" + job + "/launch?engine=sglang&benchmark=true")
                .jsonPath();
        Files.writeString(folder.resolve("prompts.py"), launch.getString("prompts.content"));
        Files.writeString(folder.resolve("transformers.py"), """
                class AutoTokenizer:
                    @staticmethod
                    def from_pretrained(name, trust_remote_code=False):
                        return AutoTokenizer()
                    def __len__(self):
                        return 26
                    def decode(self, tokens):
                        return "".join(" " + chr(97 + token) for token in tokens)
                    def encode(self, text, add_special_tokens=True):
                        return text.split()
                """);

        assertThat(run("python3", "prompts.py", "any"))
                .as(Files.readString(folder.resolve("output")))
                .isZero();

        List<JsonPath> lines = Files.readAllLines(folder.resolve("output")).stream()
                .map(JsonPath::from)
                .toList();
        assertThat(lines).hasSize(80);
        assertThat(lines).extracting(line -> words(line.getString("prompt"))).containsOnly(50, 250);
        assertThat(lines).allMatch(line -> line.getInt("output_tokens") == 20);
        assertThat(lines).allMatch(line -> words(line.getString("conversations[1].content")) == 20);
        assertThat(lines)
                .extracting(line -> line.getString("prompt").substring(0, 50))
                .containsOnly(lines.getFirst().getString("prompt").substring(0, 50));
    }

    private static int words(String text) {
        return text.strip().split(" ").length;
    }

    private static String question(String mode, String accounting, Random random) {
        boolean steady = accounting.equals("steady");
        List<String> models = steady
                ? List.of("Qwen/Qwen3-32B", "Qwen/Qwen3-30B-A3B", "meta-llama/Llama-3.3-70B-Instruct")
                : List.of("Qwen/Qwen3-8B", "Qwen/Qwen3-32B", "Qwen/Qwen3-30B-A3B", "deepseek-ai/DeepSeek-V3.1");
        List<String> kinds = steady
                ? List.of("H100_SXM", "H200_SXM")
                : List.of("H100_SXM", "H200_SXM", "ATLAS_800_A3_752T_128G_DIE");
        String model = models.get(random.nextInt(models.size()));
        int devices = 4 << random.nextInt(3);
        int size = Math.min(devices / 2, 2 << random.nextInt(3));
        boolean mixed = steady && random.nextInt(3) == 0;
        String more = switch (mode) {
            case "pd_ratio" ->
                ", \"pd_ratio\": {\"prefill_devices_per_instance\": %d, \"decode_devices_per_instance\": %s}"
                        .formatted(size, random.nextBoolean() ? size : "[" + size + ", " + Math.max(1, size / 2) + "]");
            case "capacity" ->
                ", \"headroom\": 0.1, \"demand\": %s"
                        .formatted(random.nextBoolean() ? "{\"requests_per_s\": 4}" : "{\"concurrency\": 40}");
            default -> "";
        };
        return """
                {"mode": "%s", "model_id": "%s", "devices": ["%s"], "num_devices": %d,
                 "workload": {%s, "output_length": %d, "prefix_cache_hit_rate": %s},
                 "slo": {"ttft_ms": %d, "tpot_ms": %d}, %s%s}""".formatted(
                mode,
                model,
                kinds.get(random.nextInt(kinds.size())),
                mode.equals("capacity") ? 64 : devices,
                mixed
                        ? "\"length_distribution\": {\"bins\": [{\"min_tokens\": 0, \"max_tokens\": 1000, \"weight\": 3},"
                                + " {\"min_tokens\": 1000, \"max_tokens\": 3000, \"weight\": 1}]}"
                        : "\"input_length\": " + (200 + random.nextInt(4000)),
                100 + random.nextInt(900),
                random.nextInt(3) == 0 ? "0.3" : "0.0",
                2000 + random.nextInt(6000),
                30 + random.nextInt(100),
                steady
                        ? "\"cost_model\": \"calibrated\", \"engine\": {\"backend\": \"%s\"},"
                                        .formatted(List.of("vllm", "sglang", "trtllm")
                                                .get(random.nextInt(3)))
                                + " \"search\": {\"batch_range\": [1, 64]},"
                                + " \"quantization\": {\"scheme\": \"FP8\"}"
                        : "\"cost_model\": \"analytic\", \"accounting\": \"%s\", \"serving\": {\"compile\": true}, \"search\": {%s}"
                                .formatted(
                                        accounting,
                                        mixed ? "" : "\"max_batched_tokens\": " + (random.nextBoolean() ? 8192 : 4096)),
                more);
    }
}

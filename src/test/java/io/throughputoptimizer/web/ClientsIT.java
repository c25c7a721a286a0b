package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.restassured.response.ValidatableResponse;
import io.throughputoptimizer.fixture.EveryNight;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.web.server.LocalServerPort;

/// Clients made from the API description, as they come out of the generators, submit, wait, and read rows and problems.
///
/// Their generators come from npm and Maven Central; where something that a client needs is not to be had, its test is
/// skipped and says what. By hand, with a service that runs:
/// `src/test/clients/run.sh typescript http://127.0.0.1:8080 target/clients`.
@EveryNight
class ClientsIT extends HttpTest {
    private static final Path SCRIPT = Path.of("src", "test", "clients", "run.sh");
    private static final Path FOLDER = Path.of("target", "clients");
    private static final int CANNOT_RUN = 77;

    @LocalServerPort
    private int port;

    @ParameterizedTest
    @ValueSource(strings = {"typescript", "python"})
    void aGeneratedClientReadsWhatTheServiceSays(String language) throws Exception {
        List<String> read = run(language);

        assertThat(read).containsExactly(best(), "limit inf", mixed(), "problem 400 /search/batch_range");
    }

    @Test
    @EveryNight
    void oneInJavaReadsItToo() throws Exception {
        aGeneratedClientReadsWhatTheServiceSays("java");
    }

    private List<String> run(String language) throws IOException, InterruptedException {
        Files.createDirectories(FOLDER);
        Path output = FOLDER.resolve(language + ".out");
        Path errors = FOLDER.resolve(language + ".err");
        ProcessBuilder builder = new ProcessBuilder(
                        "bash", SCRIPT.toString(), language, "http://127.0.0.1:" + port, FOLDER.toString())
                .redirectOutput(output.toFile())
                .redirectError(errors.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process process = builder.start();
        try {
            assumeTrue(process.waitFor(5, TimeUnit.MINUTES), "what the client needs does not come");
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        String said = Files.readString(errors, StandardCharsets.UTF_8);
        assumeTrue(process.exitValue() != CANNOT_RUN, said);
        assertThat(process.exitValue()).as(said).isZero();
        return Files.readAllLines(output, StandardCharsets.UTF_8);
    }

    /// The device's own name has no influence on its figures.
    private String best() {
        ValidatableResponse job = optimize("""
                {"model_id": "Qwen/Qwen3-8B", "devices": ["TEST_DEVICE"], "num_devices": 4, "slo": {"tpot_ms": 50}, "serving": {"compile": true},
                 "workload": {"input_length": 3500, "output_length": 1500}}""");
        Map<String, Object> row = job.extract().path("result.devices[0].phases[0].best");
        return "best " + row.get("tokens_per_s") + " " + row.get("batch_size") + " "
                + job.extract().path("result.devices[0].phases[0].best.parallel.label");
    }

    private String mixed() {
        List<Map<String, Object>> parts = optimize("""
                {"model_id": "Qwen/Qwen3-8B", "devices": ["TEST_DEVICE"], "num_devices": 4, "mode": "disaggregation", "slo": {"ttft_ms": 4000},
                 "allow_beyond_context": true, "workload": {"length_distribution": {"name": "builtin"}, "output_length": 500}}""").extract().path("result.devices[0].phases[0].best.composition");
        assertThat(parts).hasSizeGreaterThan(1);
        return parts.stream()
                .map(part -> part.get("num_input_tokens") + ":" + part.get("samples"))
                .collect(Collectors.joining(" ", "mixed all ", ""));
    }
}

package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.hasItem;

import de.siegmar.fastcsv.reader.CsvReader;
import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.fixture.RawHttp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.test.web.server.LocalServerPort;

/// Texts of a caller's choice stay texts wherever they come out: in tables, on terminals, in scripts and in logs.
@ExtendWith(OutputCaptureExtension.class)
class HostileNamesIT extends HttpTest {
    private static final Pattern FORMULA = Pattern.compile("^[\\s\\p{Z}]*[=+@\\-＝＋＠－].*", Pattern.DOTALL);
    private static final Pattern NUMBER = Pattern.compile("-?\\d+(\\.\\d+)?([eE]-?\\d+)?");
    private static final Pattern UNPRINTABLE = Pattern.compile("[\\p{C}\\p{Zl}\\p{Zp}&&[^\\t\\r\\n]]");

    @LocalServerPort
    private int port;

    @TempDir
    private Path folder;

    /// A search whose answer names all that its caller may name.
    private static String question(String currency, String version) {
        return """
                {"model_id": "Qwen/Qwen3-8B", "devices": ["H100_SXM"], "num_devices": 2, "cost_model": "calibrated",
                 "engine": {"backend": "vllm", "version": %s}, "quantization": {"scheme": "FP8"},
                 "workload": {"input_length": 1000, "output_length": 100}, "slo": {"ttft_ms": 2000, "tpot_ms": 50},
                 "objective": {"name": "cost_per_million_tokens", "price_per_device_hour": 2.5, "currency": %s}}""".formatted(WireFormat.write(version), WireFormat.write(currency));
    }

    @ParameterizedTest
    @ValueSource(strings = {"=1+1", "+1", "-2+3", "@SUM(A1)", "=cmd|'/C'!A0", "＝1", "\"=1", "EUR"})
    void noCellIsAFormula(String currency) {
        String csv = answer(question(currency, currency), "text/csv");

        List<String> cells = CsvReader.builder().ofCsvRecord(csv).stream()
                .flatMap(line -> line.getFields().stream())
                .toList();
        assertThat(cells).anyMatch(cell -> cell.contains(currency));
        assertThat(cells)
                .filteredOn(cell -> !NUMBER.matcher(cell).matches())
                .noneMatch(cell -> FORMULA.matcher(cell).matches());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a\u001b[31m",
                "\u0007",
                "\u0000",
                "a\u202eb",
                "\u2028",
                "a\u0085b",
                "\u200b",
                "\ufeffEUR",
                "a b",
                "\t"
            })
    void aLabelOfPricesIsVisible(String currency) {
        json(question(currency, "1"))
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(400)
                .body("errors.pointer", hasItem("/objective/currency"));
    }

    /// A checkpoint whose name begins with a dash would be an option of the engine that it is given to.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "--help", "-x", "a$(id)", "a`id`", "a;id", "a b", "a\nb", "a'b", "a\"b", "a&b", "a|b", "a>b", "~a",
                "\u001b", "a\\b", "*", "a}b"
            })
    void aModelIsNoWordOfAShell(String model) {
        String document = WireFormat.write(Map.of("model_id", model, "num_devices", 1));
        for (String path : List.of(OPTIMIZATIONS, "/api/v1/estimates", "/api/v1/simulations")) {
            json(document).post(path).then().statusCode(400).body("errors.pointer", hasItem("/model_id"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"$(echo>ran)", "`echo>ran`", "';echo>ran;'", "\";echo>ran;\"", "\n:>ran\n", "${x:=>ran}"})
    void aScriptRunsNothingThatACallerNamed(String word) throws IOException, InterruptedException {
        String currency = word.strip();
        String id = json(question(currency, word))
                .header("Prefer", "wait=600")
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(200)
                .extract()
                .path("id");
        for (String engine : List.of("vllm", "sglang", "trtllm")) {
            String script = api().accept("text/plain")
                    .get(OPTIMIZATIONS + "/" + id + "/launch?benchmark=true&engine=" + engine)
                    .then()
                    .statusCode(200)
                    .extract()
                    .asString();

            assertThat(UNPRINTABLE.matcher(script).results()).isEmpty();
            run(script);
            assertThat(folder.resolve("ran")).as(script).doesNotExist();
        }
    }

    /// Without any program but the shell itself.
    private void run(String script) throws IOException, InterruptedException {
        ProcessBuilder shell = new ProcessBuilder(
                        "/bin/bash",
                        Files.writeString(folder.resolve("script.sh"), script).toString())
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("output").toFile());
        shell.environment().put("PATH", folder.toString());
        shell.environment().put("MODEL", "checkpoint");
        shell.start().waitFor();
    }

    /// A line of a log is one line, and begins with the time of day.
    @Test
    void logsHaveNoLineOfACaller(CapturedOutput log) throws IOException {
        String forged = "2026-01-01T00:00:00.000Z  INFO 1 --- forged";
        String encoded = "%0d%0a" + forged.replace(" ", "%20") + "%1b%5b31m%e2%80%a8";
        for (String line : List.of(
                "GET /" + encoded,
                "GET /api/v1/models/a/" + encoded,
                "GET /api/v1/devices/" + encoded,
                "GET /api/v1/optimizations/" + encoded,
                "GET /api/v1/optimizations?cursor=" + encoded,
                "GET /api/v1/optimizations?" + encoded + "=1",
                "GET /actuator/health/" + encoded,
                "GET /swagger-ui/" + encoded,
                "GET /v3/api-docs/" + encoded,
                "POST /api/v1/keys",
                "DELETE /api/v1/keys/" + encoded,
                "BREW" + "\u001b[31m /",
                "GET /\u001b[31m")) {
            for (String header : List.of(
                    "X-Odd: \u001b[31m",
                    "X-Odd: a\rforged",
                    "Accept: \u0007" + forged,
                    "Accept-Language: \u009b31m",
                    "Idempotency-Key: \u0085" + forged,
                    "Prefer: wait=\u001b",
                    "Host: \u001b[31m",
                    "User-Agent: ${jndi:ldap://127.0.0.1:9/x}",
                    "\u001b[31m: a",
                    "traceparent: 00-" + forged + "-01")) {
                new RawHttp(port, Duration.ofMinutes(5))
                        .send(line + " HTTP/1.1\r\n" + (header.startsWith("Host") ? "" : "Host: localhost\r\n") + header
                                + "\r\nConnection: close\r\n\r\n");
            }
        }
        for (String text : List.of("\u001b[31m", "\n" + forged, "\u2028" + forged, "\u202e" + forged)) {
            json(WireFormat.write(Map.of("model_id", text, text, text))).post(OPTIMIZATIONS);
            json(question("EUR", text)).header("Prefer", "wait=600").post(OPTIMIZATIONS);
        }

        assertThat(log.getAll().replace("\t", "").lines())
                .noneMatch(line -> UNPRINTABLE.matcher(line).find())
                .noneMatch(line -> line.startsWith(forged));
    }
}

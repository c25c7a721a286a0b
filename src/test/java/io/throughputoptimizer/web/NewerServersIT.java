package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.restassured.path.json.JsonPath;
import io.throughputoptimizer.fixture.EveryNight;
import io.throughputoptimizer.fixture.Silicon;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

/// Measured servers of newer models, with drafts and without, asked for as a caller would: a search of nothing but
/// their layout at their load.
class NewerServersIT extends HttpTest {
    private static final String ROW = "result.devices[0].phases[0].rows[0].";

    /// What the service says of a server, and what its benchmark did.
    private record Answer(double tpot, double ttft, double tpotMeasured, double ttftMeasured) {
        double tpotError() {
            return 100 * (tpot / tpotMeasured - 1);
        }

        double ttftError() {
            return 100 * (ttft / ttftMeasured - 1);
        }
    }

    /// Errors of `validation.md`, rounded. The law alone has medians of 11.1 and 18.2%: tables of all-reduces
    /// move rows by up to 4.4%, and the memory law lets 57 instead of 47 requests of one row run.
    @EveryNight
    @Test
    void errorsAreAsPublished() throws IOException {
        List<Answer> answers = answers("rows-newer.csv.gz");

        assertThat(answers).hasSize(95);
        assertThat(Files.readAllLines(Path.of("docs/explanation/validation.md")))
                .contains("| Shipped with the service | 95 | | %s | %s |"
                        .formatted(errors(answers, Answer::tpotError), errors(answers, Answer::ttftError)));
    }

    @Test
    void mediansOfTheErrorsWithDraftsAreAsPublished() throws IOException {
        List<Answer> answers = answers("rows-speculative.csv.gz");

        assertThat(answers).hasSize(15);
        assertThat(quantile(answers, answer -> Math.abs(answer.tpotError()), 0.5))
                .isCloseTo(4.8, within(0.3));
        assertThat(quantile(answers, answer -> Math.abs(answer.tpotError()), 0.9))
                .isLessThan(9.4);
    }

    private List<Answer> answers(String file) throws IOException {
        try (BufferedReader reader = new BufferedReader(
                new InputStreamReader(new GZIPInputStream(Silicon.resource(file)), StandardCharsets.UTF_8))) {
            List<List<String>> lines =
                    reader.lines().map(line -> List.of(line.split(",", -1))).toList();
            List<Answer> answers = new ArrayList<>();
            for (List<String> line : lines.subList(1, lines.size())) {
                answers.add(answer(new Server(lines.getFirst(), line)));
            }
            return answers;
        }
    }

    private Answer answer(Server server) {
        JsonPath answer = optimize(server.question()).extract().jsonPath();
        return new Answer(
                answer.getDouble(ROW + "tpot_ms"),
                answer.getDouble(ROW + "ttft_ms"),
                Double.parseDouble(server.at("tpot_ms")),
                Double.parseDouble(server.at("ttft_ms")));
    }

    private record Server(List<String> names, List<String> values) {
        String at(String column) {
            return values.get(names.indexOf(column));
        }

        private int whole(String column) {
            return Integer.parseInt(at(column));
        }

        String question() {
            int batch = whole("concurrency") / whole("attention_dp");
            String drafts = at("spec_tokens").equals("0")
                    ? ""
                    : ", \"speculation\": {\"num_draft_tokens\": %s, \"acceptance\": {\"length\": %s}}"
                            .formatted(at("spec_tokens"), at("accepted"));
            return """
                    {"cost_model": "calibrated", "model_id": "%s", "devices": ["%s"], "num_devices": %d,
                     "quantization": {"scheme": "%s"},
                     "engine": {"backend": "%s", "kv_cache_dtype": "%s", "poll_interval": %s%s%s},
                     "workload": {"input_length": %s, "output_length": %s},
                     "traffic": {"waves": %s, "random_range_ratio": %s},
                     "search": {"tp_sizes": [%s], "dp_sizes": [%s], "ep_sizes": [%s], "batch_range": [%d, %d]}%s}""".formatted(
                            at("config").replace("--", "/").replaceFirst("\\.json$", ""),
                            Silicon.deviceOf(at("device")),
                            whole("tp") * whole("attention_dp"),
                            at("scheme"),
                            at("backend"),
                            at("kv_cache"),
                            at("poll"),
                            at("max_running").isEmpty() ? "" : ", \"max_num_seqs\": " + at("max_running"),
                            state(),
                            at("isl"),
                            at("osl"),
                            at("waves"),
                            at("length_ratio"),
                            at("tp"),
                            at("attention_dp"),
                            at("moe_ep"),
                            batch,
                            batch,
                            drafts);
        }

        private String state() {
            return at("config").startsWith("Qwen")
                    ? ", \"recurrent_state\": \"%s\""
                            .formatted(Map.of("2", "bfloat16", "4", "float32").get(at("state_bytes")))
                    : "";
        }
    }

    /// Median, 90th percentile and bias.
    private static String errors(List<Answer> answers, ToDoubleFunction<Answer> error) {
        ToDoubleFunction<Answer> size = answer -> Math.abs(error.applyAsDouble(answer));
        return String.format(
                Locale.ROOT,
                "%.1f / %.1f / %+.1f",
                quantile(answers, size, 0.5),
                quantile(answers, size, 0.9),
                quantile(answers, error, 0.5));
    }

    /// The value below which that share of the others lies.
    private static double quantile(List<Answer> answers, ToDoubleFunction<Answer> value, double share) {
        return answers.stream().mapToDouble(value).sorted().toArray()[(int) (share * (answers.size() - 1))];
    }
}

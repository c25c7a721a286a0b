package io.throughputoptimizer.web;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;

/// Two hundred random requests, answered as they were when `frozen-answers.txt` was written: the same bytes of JSON,
/// text, CSV, series, SVG and plot, but for what no two jobs share.
///
/// After a meant change of answers `-Dfrozen.answers.write=FILE` writes the file anew.
class FrozenAnswersIT extends HttpTest {
    private static final long SEED = 12_2026;
    private static final int REQUESTS = 200;

    /// What each job and each search has of its own.
    private static final Pattern OWN =
            Pattern.compile("\"(id|submitted_at|started_at|finished_at|elapsed_ms)\":(\"[^\"]*\"|[-+.0-9eE]+)");

    /// Members of JSON that answers got after the file was written.
    private static final List<String> ADDED = List.of(
            "assumptions", //
            "d_sustained_qps",
            "devices_idle",
            "instances",
            "most",
            "p_sustained_qps",
            "simulated_steps",
            "sustained_qps",
            "warnings");

    /// Each with its value: a text, a number, or a list or object down to so many levels below it.
    private static final Pattern ADDED_MEMBER =
            Pattern.compile(",\"(NAMES)\":(STRING|[-+.0-9eE]+|true|false|[\\[{]INNER[\\]}])"
                    .replace("NAMES", String.join("|", ADDED))
                    .replace("INNER", inner(5))
                    .replace("STRING", "\"([^\"\\\\]|\\\\.)*+\""));

    /// The body of the request, which answers say since then.
    private static final Pattern ASKED = Pattern.compile(",\"asked\":.*?(?=,\"result\":)");

    /// Says in an answer that requests may be longer than the model's context, which none was refused for when the file
    /// was written.
    private static final String BEYOND = ",\"allow_beyond_context\":true";

    private static final Pattern ID = Pattern.compile("\"id\":\"([^\"]*)\"");

    /// A path below a job, and a format that it is asked in.
    private record View(String path, String format) {
        private static final List<View> ALL = List.of(
                new View("/result", "text/plain"),
                new View("/result", "text/csv"),
                new View("/curves", "application/json"),
                new View("/curves", "image/svg+xml"),
                new View("/curves", "text/plain"));
    }

    @LocalServerPort
    private int port;

    @Test
    void everyAnswerIsWhatItWas() throws Exception {
        RandomQuestions questions = new RandomQuestions(SEED);
        List<String> requests = Stream.generate(questions::next)
                .limit(REQUESTS)
                .map(request -> request.replaceFirst("}$", BEYOND + "}"))
                .toList();
        List<String> answers = answers(requests);
        String file = System.getProperty("frozen.answers.write");
        if (file != null) {
            Files.write(Path.of(file), answers);
        }
        List<String> frozen = file == null ? frozen() : answers;

        assertThat(frozen).hasSize(REQUESTS);
        String differences = IntStream.range(0, REQUESTS)
                .filter(i -> !answers.get(i).equals(frozen.get(i)))
                .mapToObj(i -> requests.get(i) + "\n  was " + frozen.get(i) + "\n  is  " + answers.get(i))
                .limit(20)
                .collect(Collectors.joining("\n"));
        assertThat(differences).isEmpty();
    }

    @Test
    void mostOfTheRequestsAreServedAndSomeRefused() throws IOException {
        assertThat(frozen()).filteredOn(line -> line.startsWith("200:")).hasSizeGreaterThan(REQUESTS * 3 / 4);
        assertThat(frozen()).anyMatch(line -> line.startsWith("400:"));
    }

    private List<String> answers(List<String> requests) throws Exception {
        List<String> answers = new ArrayList<>();
        try (HttpClient client = HttpClient.newHttpClient()) {
            for (String request : requests) {
                answers.add(answer(client, request));
            }
        }
        return answers;
    }

    /// Status and digest of each format, in one line.
    private String answer(HttpClient client, String request) throws Exception {
        HttpResponse<String> submitted = client.send(
                HttpRequest.newBuilder(uri("?points=true"))
                        .POST(BodyPublishers.ofString(request))
                        .header("Content-Type", "application/json")
                        .header("Prefer", "wait=600")
                        .build(),
                BodyHandlers.ofString());
        StringBuilder line = new StringBuilder(digest(submitted));
        if (submitted.statusCode() == 200) {
            String id = ID.matcher(submitted.body())
                    .results()
                    .findFirst()
                    .map(match -> match.group(1))
                    .orElseThrow();
            for (View view : View.ALL) {
                line.append(' ').append(digest(client.send(get(id, view), BodyHandlers.ofString())));
            }
        }
        return line.toString();
    }

    private HttpRequest get(String id, View view) {
        return HttpRequest.newBuilder(uri("/" + id + view.path()))
                .header("Accept", view.format())
                .build();
    }

    private URI uri(String path) {
        return URI.create("http://localhost:" + port + OPTIMIZATIONS + path);
    }

    /// What stands between two brackets.
    private static String inner(int levels) {
        return "(STRING|[^\"\\[\\]{}]++" + (levels == 0 ? "" : "|[\\[{]" + inner(levels - 1) + "[\\]}]") + ")*+";
    }

    private static String digest(HttpResponse<String> response) throws Exception {
        String shared = Stream.of(ASKED, OWN, ADDED_MEMBER)
                .reduce(
                        response.body().replace(BEYOND, ""),
                        (body, own) -> own.matcher(body).replaceAll(""),
                        (one, _) -> one);
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(shared.getBytes(UTF_8));
        return response.statusCode() + ":" + HexFormat.of().formatHex(digest, 0, 6);
    }

    private static List<String> frozen() throws IOException {
        try (InputStream file =
                Objects.requireNonNull(FrozenAnswersIT.class.getResourceAsStream("/golden/frozen-answers.txt"))) {
            return new String(file.readAllBytes(), UTF_8).lines().toList();
        }
    }
}

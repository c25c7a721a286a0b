package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.fixture.EveryNight;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.web.server.LocalServerPort;

/// The description of the API is one, whoever asks for it in whatever language, and is compressed once.
class SharedDescriptionIT extends HttpTest {
    private static final int LANGUAGES = 2_000;
    private static final int CALLERS = 8;
    private static final String JSON = "/v3/api-docs";
    private static final String YAML = "/v3/api-docs.yaml";
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @LocalServerPort
    private int port;

    /// The first callers come at the same time.
    @EveryNight
    @Test
    void thereIsOneForAllLanguagesAndCallers() throws Exception {
        Set<String> json = ConcurrentHashMap.newKeySet();
        Set<String> yaml = ConcurrentHashMap.newKeySet();
        try (ExecutorService callers = Executors.newFixedThreadPool(CALLERS)) {
            List<Future<?>> calls = new ArrayList<>();
            for (int number = 0; number < LANGUAGES; number++) {
                String language = language(number);
                boolean first = number % 2 == 0;
                calls.add(callers.submit(() -> (first ? json : yaml).add(get(first ? JSON : YAML, language))));
            }
            for (Future<?> call : calls) {
                call.get();
            }
        }

        assertThat(json).hasSize(1);
        assertThat(yaml).hasSize(1);
    }

    /// A valid tag that no other number has.
    private static String language(int number) {
        return "" + letter(number) + letter(number / 26) + "-" + (char) ('A' + number / 676) + "X";
    }

    private static char letter(int number) {
        return (char) ('a' + number % 26);
    }

    private String get(String path, String language) throws IOException, InterruptedException {
        HttpResponse<byte[]> answer = send("GET", path, "Accept-Language", language);
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Content-Language")).isEmpty();
        return tag(answer) + new String(answer.body(), StandardCharsets.UTF_8);
    }

    private static String tag(HttpResponse<byte[]> answer) {
        return answer.headers().firstValue("ETag").orElse("none");
    }

    /// @param headers name, value, name, value; none other goes along
    private HttpResponse<byte[]> send(String method, String path, String... headers)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .method(method, HttpRequest.BodyPublishers.noBody());
        return HTTP.send(
                headers.length == 0 ? request.build() : request.headers(headers).build(),
                HttpResponse.BodyHandlers.ofByteArray());
    }

    @ParameterizedTest
    @ValueSource(strings = {JSON, YAML})
    void whoHasItIsToldThatNothingChanged(String path) throws Exception {
        HttpResponse<byte[]> plain = send("GET", path);
        String tag = tag(plain);

        assertThat(tag).matches("\"[0-9a-f]{32}\"");
        assertThat(plain.headers().firstValue("Cache-Control")).hasValue("no-cache");
        for (String known : List.of(tag, "W/" + tag, "\"other\", " + tag)) {
            HttpResponse<byte[]> unchanged = send("GET", path, "If-None-Match", known);

            assertThat(unchanged.statusCode()).as(known).isEqualTo(304);
            assertThat(tag(unchanged)).isEqualTo(tag);
            assertThat(unchanged.body()).isEmpty();
        }
        assertThat(send("GET", path, "If-None-Match", "\"other\"").statusCode()).isEqualTo(200);
        HttpResponse<byte[]> head = send("HEAD", path);
        assertThat(head.statusCode()).isEqualTo(200);
        assertThat(tag(head)).isEqualTo(tag);
        assertThat(head.headers().firstValueAsLong("Content-Length")).hasValue(plain.body().length);
    }

    @ParameterizedTest
    @ValueSource(strings = {JSON, YAML})
    void whoTakesItCompressedGetsTheSame(String path) throws Exception {
        HttpResponse<byte[]> plain = send("GET", path);
        for (String encodings : List.of("gzip", "br, GZIP;q=0.5", "gzip;q=1.0,*;q=0")) {
            HttpResponse<byte[]> packed = send("GET", path, "Accept-Encoding", encodings);

            assertThat(packed.headers().allValues("Content-Encoding")).containsExactly("gzip");
            assertThat(packed.headers().allValues("Vary")).anyMatch("accept-encoding"::equalsIgnoreCase);
            assertThat(tag(packed)).isEqualTo(tag(plain).replaceFirst("\"$", "-gzip\""));
            assertThat(packed.body()).hasSizeLessThan(plain.body().length / 4);
            assertThat(new GZIPInputStream(new ByteArrayInputStream(packed.body())).readAllBytes())
                    .isEqualTo(plain.body());
        }
        for (String encodings : List.of("identity", "gzip;q=0", "gzip;q=0.000", "br", "gzipped", ";;q")) {
            HttpResponse<byte[]> answer = send("GET", path, "Accept-Encoding", encodings);

            assertThat(answer.headers().firstValue("Content-Encoding"))
                    .as(encodings)
                    .isEmpty();
            assertThat(answer.body()).isEqualTo(plain.body());
        }
    }

    /// So do the words of broken rules, which libraries translate and keep by language.
    @Test
    void problemsSpeakOneLanguage() {
        String invalid = PREFILL.replace("\"num_devices\": 2", "\"num_devices\": 0");
        String english = json(invalid).post(OPTIMIZATIONS).asString();

        assertThat(english).contains("num_devices");
        for (String language : List.of("de", "zh-CN", "ja")) {
            assertThat(json(invalid)
                            .header("Accept-Language", language)
                            .post(OPTIMIZATIONS)
                            .asString())
                    .isEqualTo(english);
        }
    }
}

package io.throughputoptimizer.web;

import io.throughputoptimizer.fixture.GatedSearch;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import tools.jackson.databind.json.JsonMapper;

/// Two callers of a service whose searches end when the test says so. What they have submitted is ended after each
/// test.
@GatedSearches
abstract class TwoCallersTest extends HttpTest {
    static final String SIMULATIONS = "/api/v1/simulations";

    Someone greedy;
    Someone other;

    @Autowired
    GatedSearch search;

    @LocalServerPort
    int port;

    /// A caller.
    ///
    /// @param http from the caller's address
    /// @param headers that say who it is
    record Someone(HttpClient http, Map<String, String> headers) {
        static Someone of(String address, Map<String, String> headers) {
            HttpClient http = HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .localAddress(InetAddress.ofLiteral(address))
                    .executor(Executors.newVirtualThreadPerTaskExecutor())
                    .build();
            return new Someone(http, headers);
        }

        HttpRequest signed(HttpRequest.Builder request) {
            headers.forEach(request::setHeader);
            return request.build();
        }

        HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
            return http.send(signed(request), BodyHandlers.ofString());
        }

        CompletableFuture<HttpResponse<String>> sendLater(HttpRequest.Builder request) {
            return http.sendAsync(signed(request), BodyHandlers.ofString());
        }
    }

    /// One whom the service tells from all that were made before.
    abstract Someone newcomer();

    @BeforeEach
    void meet() {
        greedy = newcomer();
        other = newcomer();
    }

    @AfterEach
    void endAll() throws Exception {
        for (Someone caller : List.of(greedy, other)) {
            for (String path : jobs(caller)) {
                while (caller.send(request(path).DELETE()).statusCode() == 202) {
                    Thread.onSpinWait();
                }
            }
        }
        greedy.http().shutdownNow();
        other.http().shutdownNow();
        search.reset();
    }

    HttpRequest.Builder simulation(int waves) {
        return posted(SIMULATIONS, """
                {"model_id": "Qwen/Qwen3-8B", "device": "H100_SXM", "engine": {"backend": "vllm"},
                 "quantization": {"scheme": "FP8"}, "parallel": {"tp": 2},
                 "workload": {"input_length": 2000, "output_length": 500},
                 "traffic": {"concurrency": 32, "waves": %d}}""".formatted(waves));
    }

    HttpRequest.Builder posted(String path, String body) {
        return request(path).header("Content-Type", "application/json").POST(BodyPublishers.ofString(body));
    }

    static long retryAfter(HttpResponse<?> answer) {
        return answer.headers().firstValueAsLong("Retry-After").orElseThrow();
    }

    HttpResponse<String> post(Someone caller, String body) throws Exception {
        return caller.send(posted(OPTIMIZATIONS, body));
    }

    String submitAndAwaitStart() throws Exception {
        HttpResponse<String> submitted = post(greedy, PREFILL);
        search.awaitStart();
        return submitted.headers().firstValue("Location").orElseThrow();
    }

    HttpResponse<InputStream> follow(Someone caller, String path) throws Exception {
        return caller.http().send(caller.signed(request(path + "/events")), BodyHandlers.ofInputStream());
    }

    private List<String> jobs(Someone caller) throws Exception {
        List<String> paths = new ArrayList<>();
        JsonMapper.shared()
                .readTree(caller.send(request(OPTIMIZATIONS + "?limit=100")).body())
                .required("optimizations")
                .forEach(job ->
                        paths.add(OPTIMIZATIONS + "/" + job.required("id").asString()));
        return paths;
    }

    HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
    }
}

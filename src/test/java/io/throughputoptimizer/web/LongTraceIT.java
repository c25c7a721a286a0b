package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.fixture.EveryNight;
import io.throughputoptimizer.fixture.ServiceProcess;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Traces as long as they may be, in a service with less memory than it needs to hold a few of them.
@EveryNight
class LongTraceIT {
    private static final int FIFTY_MEGABYTES = 50 << 20;
    private static final int AT_A_TIME = 2;

    @Test
    @Timeout(1200)
    void fiftyMegabytesAreBinnedInASmallHeap(@TempDir Path folder) throws Exception {
        Path trace = folder.resolve("trace.csv");
        long[] figures = write(trace);
        assertThat(Files.size(trace)).isBetween((long) FIFTY_MEGABYTES - 100, (long) FIFTY_MEGABYTES);
        try (ServiceProcess service = ServiceProcess.startWithHeap("128m", folder);
                HttpClient client = HttpClient.newHttpClient()) {
            List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
            for (int i = 0; i < AT_A_TIME; i++) {
                answers.add(client.sendAsync(post(service, trace), BodyHandlers.ofString()));
            }
            for (CompletableFuture<HttpResponse<String>> answer : answers) {
                assertThat(answer.get().statusCode()).as(answer.get().body()).isEqualTo(200);
                JsonNode said = JsonMapper.shared().readTree(answer.get().body());
                assertThat(said.required("requests").asLong()).isEqualTo(figures[0]);
                assertThat(said.at("/input/mean/before").asDouble()).isEqualTo((double) figures[1] / figures[0]);
                assertThat(said.at("/input/length_distribution/bins").size()).isLessThanOrEqualTo(64);
            }

            cutLastLine(trace);
            HttpResponse<String> refused = client.send(post(service, trace), BodyHandlers.ofString());

            assertThat(refused.statusCode()).isEqualTo(400);
            assertThat(refused.body()).contains("line " + (figures[0] + 1) + " has 1 values");
            assertThat(service.liveHeapBytes()).isLessThan(100 << 20);
            assertThat(ServiceProcess.logged(folder)).doesNotContain("OutOfMemoryError");
        }
    }

    private static HttpRequest post(ServiceProcess service, Path trace) throws IOException {
        return HttpRequest.newBuilder(service.uri(TraceController.PATH + "?bins=64"))
                .header("Content-Type", "text/csv")
                .POST(BodyPublishers.ofFile(trace))
                .build();
    }

    /// @return requests, and the sum of their inputs
    private static long[] write(Path trace) throws IOException {
        Random random = new Random(17);
        long requests = 0;
        long inputs = 0;
        int bytes = 0;
        try (OutputStream stream = new BufferedOutputStream(Files.newOutputStream(trace))) {
            byte[] line = "input_tokens,output_tokens\n".getBytes(StandardCharsets.US_ASCII);
            while (bytes + line.length <= FIFTY_MEGABYTES) {
                stream.write(line);
                bytes += line.length;
                requests++;
                int input = 1 + random.nextInt(200_000);
                line = (input + "," + random.nextInt(4000) + "\n").getBytes(StandardCharsets.US_ASCII);
                inputs += input;
                if (bytes + line.length > FIFTY_MEGABYTES) {
                    inputs -= input;
                }
            }
        }
        return new long[] {requests - 1, inputs};
    }

    /// What is left of the last line is its first number.
    private static void cutLastLine(Path trace) throws IOException {
        byte[] tail = Files.readString(trace).strip().getBytes(StandardCharsets.US_ASCII);
        int comma = tail.length - 1;
        while (tail[comma] != ',') {
            comma--;
        }
        try (var channel = Files.newByteChannel(trace, StandardOpenOption.WRITE)) {
            channel.truncate(comma);
        }
    }
}

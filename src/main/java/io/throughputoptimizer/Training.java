package io.throughputoptimizer;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/// A training run: the service starts with an empty database in memory, answers its own requests, and ends. With
/// `-XX:AOTCacheOutput=FILE` the JVM records the classes and profiles of such a run for later starts.
final class Training {
    /// Argument that selects it.
    static final String NAME = "train";

    private static final int ROUNDS = 30;

    private Training() {}

    static void run() throws IOException, InterruptedException {
        try (ConfigurableApplicationContext service = SpringApplication.run(
                        ThroughputOptimizerApplication.class,
                        "--server.address=127.0.0.1",
                        "--server.port=0",
                        "--spring.datasource.url=jdbc:h2:mem:training");
                HttpClient client = HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .build()) {
            String port = service.getEnvironment().getRequiredProperty("local.server.port");
            URI stored = URI.create("http://127.0.0.1:" + port + "/api/v1/optimizations");
            URI unstored = URI.create(stored + "?store=false");
            for (int round = 0; round < ROUNDS; round++) {
                for (String request : WarmUp.REQUESTS) {
                    client.send(post(stored, request), BodyHandlers.discarding());
                    client.send(post(unstored, request), BodyHandlers.discarding());
                }
            }
        }
    }

    private static HttpRequest post(URI optimizations, String request) {
        return HttpRequest.newBuilder(optimizations)
                .header("Content-Type", "application/json")
                .header("Prefer", "wait=30")
                .POST(BodyPublishers.ofString(request))
                .build();
    }
}

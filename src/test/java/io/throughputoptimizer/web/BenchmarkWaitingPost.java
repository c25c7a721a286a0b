package io.throughputoptimizer.web;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/// Posts the README's search to a running service at a fixed rate and waits for each result. A time counts from the
/// moment when its post was due, not from when it was sent, so that a service that falls behind cannot hide it
/// (coordinated omission). The first seconds warm the client up and are not counted. Every request differs in its input
/// length.
///
/// `java src/test/java/io/throughputoptimizer/web/BenchmarkWaitingPost.java http://127.0.0.1:8080 POSTS_A_SECOND
/// SECONDS`
final class BenchmarkWaitingPost {
    private static final int SHORTEST_INPUT = 3_000;
    private static final int INPUTS = 1_000;
    private static final int OK = 200;
    private static final int WARM_UP_SECONDS = 5;

    private BenchmarkWaitingPost() {}

    public static void main(String[] arguments) throws InterruptedException {
        URI service = URI.create(arguments[0] + "/api/v1/optimizations");
        int rate = Integer.parseInt(arguments[1]);
        int ignored = rate * WARM_UP_SECONDS;
        int posts = ignored + rate * Integer.parseInt(arguments[2]);
        long[] nanos = new long[posts];
        AtomicInteger failures = new AtomicInteger();
        CountDownLatch open = new CountDownLatch(posts);
        long start = System.nanoTime();
        try (HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            for (int post = 0; post < posts; post++) {
                int number = post;
                long due = start + post * 1_000_000_000L / rate;
                LockSupport.parkNanos(due - System.nanoTime());
                var _ = client.sendAsync(request(service, post), BodyHandlers.ofString())
                        .whenComplete((answer, failure) -> {
                            nanos[number] = System.nanoTime() - due;
                            failures.addAndGet(isResult(answer) ? 0 : 1);
                            open.countDown();
                        });
            }
            open.await();
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        long[] counted = Arrays.copyOfRange(nanos, ignored, posts);
        Arrays.sort(counted);
        System.out.printf(
                "%d posts, %.0f answers a second, %d failures; ms: p50 %.2f, p90 %.2f, p99 %.2f, most %.1f%n",
                posts,
                posts / seconds,
                failures.get(),
                millis(counted, 0.5),
                millis(counted, 0.9),
                millis(counted, 0.99),
                millis(counted, 1));
    }

    private static HttpRequest request(URI service, int post) {
        String search = """
                {"model_id": "Qwen/Qwen3-32B", "devices": ["TEST_DEVICE"], "num_devices": 8,
                 "workload": {"input_length": %d, "output_length": 1500}, "slo": {"tpot_ms": 50},
                 "serving": {"compile": true}}""".formatted(SHORTEST_INPUT + post % INPUTS);
        return HttpRequest.newBuilder(service)
                .header("Content-Type", "application/json")
                .header("Prefer", "wait=30")
                .POST(BodyPublishers.ofString(search))
                .build();
    }

    private static boolean isResult(HttpResponse<String> answer) {
        return answer != null && answer.statusCode() == OK && answer.body().contains("\"succeeded\"");
    }

    private static double millis(long[] sorted, double share) {
        return sorted[Math.max(0, (int) Math.ceil(share * sorted.length) - 1)] / 1e6;
    }
}

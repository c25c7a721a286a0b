package io.throughputoptimizer.sweep;

import io.throughputoptimizer.fixture.PostgresServer;
import io.throughputoptimizer.fixture.ServiceProcess;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.springframework.util.FileSystemUtils;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// What a sweep of 10,080 cells takes: two models, three devices, both cost models, 21 lengths of prompts, 40 pairs of
/// limits.
///
/// `./mvnw -q process-test-classes exec:exec -Dbenchmark.main=io.throughputoptimizer.sweep.BenchmarkSweep
/// -Dbenchmark=memory` prints cells a second of one process, and its heap in use after a full collection at each
/// twentieth of the cells of another sweep; `-Dbenchmark=replicas` how long replicas on one PostgreSQL take, one and
/// two of them, each
/// pinned to a processor of its own. `memory:3` and `replicas:3` take so many lengths instead of 21.
final class BenchmarkSweep {
    private static final String SWEEPS = "/api/v1/sweeps";
    private static final int LENGTHS = 21;
    private static final int SAMPLES = 20;
    private static final int ROUNDS = 3;

    /// Sweeps that a new replica is warm after.
    private static final int WARMING_UP = 2;

    private static final String HEAP = "512m";
    private static final long MEBIBYTE = 1 << 20;
    private static final double NANOS = 1e9;

    /// As the service runs without being told otherwise, but for the collector, which is the tests' own.
    private static final String COMPILERS = "-XX:TieredStopAtLevel=4";

    private BenchmarkSweep() {}

    /// @param arguments `memory` or `replicas`, each with a colon and a number of lengths
    public static void main(String[] arguments) throws IOException, InterruptedException {
        String[] asked = arguments[0].split(":", 2);
        int lengths = asked.length > 1 ? Integer.parseInt(asked[1]) : LENGTHS;
        Path folder = Files.createTempDirectory("sweeps-");
        try {
            switch (asked[0]) {
                case "memory" -> memory(folder, lengths);
                case "replicas" -> replicas(folder, lengths);
                default -> System.out.println("\"" + arguments[0] + "\" is neither memory nor replicas");
            }
        } finally {
            FileSystemUtils.deleteRecursively(folder);
        }
    }

    private static void memory(Path folder, int lengths) throws IOException, InterruptedException {
        try (ServiceProcess service =
                ServiceProcess.startWithHeap(HEAP, folder, COMPILERS, "optimizer.sweeps.workers=1")) {
            print("before: %d MB of heap in use", service.liveHeapBytes() / MEBIBYTE);
            run(service, lengths);
            print("without samples of the heap");
            run(service, lengths);
            List<Long> heap = new ArrayList<>();
            long start = System.nanoTime();
            String sweep = submit(service, lengths);
            JsonNode standing;
            do {
                Thread.sleep(50);
                standing = standing(service, sweep);
                int done = standing.at("/progress/done").asInt();
                if (done >= heap.size() * standing.at("/progress/cells").asInt() / SAMPLES) {
                    heap.add(service.liveHeapBytes());
                    print("%d cells: %d MB", done, heap.getLast() / MEBIBYTE);
                }
            } while (!isFinished(standing));
            told(standing, System.nanoTime() - start);
            print(
                    "heap in use: %d to %d MB, %.2f of the first at the last",
                    heap.stream().mapToLong(Long::longValue).min().orElseThrow() / MEBIBYTE,
                    heap.stream().mapToLong(Long::longValue).max().orElseThrow() / MEBIBYTE,
                    (double) heap.getLast() / heap.getFirst());
        }
    }

    private static void replicas(Path folder, int lengths) throws IOException, InterruptedException {
        String missing = Runtime.getRuntime().availableProcessors() < 2
                ? "there is one processor only, and two replicas need one each"
                : whyNotPinned();
        if (!missing.isEmpty()) {
            print("skipped: %s", missing);
            return;
        }
        String database = PostgresServer.newDatabase();
        try (ServiceProcess one = pinned(0, folder, database)) {
            print("warming up one replica");
            mean(one, lengths, WARMING_UP);
            print("one replica");
            double before = mean(one, lengths, ROUNDS);
            double together;
            try (ServiceProcess _ = pinned(1, folder, database)) {
                print("warming up another, which does half of each sweep");
                mean(one, lengths, 2 * WARMING_UP);
                print("two replicas");
                together = mean(one, lengths, ROUNDS);
            }
            print("one replica again");
            double after = mean(one, lengths, ROUNDS);
            double alone = (before + after) / 2;
            print(
                    "two replicas take %.3f of the time of one: %.2f times as fast, in the mean of %d sweeps of two and %d of one",
                    together / alone, alone / together, ROUNDS, 2 * ROUNDS);
        }
    }

    private static double mean(ServiceProcess service, int lengths, int times)
            throws IOException, InterruptedException {
        double seconds = 0;
        for (int time = 0; time < times; time++) {
            seconds += run(service, lengths);
        }
        return seconds / times;
    }

    private static String whyNotPinned() throws InterruptedException {
        try {
            return new ProcessBuilder("taskset", "--cpu-list", "0,1", "true")
                                    .start()
                                    .waitFor()
                            == 0
                    ? ""
                    : "taskset cannot pin a process to processors 0 and 1";
        } catch (IOException e) {
            return "there is no taskset (" + e.getMessage() + "), which pins a replica to a processor";
        }
    }

    private static ServiceProcess pinned(int processor, Path folder, String database) {
        return ServiceProcess.startBy(
                List.of("taskset", "--cpu-list", Integer.toString(processor)),
                HEAP,
                folder,
                COMPILERS,
                "optimizer.sweeps.workers=1",
                "spring.datasource.url=" + database);
    }

    /// Seconds of a sweep from its submission to its end.
    private static double run(ServiceProcess service, int lengths) throws IOException, InterruptedException {
        long start = System.nanoTime();
        String sweep = submit(service, lengths);
        JsonNode standing;
        do {
            Thread.sleep(50);
            standing = standing(service, sweep);
        } while (!isFinished(standing));
        long nanos = System.nanoTime() - start;
        told(standing, nanos);
        return nanos / NANOS;
    }

    private static String submit(ServiceProcess service, int lengths) throws IOException, InterruptedException {
        HttpResponse<String> answer = service.post(SWEEPS, sweep(lengths));
        JsonNode accepted = JsonMapper.shared().readTree(answer.body());
        if (!accepted.has("id")) {
            throw new IllegalStateException(answer.body());
        }
        return SWEEPS + "/" + accepted.required("id").asString();
    }

    private static String sweep(int lengths) {
        return """
            {"base": {"model_id": "Qwen/Qwen3-32B", "num_devices": 8,
                      "workload": {"input_length": 1000, "output_length": 500}, "slo": {"ttft_ms": 4000, "tpot_ms": 50}},
             "axes": [
               {"label": "model", "merge": [{"model_id": "Qwen/Qwen3-32B"}, {"model_id": "Qwen/Qwen3-30B-A3B"}]},
               {"pointer": "/devices", "values": [["H100_SXM"], ["H200_SXM"], ["B200_SXM"]]},
               {"label": "cost model", "merge": [
                 {"cost_model": "analytic", "serving": {"compile": true}},
                 {"cost_model": "calibrated", "engine": {"backend": "vllm"}, "quantization": {"scheme": "FP8"}}]},
               {"pointer": "/workload/input_length", "values": {"from": 1000, "to": 8000, "steps": %d}},
               {"pointer": "/slo/ttft_ms", "values": [500, 1000, 2000, 4000, 8000]},
               {"pointer": "/slo/tpot_ms", "values": [10, 15, 20, 30, 40, 50, 75, 100]}]}""".formatted(lengths);
    }

    private static JsonNode standing(ServiceProcess service, String sweep) throws IOException, InterruptedException {
        return JsonMapper.shared().readTree(service.get(sweep).body());
    }

    private static boolean isFinished(JsonNode standing) {
        return !List.of("queued", "running")
                .contains(standing.required("status").asString());
    }

    private static void told(JsonNode standing, long nanos) {
        JsonNode progress = standing.required("progress");
        int done = progress.required("done").asInt();
        print(
                "%s: %d cells in %.1f s, %.0f a second; %d answered, %d without a plan, %d failed",
                standing.required("status").asString(),
                done,
                nanos / NANOS,
                done / (nanos / NANOS),
                progress.required("answered").asInt(),
                progress.required("nothing").asInt(),
                progress.required("failed").asInt());
    }

    private static void print(String format, Object... values) {
        System.out.printf(Locale.ROOT, format + "%n", values);
    }
}

package io.throughputoptimizer.web;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Compares builds of the service as whole processes, in turns on one machine. Each run starts a build with an empty
/// database, posts searches of Qwen3-32B on 8 devices that wait for their results, and stops it. Every request has
/// another input length. Prints medians over the runs, and the median of the ratios to the last build within a round.
///
/// `java src/test/java/io/throughputoptimizer/web/BenchmarkBuilds.java ROUNDS NAME='ARGUMENTS OF JAVA'...`, for example
/// `3 new='-jar new.jar' old='-jar old.jar'`. The first run, which warms the client up, does not count.
final class BenchmarkBuilds {
    private static final int EARLY = 500;
    private static final int ALONE = 2_000;
    private static final int TOGETHER = 3_000;
    /// Requests after which the compiler has little left to do.
    private static final int SETTLING = 12_000;
    private static final int CLIENTS = 4;
    private static final int PORT = 18_080;
    private static final int LONGEST_START_SECONDS = 120;
    private static final double MIB = 1 << 20;
    private static final double KIB_PER_MIB = 1024;
    private static final Pattern ELAPSED = Pattern.compile("\"elapsed_ms\":([0-9.E-]+)");
    private static final Pattern LIVE = Pattern.compile("Total\\s+\\d+\\s+(\\d+)");

    /// Figures of a run.
    private enum Figure {
        READY_S,
        IDLE_RSS_MB,
        FIRST_MS,
        EARLY_P50_MS,
        P50_MS,
        P99_MS,
        SEARCH_MS,
        CLIENTS4_PER_S,
        SETTLED_P50_MS,
        SETTLED_P99_MS,
        SETTLED_SEARCH_MS,
        SETTLED_CLIENTS4_PER_S,
        RSS_MB,
        HEAP_MB
    }

    private BenchmarkBuilds() {}

    public static void main(String[] arguments) throws IOException, InterruptedException, ExecutionException {
        int rounds = Integer.parseInt(arguments[0]);
        Map<String, String> builds = new LinkedHashMap<>();
        for (String build : List.of(arguments).subList(1, arguments.length)) {
            int end = build.indexOf('=');
            builds.put(build.substring(0, end), build.substring(end + 1));
        }
        Map<String, List<Map<Figure, Double>>> runs = new LinkedHashMap<>();
        Map<Figure, Double> _ = run(builds.values().iterator().next());
        for (int round = 0; round < rounds; round++) {
            for (Map.Entry<String, String> build : builds.entrySet()) {
                Map<Figure, Double> run = run(build.getValue());
                System.out.println(build.getKey() + " " + run);
                runs.computeIfAbsent(build.getKey(), _ -> new ArrayList<>()).add(run);
            }
        }
        print(runs);
    }

    private static void print(Map<String, List<Map<Figure, Double>>> runs) {
        List<String> names = List.copyOf(runs.keySet());
        List<Map<Figure, Double>> base = runs.get(names.getLast());
        System.out.printf("%n%-22s", "");
        names.forEach(name -> System.out.printf(" %14s", name));
        names.subList(0, names.size() - 1).forEach(name -> System.out.printf(" %22s", name + "/" + names.getLast()));
        System.out.println();
        for (Figure figure : Figure.values()) {
            System.out.printf("%-22s", figure.name().toLowerCase(Locale.ROOT));
            for (String name : names) {
                System.out.printf(
                        " %14.2f",
                        median(runs.get(name).stream()
                                .mapToDouble(run -> run.get(figure))
                                .toArray()));
            }
            for (String name : names.subList(0, names.size() - 1)) {
                double[] ratios = new double[base.size()];
                Arrays.setAll(
                        ratios,
                        at -> runs.get(name).get(at).get(figure) / base.get(at).get(figure));
                System.out.printf(" %22.2f", median(ratios));
            }
            System.out.println();
        }
    }

    private static Map<Figure, Double> run(String java) throws IOException, InterruptedException, ExecutionException {
        Path folder = Files.createTempDirectory("benchmark");
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(List.of(java.trim().split("\\s+")));
        command.addAll(List.of("--server.port=" + PORT, "--optimizer.storage.folder=" + folder));
        long begin = System.nanoTime();
        Process service = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
        try {
            Map<Figure, Double> figures = new EnumMap<>(Figure.class);
            awaitReadiness(service);
            figures.put(Figure.READY_S, (System.nanoTime() - begin) / 1e9);
            figures.put(Figure.IDLE_RSS_MB, resident(service));
            measure(figures);
            figures.put(Figure.RSS_MB, resident(service));
            figures.put(Figure.HEAP_MB, live(service));
            return figures;
        } finally {
            service.destroy();
            if (!service.waitFor(1, TimeUnit.MINUTES)) {
                service.destroyForcibly();
            }
        }
    }

    private static void measure(Map<Figure, Double> figures)
            throws IOException, InterruptedException, ExecutionException {
        double[] early;
        try (Connection connection = new Connection()) {
            early = connection.posts(EARLY, new AtomicInteger());
        }
        figures.put(Figure.FIRST_MS, early[0]);
        figures.put(Figure.EARLY_P50_MS, median(early));
        measureAlone(figures, Figure.P50_MS, Figure.P99_MS, Figure.SEARCH_MS);
        figures.put(Figure.CLIENTS4_PER_S, rate(TOGETHER));
        double _ = rate(SETTLING);
        measureAlone(figures, Figure.SETTLED_P50_MS, Figure.SETTLED_P99_MS, Figure.SETTLED_SEARCH_MS);
        figures.put(Figure.SETTLED_CLIENTS4_PER_S, rate(TOGETHER));
    }

    /// Puts figures of the requests of one client.
    private static void measureAlone(Map<Figure, Double> figures, Figure p50, Figure p99, Figure search)
            throws IOException {
        double[] millis = new double[ALONE];
        double[] searches = new double[ALONE];
        try (Connection connection = new Connection()) {
            for (int post = 0; post < ALONE; post++) {
                long begin = System.nanoTime();
                String answer = connection.post(EARLY + post);
                millis[post] = (System.nanoTime() - begin) / 1e6;
                searches[post] = first(ELAPSED, answer);
            }
        }
        figures.put(p50, median(millis));
        figures.put(p99, quantile(millis, 0.99));
        figures.put(search, median(searches));
    }

    /// Returns requests per second of all clients together.
    private static double rate(int requests) throws IOException, InterruptedException, ExecutionException {
        AtomicInteger number = new AtomicInteger();
        long begin = System.nanoTime();
        try (ExecutorService clients = Executors.newFixedThreadPool(CLIENTS)) {
            Callable<double[]> client = () -> {
                try (Connection connection = new Connection()) {
                    return connection.posts(requests / CLIENTS, number);
                }
            };
            List<Future<double[]>> all = new ArrayList<>();
            for (int at = 0; at < CLIENTS; at++) {
                all.add(clients.submit(client));
            }
            for (Future<double[]> one : all) {
                one.get();
            }
        }
        return requests / ((System.nanoTime() - begin) / 1e9);
    }

    private static void awaitReadiness(Process service) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LONGEST_START_SECONDS);
        while (true) {
            try (Connection connection = new Connection()) {
                connection.exchange("GET /actuator/health/readiness HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
                return;
            } catch (IOException e) {
                if (!service.isAlive() || System.nanoTime() > deadline) {
                    throw new IllegalStateException("the service does not start", e);
                }
                TimeUnit.MILLISECONDS.sleep(10);
            }
        }
    }

    private static double resident(Process service) throws IOException {
        return Files.readAllLines(Path.of("/proc", Long.toString(service.pid()), "status")).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToDouble(line -> Double.parseDouble(line.replaceAll("\\D", "")) / KIB_PER_MIB)
                .findFirst()
                .orElseThrow();
    }

    /// Returns the heap in use after a full collection.
    private static double live(Process service) throws IOException {
        Process histogram = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                        Long.toString(service.pid()),
                        "GC.class_histogram")
                .start();
        return first(LIVE, new String(histogram.getInputStream().readAllBytes(), StandardCharsets.UTF_8)) / MIB;
    }

    private static double first(Pattern number, String text) {
        Matcher match = number.matcher(text);
        return match.find() ? Double.parseDouble(match.group(1)) : Double.NaN;
    }

    private static double median(double[] values) {
        return quantile(values, 0.5);
    }

    private static double quantile(double[] values, double share) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[Math.max(0, (int) Math.ceil(share * sorted.length) - 1)];
    }

    /// A kept connection. It reads responses with little processor time, which the service needs.
    private static final class Connection implements AutoCloseable {
        private static final int BUFFER = 1 << 16;
        private static final int SHORTEST_INPUT = 3_000;
        private static final int INPUTS = 1_000;

        private final Socket socket;
        private final InputStream input;

        Connection() throws IOException {
            socket = new Socket("127.0.0.1", PORT);
            socket.setTcpNoDelay(true);
            input = new BufferedInputStream(socket.getInputStream(), BUFFER);
        }

        /// Returns milliseconds of each post.
        double[] posts(int count, AtomicInteger number) throws IOException {
            double[] millis = new double[count];
            for (int post = 0; post < count; post++) {
                long begin = System.nanoTime();
                post(number.getAndIncrement());
                millis[post] = (System.nanoTime() - begin) / 1e6;
            }
            return millis;
        }

        String post(int number) throws IOException {
            String search = """
                    {"model_id": "Qwen/Qwen3-32B", "devices": ["TEST_DEVICE"], "num_devices": 8,
                     "workload": {"input_length": %d, "output_length": 1500}, "slo": {"tpot_ms": 50},
                     "serving": {"compile": true}}""".formatted(SHORTEST_INPUT + number % INPUTS);
            return exchange("""
                    POST /api/v1/optimizations HTTP/1.1\r
                    Host: 127.0.0.1\r
                    Content-Type: application/json\r
                    Prefer: wait=30\r
                    Content-Length: %d\r
                    \r
                    %s""".formatted(search.length(), search));
        }

        /// @throws IOException if the status is not 200
        String exchange(String request) throws IOException {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            String status = line();
            int length = -1;
            for (String header = line(); !header.isEmpty(); header = line()) {
                if (header.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
                    length = Integer.parseInt(
                            header.substring(header.indexOf(':') + 1).trim());
                }
            }
            String body = length < 0 ? chunks() : text(length);
            if (!status.contains(" 200")) {
                throw new IOException(status + " " + body);
            }
            return body;
        }

        private String chunks() throws IOException {
            StringBuilder body = new StringBuilder();
            for (int length = Integer.parseInt(line(), 16); length > 0; length = Integer.parseInt(line(), 16)) {
                body.append(text(length));
                line();
            }
            line();
            return body.toString();
        }

        private String text(int length) throws IOException {
            return new String(input.readNBytes(length), StandardCharsets.ISO_8859_1);
        }

        private String line() throws IOException {
            StringBuilder line = new StringBuilder();
            for (int read = input.read(); read != '\n'; read = input.read()) {
                if (read < 0) {
                    throw new EOFException("the service closed the connection");
                }
                if (read != '\r') {
                    line.append((char) read);
                }
            }
            return line.toString();
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}

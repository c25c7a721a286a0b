package io.throughputoptimizer.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.google.errorprone.annotations.FormatMethod;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/// From the last key to the new answer on the page of a running service, in a browser on this machine: alone, and with
/// ten jobs that are never all done. Then, in turns, how many jobs a second end alone, and beside twenty pages that are
/// typed into, each an HTTP client that asks what a page asks: the question and the other mode, once a second. A second
/// argument, `jobs`, leaves the browser out.
///
/// `./mvnw -q process-test-classes exec:exec
/// -Dbenchmark.main=io.throughputoptimizer.dashboard.BenchmarkLiveAnswers -Dbenchmark=http://127.0.0.1:8080`
final class BenchmarkLiveAnswers {
    private static final int EDITS = 50;
    private static final int WARM_UP = 3;
    private static final int JOBS = 10;
    private static final int JOB_CALLERS = 4;
    private static final int PAGES = 20;
    private static final int SECONDS = 20;
    private static final int ROUNDS = 3;
    private static final double MILLIS_BETWEEN_KEYS = 60;
    private static final int OK = 200;
    private static final int TOO_MANY = 429;

    /// Of each kind one, whose input length is typed anew each time.
    private static final Map<String, String> QUESTIONS = questions();

    /// Keeps how long after the last key the answer is on the page, painted, and whether there is one.
    private static final String WATCH = """
            () => {
              const answer = document.getElementById("live-answer");
              let typed;
              window.edits = [];
              document.getElementById("plan").addEventListener("input", () => (typed = performance.now()), true);
              new MutationObserver(() => {
                if (typed !== undefined && answer.getAttribute("aria-busy") === "false") {
                  const since = typed;
                  typed = undefined;
                  const answered = document.getElementById("live-remark").hidden;
                  requestAnimationFrame(() => setTimeout(() => window.edits.push(answered ? performance.now() - since : -1)));
                }
              }).observe(answer, { attributes: true, attributeFilter: ["aria-busy"] });
            }""";

    private final URI service;
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final AtomicInteger numbers = new AtomicInteger();

    private BenchmarkLiveAnswers(URI service) {
        this.service = service;
    }

    private static Map<String, String> questions() {
        Map<String, String> questions = new LinkedHashMap<>();
        questions.put("dense, roofline", Questions.onH100(Questions.AGGREGATED_WITHIN_LIMITS));
        questions.put("experts, roofline", """
                {"cost_model": "analytic", "model_id": "deepseek-ai/DeepSeek-V3.1", "devices": ["H100_SXM"], "num_devices": 32, "serving": {"compile": true},
                 "workload": {"input_length": 3500, "output_length": 1500}, "slo": {"ttft_ms": 2000, "tpot_ms": 50}}""");
        questions.put("dense, silicon", Questions.SILICON);
        return questions;
    }

    public static void main(String[] arguments) throws Exception {
        BenchmarkLiveAnswers benchmark = new BenchmarkLiveAnswers(URI.create(arguments[0]));
        PlaywrightAssertions.setDefaultAssertionTimeout(BrowserTest.LONGEST_WAIT_MILLIS);
        if (!List.of(arguments).contains("jobs")) {
            benchmark.typeIntoPages(Chromium.launch().orElseThrow());
        }
        benchmark.countJobsBesidePages();
        System.exit(0);
    }

    private void typeIntoPages(Chromium chromium) {
        typeIntoAPage(chromium, "alone", EDITS);
        try (Callers callers = new Callers()) {
            for (int job = 0; job < JOBS; job++) {
                callers.add(() -> post("", job(), "wait=60"));
            }
            typeIntoAPage(chromium, JOBS + " jobs", EDITS);
        }
    }

    /// Each measurement follows one of the other kind, so that neither has the warmer service; the first of
    /// each does not count.
    private void countJobsBesidePages() throws Exception {
        List<Double> alone = new ArrayList<>();
        List<Double> beside = new ArrayList<>();
        for (int round = 0; round <= ROUNDS; round++) {
            alone.add(jobsPerSecond());
            try (Callers pages = new Callers()) {
                for (int page = 0; page < PAGES; page++) {
                    pages.add(this::askAsAPageDoes);
                }
                beside.add(jobsPerSecond());
            }
            print(
                    "round %d: jobs a second: %.2f alone, %.2f beside %d pages (%.0f %%)%n",
                    round, alone.getLast(), beside.getLast(), PAGES, 100 * beside.getLast() / alone.getLast());
        }
        print("all rounds but the first: %.0f %%%n", 100 * sum(beside) / sum(alone));
        print("questions of pages: %d answered, %d busy, others %s%n", answered.get(), busy.get(), others);
    }

    private static double sum(List<Double> rates) {
        return rates.stream().skip(1).mapToDouble(Double::doubleValue).sum();
    }

    private void typeIntoAPage(Chromium chromium, String when, int edits) {
        try (Visit visit = chromium.visit(service.getPort(), Look.LIGHT).openSettings()) {
            assertThat(visit.liveAnswer()).containsText("Run ");
            visit.page().evaluate(WATCH);
            QUESTIONS.forEach((kind, question) -> {
                visit.page()
                        .evaluate(
                                "async (text) => (await import('/dashboard/main.js')).showRequest(JSON.parse(text))",
                                question);
                assertThat(visit.liveAnswer()).hasAttribute("aria-busy", "false");
                typeLengths(visit, WARM_UP);
                visit.page().evaluate("() => (window.edits = [])");
                typeLengths(visit, edits);
                print(when, kind, (List<?>) visit.page().evaluate("window.edits"));
            });
        }
    }

    private void typeLengths(Visit visit, int edits) {
        Locator field = visit.field("Input length");
        for (int edit = 0; edit < edits; edit++) {
            int before = count(visit);
            field.press("ControlOrMeta+a");
            field.pressSequentially(
                    String.valueOf(3_000 + numbers.incrementAndGet() % 900),
                    new Locator.PressSequentiallyOptions().setDelay(MILLIS_BETWEEN_KEYS));
            visit.page().waitForCondition(() -> count(visit) > before);
        }
    }

    private static int count(Visit visit) {
        return ((Number) visit.page().evaluate("window.edits.length")).intValue();
    }

    private static void print(String when, String kind, List<?> edits) {
        double[] millis = edits.stream()
                .mapToDouble(one -> ((Number) one).doubleValue())
                .filter(one -> one >= 0)
                .sorted()
                .toArray();
        print(
                "%s, %s: %d edits, %d answered; ms from the last key: p50 %.0f, p95 %.0f, most %.0f%n",
                when, kind, edits.size(), millis.length, share(millis, 0.5), share(millis, 0.95), share(millis, 1));
    }

    private static double share(double[] sorted, double share) {
        return sorted.length == 0 ? Double.NaN : sorted[Math.max(0, (int) Math.ceil(share * sorted.length) - 1)];
    }

    @FormatMethod
    private static void print(String line, Object... values) {
        System.out.printf(Locale.ROOT, line, values);
    }

    /// How many of some callers' jobs end in a second.
    private double jobsPerSecond() throws Exception {
        AtomicInteger ended = new AtomicInteger();
        long start = System.nanoTime();
        try (Callers callers = new Callers()) {
            for (int caller = 0; caller < JOB_CALLERS; caller++) {
                callers.add(() -> {
                    if (post("", job(), "wait=60") == OK) {
                        ended.incrementAndGet();
                    }
                });
            }
            Thread.sleep(1000L * SECONDS);
            return ended.get() / ((System.nanoTime() - start) / 1e9);
        }
    }

    /// A search that is too large to be answered without a place in the queue, another one each time.
    private String job() {
        return """
                {"cost_model": "analytic", "model_id": "deepseek-ai/DeepSeek-V3.1", "devices": ["H100_SXM"], "num_devices": 32, "serving": {"compile": true},
                 "workload": {"input_length": %d, "output_length": 1500}, "slo": {"tpot_ms": 50},
                 "search": {"strategy": "exhaustive", "batch_range": [1, 4000]}}""".formatted(3_000 + numbers.incrementAndGet());
    }

    private final AtomicInteger answered = new AtomicInteger();
    private final AtomicInteger busy = new AtomicInteger();
    private final Map<Integer, Integer> others = new java.util.concurrent.ConcurrentHashMap<>();

    private void askAsAPageDoes() throws IOException, InterruptedException {
        List<String> questions = List.copyOf(QUESTIONS.values());
        int number = numbers.incrementAndGet();
        String question = questions
                .get(number % questions.size())
                .replaceFirst("\"input_length\": \\d+", "\"input_length\": " + (3_000 + number % 900));
        count(post("?store=false", question, "wait=5"));
        Thread.sleep(700);
        count(post("?store=false", apart(question), "wait=5"));
        Thread.sleep(300);
    }

    private void count(int status) {
        if (status == OK) {
            answered.incrementAndGet();
        } else if (status == TOO_MANY) {
            busy.incrementAndGet();
        } else {
            others.merge(status, 1, Integer::sum);
        }
    }

    /// As the line below an answer has it asked, in instances of two devices.
    private static String apart(String question) {
        return "{\"mode\": \"pd_ratio\", \"pd_ratio\": {\"prefill_devices_per_instance\": 2, \"decode_devices_per_instance\": 2}, "
                + question.replace("\"mode\": \"aggregation\",", "")
                        .stripLeading()
                        .substring(1);
    }

    /// @return the status
    private int post(String query, String question, String preference) throws IOException, InterruptedException {
        HttpRequest post = HttpRequest.newBuilder(service.resolve("/api/v1/optimizations" + query))
                .header("Content-Type", "application/json")
                .header("Prefer", preference)
                .POST(BodyPublishers.ofString(question))
                .build();
        return http.send(post, BodyHandlers.discarding()).statusCode();
    }

    /// Threads that do the same again and again until they are closed.
    private static final class Callers implements AutoCloseable {
        private interface Call {
            void make() throws IOException, InterruptedException;
        }

        private final AtomicBoolean going = new AtomicBoolean(true);
        private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

        void add(Call call) {
            var _ = threads.submit(() -> {
                while (going.get()) {
                    call.make();
                }
                return null;
            });
        }

        @Override
        public void close() {
            going.set(false);
            threads.close();
        }
    }
}

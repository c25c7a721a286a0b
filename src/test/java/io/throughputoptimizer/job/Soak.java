package io.throughputoptimizer.job;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Mixed load on the service, as `src/test/scripts/soak.sh` and `soak-embedded.sh` start it. First asks every
/// search alone; ends with exit code 0 if later every accepted search came to its end, with that same result,
/// and no answer was a failure of the service. Of several replicas each may go and come back, of one nothing
/// may be refused at all.
///
/// `java src/test/java/io/throughputoptimizer/job/Soak.java SECONDS URL URL`: what was accepted is looked at in the end
///
/// `java -Dsoak.kept=300 -Dsoak.pace=4 src/test/java/io/throughputoptimizer/job/Soak.java SECONDS URL`: each is looked
/// at before the seconds are over for which the service keeps it, and after; callers pause four times as long
final class Soak {
    private static final String OPTIMIZATIONS = "/api/v1/optimizations";
    private static final Pattern ID = Pattern.compile("\"id\"\\s*:\\s*\"([^\"]+)\"");
    private static final Pattern STATUS = Pattern.compile("\"status\"\\s*:\\s*\"([a-z]+)\"");
    private static final Pattern TIMES =
            Pattern.compile("\"submitted_at\"\\s*:\\s*\"([^\"]+)\".*?\"finished_at\"\\s*:\\s*\"([^\"]+)\"");
    private static final Pattern ELAPSED = Pattern.compile("\"elapsed_ms\"\\s*:\\s*[^,}]*");
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    /// How long the service keeps what is finished; zero for all the time.
    private static final Duration KEPT = Duration.ofSeconds(Integer.getInteger("soak.kept", 0));

    /// Retention looks once a minute.
    private static final Duration FORGOTTEN = KEPT.plusMinutes(2);

    private static final int PACE = Integer.getInteger("soak.pace", 1);

    /// An accepted request: a search, or one to be cancelled.
    ///
    /// @param at when it was accepted
    private record Asked(String kind, String request, Instant at) {}

    private final List<String> replicas;
    private final Duration time;
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final AtomicInteger calls = new AtomicInteger();
    private final AtomicInteger silences = new AtomicInteger();
    private final AtomicInteger brokenStreams = new AtomicInteger();
    private final AtomicInteger taken = new AtomicInteger();
    private final AtomicInteger lost = new AtomicInteger();
    private final AtomicInteger forgotten = new AtomicInteger();
    private final ConcurrentMap<String, Asked> accepted = new ConcurrentHashMap<>();
    private final Map<String, Instant> ageing = new ConcurrentHashMap<>();
    private final Queue<String> succeeded = new ConcurrentLinkedQueue<>();
    private final Map<String, String> alone = new ConcurrentHashMap<>();
    private final SoakFigures figures = new SoakFigures();
    private final Queue<String> complaints = new ConcurrentLinkedQueue<>();

    private Soak(List<String> replicas, Duration time) {
        this.replicas = replicas;
        this.time = time;
    }

    public static void main(String[] arguments) throws Exception {
        Duration time = Duration.ofSeconds(Integer.parseInt(arguments[0]));
        Soak soak = new Soak(List.of(arguments).subList(1, arguments.length), time);
        soak.askAlone();
        soak.load();
        soak.lookAtRest();
        soak.print();
        System.exit(soak.lost.get() == 0 && soak.complaints.isEmpty() ? 0 : 1);
    }

    private void askAlone() throws InterruptedException {
        for (SoakSearch search : SoakSearch.values()) {
            for (int number = 0; number < search.variants(); number++) {
                String request = search.request(number);
                String id = submit("alone: " + search, request, "Prefer", "wait=60");
                String job = job(id);
                while (!isFinished(job)) {
                    Thread.sleep(200);
                    job = job(id);
                }
                alone.put(request, result(job));
                if (!KEPT.isZero()) {
                    judge(id, new Asked("alone: " + search, request, Instant.now()), job);
                }
            }
        }
        System.out.println("asked alone: " + alone.size() + " searches");
    }

    private void load() throws Exception {
        Instant end = Instant.now().plus(time);
        List<Caller> callers = new ArrayList<>();
        callers.add(new Caller(250, this::planOne));
        callers.add(new Caller(250, this::planOne));
        callers.add(new Caller(1_000, this::queueOne));
        callers.add(new Caller(2_000, this::followOne));
        callers.add(new Caller(5_000, this::cancelOne));
        callers.add(new Caller(1_000, this::watchAll));
        callers.add(new Caller(2_000, this::reportOne));
        callers.add(
                new Caller(2_000, number -> post("simulation", "/api/v1/simulations", SoakSearch.simulation(number))));
        callers.add(new Caller(1_000, this::disturb));
        if (!KEPT.isZero()) {
            callers.add(new Caller(500, this::lookBack));
            callers.add(new Caller(1_000, _ -> askHealth()));
        }
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> calling = new ArrayList<>();
            for (Caller caller : callers) {
                calling.add(threads.submit(() -> {
                    for (int number = 0; Instant.now().isBefore(end); number++) {
                        caller.act.accept(number);
                        Thread.sleep((long) PACE * caller.pauseMillis);
                    }
                    return caller;
                }));
            }
            for (Future<?> call : calling) {
                call.get();
            }
        }
    }

    private record Caller(int pauseMillis, Act act) {}

    private interface Act {
        void accept(int number) throws InterruptedException;
    }

    /// A short search whose caller waits.
    private void planOne(int number) throws InterruptedException {
        String id = submit("waited for: SHORT", SoakSearch.SHORT.request(number), "Prefer", "wait=30");
        if (number % 20 == 0) {
            succeeded.add(id);
        }
    }

    private void queueOne(int number) throws InterruptedException {
        SoakSearch search =
                number % 10 == 0 ? SoakSearch.LONG : number % 3 == 0 ? SoakSearch.EXPLAINED : SoakSearch.CALIBRATED;
        submit("submission: " + search, search.request(number));
    }

    private void followOne(int number) throws InterruptedException {
        String id = submit("submission: followed", SoakSearch.CALIBRATED.request(number));
        long begin = System.nanoTime();
        while (!follow(id)) {
            brokenStreams.incrementAndGet();
            Thread.sleep(200);
        }
        figures.time("calibrated search, followed to its end", Duration.ofNanos(System.nanoTime() - begin));
    }

    /// @return whether the stream told the end
    private boolean follow(String id) throws InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(replica() + OPTIMIZATIONS + "/" + id + "/events"))
                .timeout(PATIENCE)
                .build();
        try (Stream<String> lines = http.send(request, BodyHandlers.ofLines()).body()) {
            for (Iterator<String> line = lines.iterator(); line.hasNext(); ) {
                if (line.next().equals("event:finished")) {
                    return true;
                }
            }
        } catch (IOException | RuntimeException _) {
            silences.incrementAndGet();
        }
        return false;
    }

    private void cancelOne(int number) throws InterruptedException {
        String id = submit("submission: to be cancelled", SoakSearch.ENDLESS);
        Thread.sleep(1_000);
        post("cancellation", OPTIMIZATIONS + "/" + id + "/cancel", "");
    }

    /// As an open dashboard does.
    private void watchAll(int number) throws InterruptedException {
        get("list", OPTIMIZATIONS + "?limit=20");
        if (number % 10 == 0) {
            for (String path : List.of("/", "/dashboard/main.js", "/api/v1/models", "/api/v1/devices")) {
                get("page and catalogue", path);
            }
        }
    }

    private void reportOne(int number) throws InterruptedException {
        String id = succeeded.poll();
        if (id != null) {
            String job = OPTIMIZATIONS + "/" + id;
            get("report", job + "/result", "Accept", "text/plain");
            get("report", job + "/result", "Accept", "text/csv");
            get("report", job + "/curves", "Accept", "text/plain");
            get("report", job);
        }
    }

    private void disturb(int number) throws InterruptedException {
        String bad = SoakSearch.BAD.get(number % SoakSearch.BAD.size());
        HttpResponse<String> answer = post("bad request", OPTIMIZATIONS, bad);
        if (answer.statusCode() / 100 != 4) {
            complaints.add(answer.statusCode() + " to " + bad);
        }
    }

    /// @return the id of the accepted search
    private String submit(String kind, String request, String... headers) throws InterruptedException {
        String[] all = Stream.concat(
                        Stream.of(headers), Stream.of("Idempotency-Key", "soak-" + calls.incrementAndGet()))
                .toArray(String[]::new);
        HttpResponse<String> answer = post(kind, OPTIMIZATIONS, request, all);
        String id = found(ID, answer.body(), 1);
        if (answer.statusCode() != 200 && answer.statusCode() != 202) {
            complaints.add(answer.statusCode() + " to " + request + ": " + answer.body());
        } else {
            accepted.put(id, new Asked(kind, request, Instant.now()));
            taken.incrementAndGet();
        }
        return id;
    }

    private String replica() {
        return replicas.get(calls.incrementAndGet() % replicas.size());
    }

    private HttpResponse<String> get(String kind, String path, String... headers) throws InterruptedException {
        return send(kind, path, HttpRequest.newBuilder(), headers);
    }

    private HttpResponse<String> post(String kind, String path, String body, String... headers)
            throws InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder()
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body));
        return send(kind, path, request, headers);
    }

    /// Asks one replica after the other until one answers, and again where it says so.
    private HttpResponse<String> send(String kind, String path, HttpRequest.Builder request, String... headers)
            throws InterruptedException {
        if (headers.length > 0) {
            request.headers(headers);
        }
        for (Instant latest = Instant.now().plus(PATIENCE); ; Thread.sleep(100)) {
            long begin = System.nanoTime();
            try {
                HttpResponse<String> answer = http.send(
                        request.uri(URI.create(replica() + path))
                                .timeout(PATIENCE)
                                .build(),
                        BodyHandlers.ofString());
                int status = answer.statusCode();
                figures.count(status);
                boolean later = answer.headers().firstValue("Retry-After").isPresent();
                if ((later && replicas.size() == 1) || (status >= 500 && !later)) {
                    complaints.add(status + " to " + kind + ": " + answer.body());
                }
                if (status >= 400
                        && !answer.headers()
                                .firstValue("Content-Type")
                                .orElse("")
                                .startsWith("application/problem+json")) {
                    complaints.add("no problem document but " + status + " to " + kind + ": " + answer.body());
                }
                if (!later || Instant.now().isAfter(latest)) {
                    figures.time(kind, Duration.ofNanos(System.nanoTime() - begin));
                    return answer;
                }
            } catch (IOException e) {
                silences.incrementAndGet();
                if (replicas.size() == 1) {
                    complaints.add("no answer to " + kind + ": " + e);
                }
                if (Instant.now().isAfter(latest)) {
                    throw new IllegalStateException("no replica answers " + kind, e);
                }
            }
        }
    }

    /// What a job has found, without the time that it took.
    private static String result(String job) {
        int begin = job.indexOf("\"result\"");
        return begin < 0 ? "" : ELAPSED.matcher(job.substring(begin)).replaceAll("");
    }

    /// What a job of a while ago has come to, and that those are gone whose time is over.
    private void lookBack(int number) throws InterruptedException {
        lookAtAccepted(Instant.now().minus(KEPT.dividedBy(3)));
        Instant oldest = Instant.now().minus(FORGOTTEN);
        for (Map.Entry<String, Instant> job : List.copyOf(ageing.entrySet())) {
            if (job.getValue().isBefore(oldest)) {
                int status =
                        get("forgotten job", OPTIMIZATIONS + "/" + job.getKey()).statusCode();
                if (status != 404) {
                    complaints.add("not forgotten: " + job.getKey() + " " + status);
                }
                ageing.remove(job.getKey());
                forgotten.incrementAndGet();
            }
        }
    }

    private void askHealth() throws InterruptedException {
        for (String group : List.of("", "/readiness", "/liveness")) {
            int status = get("health", "/actuator/health" + group).statusCode();
            if (status != 200) {
                complaints.add(status + " to health" + group);
            }
        }
    }

    /// Looks at what is finished of the accepted searches. The others are left for later: who waited for one would miss
    /// those that are forgotten meanwhile.
    ///
    /// @param latest when they were accepted
    private void lookAtAccepted(Instant latest) throws InterruptedException {
        for (Map.Entry<String, Asked> job : accepted.entrySet()) {
            if (!job.getValue().at().isAfter(latest)) {
                String body = job(job.getKey());
                if (isFinished(body)) {
                    judge(job.getKey(), job.getValue(), body);
                }
            }
        }
    }

    /// In the end, whatever is left.
    private void lookAtRest() throws InterruptedException {
        Instant latest = Instant.now().plus(Duration.ofMinutes(5));
        lookAtAccepted(Instant.now());
        while (!accepted.isEmpty() && Instant.now().isBefore(latest)) {
            Thread.sleep(200);
            lookAtAccepted(Instant.now());
        }
        accepted.forEach((id, asked) -> judge(id, asked, "unfinished"));
    }

    /// Counts a search as lost that is not there, has not the state it should have, or another result than alone.
    private void judge(String id, Asked asked, String body) {
        accepted.remove(id);
        ageing.put(id, Instant.now());
        boolean endless = asked.request().equals(SoakSearch.ENDLESS);
        String expected = endless ? "" : alone.get(asked.request());
        if (!found(STATUS, body, 1).equals(endless ? "cancelled" : "succeeded")
                || !result(body).equals(expected)) {
            lost.incrementAndGet();
            complaints.add("lost: " + id + " " + body);
        }
        String finished = found(TIMES, body, 2);
        if (!finished.isEmpty()) {
            Duration took = Duration.between(Instant.parse(found(TIMES, body, 1)), Instant.parse(finished));
            figures.time("to its end: " + asked.kind(), took);
        }
    }

    /// A job with all of its result.
    private String job(String id) throws InterruptedException {
        return get("job", OPTIMIZATIONS + "/" + id + "?include=all").body();
    }

    private static boolean isFinished(String job) {
        return !found(STATUS, job, 1).matches("queued|running");
    }

    private static String found(Pattern pattern, String text, int group) {
        Matcher matcher = pattern.matcher(text);
        return matcher.find() ? matcher.group(group) : "";
    }

    private void print() {
        System.out.printf(
                "accepted %d, lost %d, forgotten in time %d; no answer %d; streams that ended early %d%n",
                taken.get(), lost.get(), forgotten.get(), silences.get(), brokenStreams.get());
        figures.print();
        complaints.stream().limit(20).forEach(complaint -> System.out.println("COMPLAINT " + complaint));
    }
}

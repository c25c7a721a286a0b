package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.jwk.RSAKey;
import io.throughputoptimizer.fixture.EveryNight;
import io.throughputoptimizer.fixture.RawHttp;
import io.throughputoptimizer.fixture.RawHttp.Answer;
import io.throughputoptimizer.fixture.ServiceProcess;
import io.throughputoptimizer.fixture.ServiceProcess.Footprint;
import io.throughputoptimizer.fixture.StubIssuer;
import io.throughputoptimizer.web.HostileRequests.HostileRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.dataformat.yaml.YAMLMapper;

/// Nothing that one caller sends takes the service down, keeps others waiting or takes what is theirs, and nothing of
/// it stays: a second caller is served all along. The seed is printed; `-Dhostile.seed=N` repeats an attack,
/// `-Dhostile.requests=N` makes a longer one, and `-Dhostile.ratio=N` asserts that 99 of 100 requests of the second
/// caller take at most so many times as long as without the first.
@EveryNight
class HostileClientIT {
    private static final long SEED = Long.getLong("hostile.seed", 20_261_122);
    private static final int REQUESTS = Integer.getInteger("hostile.requests", 600);
    private static final int CALLERS = 4;
    /// On a machine that has nothing else to do 3 are enough.
    private static final Duration LONGEST_ANSWER = Duration.ofSeconds(Long.getLong("hostile.seconds", 120));
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(1);
    private static final Duration PATIENCE = LONGEST_ANSWER.multipliedBy(2);
    /// 0 asserts nothing of times.
    private static final double LONGEST_RATIO = Double.parseDouble(System.getProperty("hostile.ratio", "0"));
    private static final int QUIET_ROUNDS = 50;
    /// One request of so many is held back in part, or its answer not read.
    private static final int ODDLY_SENT = 20;

    private static final long HEAP_GROWTH = 24L << 20;
    private static final long NATIVE_GROWTH = 48L << 20;
    private static final int HANDLE_GROWTH = 64;
    private static final int THREAD_GROWTH = 32;
    private static final Pattern NO_NUMBER = Pattern.compile("[:,\\[]\\s*(NaN|-?Infinity)\\b");

    private String key = "";
    private final Queue<String> complaints = new ConcurrentLinkedQueue<>();
    private final List<String> jobs = new CopyOnWriteArrayList<>();
    private final ConcurrentMap<Integer, Long> statuses = new ConcurrentHashMap<>();

    @Test
    void noRequestTakesTheServiceDownOrKeepsOthersWaiting(@TempDir Path folder) throws Exception {
        System.out.println("hostile.seed=" + SEED);
        try (StubIssuer issuer = new StubIssuer();
                ServiceProcess service = ServiceProcess.start(
                        folder,
                        "-XX:NativeMemoryTracking=summary",
                        "optimizer.security.jwt.issuer=" + issuer.url(),
                        "optimizer.security.requests-per-minute=0",
                        "optimizer.jobs.timeout=2s",
                        "optimizer.http.maximum-wait=" + LONGEST_WAIT.toSeconds() + "s",
                        "optimizer.cache.maximum-operators=2000",
                        "optimizer.retention.count=50")) {
            assertThat(service.carriers()).isGreaterThan(Runtime.getRuntime().availableProcessors());
            RSAKey signer = StubIssuer.rsaKey("hostile");
            issuer.publish(issuer.url(), signer);
            key = token(issuer, signer, "hostile");
            PoliteCaller polite =
                    new PoliteCaller(new RawHttp(service.port(), PATIENCE), token(issuer, signer, "polite"));
            HostileRequests requests = requests(service);
            attack(service, requests, polite, 0, REQUESTS / 2);
            awaitNoJob(service);
            polite.forgetTimes();
            for (int round = 0; round < QUIET_ROUNDS; round++) {
                polite.askEverything();
            }
            PoliteCaller.Request quiet = polite.percentile99();
            Footprint before = service.footprint();
            attack(service, requests, polite, REQUESTS / 2, REQUESTS);
            PoliteCaller.Request attacked = polite.percentile99();
            awaitNoJob(service);
            Footprint after = service.footprint();

            System.out.println("hostile answers by status: " + statuses);
            System.out.println("polite p99: " + quiet + " alone, " + attacked + " beside");
            System.out.println("held: " + before + ", then " + after);
            assertThat(complaints).isEmpty();
            assertThat(polite.complaints()).isEmpty();
            assertFlat(before, after);
            assertThat(statuses.keySet()).contains(200, 202, 400, 404, 405, 406, 415);
            assertThat(ServiceProcess.logged(folder)).doesNotContain("OutOfMemoryError");
            if (LONGEST_RATIO > 0) {
                assertThat(attacked.time())
                        .isLessThan(Duration.ofNanos((long) (quiet.time().toNanos() * LONGEST_RATIO)));
            }
        }
    }

    private static void assertFlat(Footprint before, Footprint after) {
        assertThat(after.heap()).as("heap").isLessThan(before.heap() + HEAP_GROWTH);
        assertThat(after.nativeMemory()).as("native memory").isLessThan(before.nativeMemory() + NATIVE_GROWTH);
        assertThat(after.handles()).as("handles").isLessThan(before.handles() + HANDLE_GROWTH);
        assertThat(after.threads()).as("threads").isLessThan(before.threads() + THREAD_GROWTH);
    }

    private static String token(StubIssuer issuer, RSAKey signer, String subject) {
        return StubIssuer.token(
                signer,
                issuer.claims()
                        .subject(subject)
                        .claim("scope", "optimizer:submit")
                        .expirationTime(Date.from(Instant.now().plus(Duration.ofDays(1))))
                        .build());
    }

    private HostileRequests requests(ServiceProcess service) throws Exception {
        JsonNode description = new YAMLMapper().readTree(Files.readString(Path.of("openapi", "openapi.yaml")));
        List<String> models = new ArrayList<>();
        json(service, "/api/v1/models")
                .required("models")
                .forEach(model -> models.add(model.required("id").asString()));
        List<String> devices = new ArrayList<>();
        json(service, "/api/v1/devices")
                .required("devices")
                .forEach(device -> devices.add(device.required("name").asString()));
        List<String> names =
                List.of("Qwen", "Qwen3-8B", "TEST_DEVICE", "builtin", "nothing", "%20", "%2e%2e", "a".repeat(500));
        ApiDescription api = new ApiDescription(description);
        return new HostileRequests(api, new HostileDocuments(api.schemas(), models, devices), names, this::job);
    }

    /// Mostly one that exists.
    private String job(RandomGenerator random) {
        return jobs.isEmpty() || random.nextInt(10) == 0
                ? HostileDocuments.pick(
                        List.of("nothing", "00000000-0000-0000-0000-000000000000", "%ff", "1-1-1-1-1"), random)
                : jobs.get(random.nextInt(jobs.size()));
    }

    /// One caller several times at once, while another goes about its work, and somebody asks for the service's health.
    private void attack(ServiceProcess service, HostileRequests requests, PoliteCaller polite, int from, int to)
            throws Exception {
        RawHttp http = new RawHttp(service.port(), PATIENCE);
        try (HostileDelivery delivery = new HostileDelivery(service.port());
                ExecutorService callers = Executors.newFixedThreadPool(CALLERS + 2)) {
            List<Future<?>> others =
                    List.of(callers.submit(() -> watchHealth(http)), callers.submit(() -> work(polite)));
            List<Future<?>> calls = new ArrayList<>();
            for (int caller = 0; caller < CALLERS; caller++) {
                int first = from + caller;
                calls.add(callers.submit(() -> {
                    for (int number = first; number < to; number += CALLERS) {
                        RandomGenerator random = new SplittableRandom(SEED + number);
                        random.nextLong();
                        HostileRequest request = requests.next(random);
                        if (random.nextInt(ODDLY_SENT) == 0) {
                            delivery.send(withKey(request), random);
                        } else {
                            call(http, request);
                        }
                    }
                    return null;
                }));
            }
            try {
                for (Future<?> call : calls) {
                    call.get();
                }
            } finally {
                others.forEach(other -> other.cancel(true));
            }
        }
    }

    private String withKey(HostileRequest request) {
        return request.text().replaceFirst("\r\n", "\r\nAuthorization: Bearer " + key + "\r\n");
    }

    private void work(PoliteCaller polite) {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                polite.askEverything();
                TimeUnit.MILLISECONDS.sleep(100);
            }
        } catch (IOException e) {
            complaints.add("polite: " + e);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void call(RawHttp http, HostileRequest request) {
        try {
            String text = withKey(request);
            Answer answer = request.stream() ? http.begin(text) : http.send(text);
            statuses.merge(answer.status(), 1L, Long::sum);
            judge(request, answer);
        } catch (IOException | RuntimeException e) {
            complaints.add(e + " after " + request);
        }
    }

    private void judge(HostileRequest request, Answer answer) {
        int status = answer.status();
        if (status == 0 && request.wellFormed()) {
            complain("no answer", request, answer);
        }
        boolean later = status == 503 && answer.header("Retry-After").isPresent();
        if (status >= 500 && status != 501 && !later) {
            complain("server error", request, answer);
        }
        Duration wait = answer.header("Preference-Applied").isPresent() ? LONGEST_WAIT : Duration.ZERO;
        if (answer.time().minus(wait).compareTo(LONGEST_ANSWER) > 0) {
            complain("took " + answer.time(), request, answer);
        }
        if (status < 300 && NO_NUMBER.matcher(answer.body()).find()) {
            complain("no number", request, answer);
        }
        if (status >= 400
                && request.wellFormed()
                && !answer.header("Content-Type").equals(Optional.of("application/problem+json"))) {
            complain("no problem document", request, answer);
        }
        if (status == 202 || status == 200) {
            answer.header("Location")
                    .map(location -> location.substring(location.lastIndexOf('/') + 1))
                    .ifPresent(jobs::add);
        }
    }

    private void complain(String what, HostileRequest request, Answer answer) {
        complaints.add(what + ": " + answer.head().lines().findFirst().orElse("") + " " + answer.body() + "\n after "
                + request + "\n");
    }

    private void watchHealth(RawHttp http) {
        String check = "GET /actuator/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
        try {
            while (!Thread.currentThread().isInterrupted()) {
                Answer answer = http.send(check);
                if (answer.status() != 200 || answer.time().compareTo(LONGEST_ANSWER) > 0) {
                    complaints.add("health: " + answer);
                }
                TimeUnit.MILLISECONDS.sleep(100);
            }
        } catch (IOException e) {
            complaints.add("health: " + e);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /// Every job ends by itself, one after the other if it must.
    private void awaitNoJob(ServiceProcess service) throws Exception {
        Instant latest = Instant.now().plus(Duration.ofMinutes(15));
        while (unfinished(service) > 0) {
            assertThat(Instant.now()).as("a job is stuck").isBefore(latest);
            Thread.sleep(100);
        }
    }

    private int unfinished(ServiceProcess service) throws Exception {
        return json(service, "/api/v1/optimizations?status=queued&status=running&limit=100")
                .required("optimizations")
                .size();
    }

    /// Asks again for as long as the service waits for the keys of the issuer, which a busy machine may be slow to
    /// give.
    private JsonNode json(ServiceProcess service, String path) throws Exception {
        String request = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer "
                + key + "\r\n\r\n";
        RawHttp http = new RawHttp(service.port(), PATIENCE);
        Answer answer = http.send(request);
        for (Instant latest = Instant.now().plus(PATIENCE);
                answer.status() == 503 && Instant.now().isBefore(latest);
                answer = http.send(request)) {
            TimeUnit.SECONDS.sleep(1);
        }
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return JsonMapper.shared().readTree(answer.body());
    }
}

package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.api.key.Role;
import io.throughputoptimizer.fixture.RawHttp;
import io.throughputoptimizer.fixture.RawHttp.Answer;
import io.throughputoptimizer.web.HostileRequests.HostileRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.context.TestPropertySource;

/// Whatever callers send with keys that are wrong, expired, revoked, of another role or another's, they get nothing
/// that these keys do not allow. The seed is printed; `-Dhostile.seed=N` and `-Dhostile.requests=N` work as in
/// `HostileClientIT`.
@TestPropertySource(
        properties = {
            "optimizer.security.requests-per-minute=0",
            "optimizer.security.maximum-streams=0",
            "optimizer.jobs.timeout=2s",
            "optimizer.http.maximum-wait=1s"
        })
class HostileKeyHolderIT extends SecuredTest {
    private static final long SEED = Long.getLong("hostile.seed", 20_261_122);
    private static final int REQUESTS = Integer.getInteger("hostile.requests", 700);
    private static final int CALLERS = 4;
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    /// What is free, as a path or in a full request target.
    private static final Pattern FREE = Pattern.compile(
            "(/|/index\\.html|/favicon\\.svg|/(dashboard|vendor|help|swagger-ui|v3/api-docs)\\b.*|/swagger-ui.*"
                    + "|/api/v1/share(/result)?"
                    + "|/actuator/health\\b.*)(\\?.*)?");

    private static final Pattern ADMINISTRATION = Pattern.compile("/(actuator|api/v1/keys)\\b.*");
    /// Answered alike for any id.
    private static final String METHODS_ASKED = "OPTIONS";

    private static final Pattern READING = Pattern.compile("GET|HEAD|OPTIONS");

    /// What a caller sends in `Authorization`, and what it should be worth.
    ///
    /// @param header empty for none
    /// @param roles none for one that opens nothing
    private record Credential(String holder, String header, Set<Role> roles) {
        private boolean allows(String method, String target) {
            if (FREE.matcher(target).matches()) {
                return true;
            }
            if (ADMINISTRATION.matcher(target).matches()) {
                return roles.contains(Role.ADMIN);
            }
            return READING.matcher(method).matches()
                    ? !roles.isEmpty()
                    : roles.contains(Role.SUBMIT) || roles.contains(Role.ADMIN);
        }
    }

    private final Queue<String> complaints = new ConcurrentLinkedQueue<>();
    private final Map<String, String> holders = new ConcurrentHashMap<>();
    private final Map<Integer, Long> statuses = new ConcurrentHashMap<>();

    @LocalServerPort
    private int port;

    @Test
    void noKeyOpensMoreThanItShould() throws Exception {
        System.out.println("hostile.seed=" + SEED);
        List<Credential> credentials = credentials();
        List<Credential> submitters = credentials.subList(0, 2);
        submitters.forEach(this::submit);
        HostileRequests requests = requests();
        RawHttp http = new RawHttp(port, PATIENCE);
        try (ExecutorService callers = Executors.newFixedThreadPool(CALLERS)) {
            List<Future<?>> calls = new ArrayList<>();
            for (int caller = 0; caller < CALLERS; caller++) {
                int first = caller;
                calls.add(callers.submit(() -> {
                    for (int number = first; number < REQUESTS; number += CALLERS) {
                        RandomGenerator random = new SplittableRandom(SEED + number);
                        random.nextLong();
                        call(http, HostileDocuments.pick(credentials, random), requests.next(random));
                    }
                }));
            }
            for (Future<?> call : calls) {
                call.get();
            }
        }

        System.out.println("hostile answers by status: " + statuses);
        assertThat(complaints).isEmpty();
        assertThat(statuses.keySet()).contains(200, 202, 400, 401, 403, 404);
        submitters.forEach(this::submit);
        for (Credential submitter : submitters) {
            assertThat(api().header("Authorization", submitter.header())
                            .get(OPTIMIZATIONS + "?limit=100")
                            .jsonPath()
                            .<String>getList("optimizations.id"))
                    .isNotEmpty()
                    .allSatisfy(id -> assertThat(holders.getOrDefault(id, submitter.holder()))
                            .isEqualTo(submitter.holder()));
        }
    }

    private List<Credential> credentials() {
        String revoked = key(Role.ADMIN);
        keys().revoke(revoked.substring(4, 20));
        String expired = keys().create(freshName(), EnumSet.of(Role.ADMIN), Duration.ofMillis(1))
                .key()
                .reveal();
        String admin = key(Role.ADMIN);
        String halfKnown = admin.substring(0, 21) + "A".repeat(43);
        String link = link(admin);
        Credential ann = holder("ann", Role.SUBMIT);
        Credential bob = holder("bob", Role.SUBMIT);
        return List.of(
                ann,
                bob,
                ann,
                bob,
                holder("board", Role.READ),
                new Credential("admin", "Bearer " + admin, EnumSet.of(Role.ADMIN)),
                worthless("none", ""),
                worthless("wrong secret", "Bearer " + halfKnown),
                worthless("revoked", "Bearer " + revoked),
                worthless("expired", "Bearer " + expired),
                worthless("malformed", "Bearer " + admin + " " + admin),
                worthless("another scheme", "Basic " + admin),
                worthless("a link as a key", "Bearer " + link),
                worthless("whoever has a link", "Basic none\r\nShare-Token: " + link),
                worthless("unsigned", "Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIiwic2NvcGUiOiJvcHRpbWl6ZXI6YWRtaW4ifQ."),
                worthless("long", "Bearer " + "x".repeat(5_000)));
    }

    private void submit(Credential holder) {
        String id = jsonAs(holder.header().substring("Bearer ".length()), PREFILL)
                .post(OPTIMIZATIONS)
                .then()
                .extract()
                .path("id");
        holders.put(id, holder.holder());
    }

    /// Shows a job of an admin.
    private String link(String admin) {
        String job = jsonAs(admin, PREFILL)
                .header("Prefer", "wait=60")
                .post(OPTIMIZATIONS)
                .then()
                .extract()
                .header("Location");
        as(admin).get(job + "/events").then().statusCode(200);
        return jsonAs(admin, "{}")
                .post(job + "/shares")
                .then()
                .statusCode(201)
                .extract()
                .path("token");
    }

    private Credential holder(String name, Role role) {
        return new Credential(name, "Bearer " + key(name, role), EnumSet.of(role));
    }

    private static Credential worthless(String holder, String header) {
        return new Credential(holder, header, EnumSet.noneOf(Role.class));
    }

    private HostileRequests requests() {
        ApiDescription description = ApiDescription.of(api().get("/v3/api-docs").asString());
        return new HostileRequests(
                description,
                new HostileDocuments(
                        description.schemas(), List.of("Qwen/Qwen3-8B"), List.of("TEST_DEVICE", "H100_SXM")),
                List.of("Qwen", "Qwen3-8B", "TEST_DEVICE", "builtin", "nothing"),
                random -> holders.isEmpty() ? "nothing" : HostileDocuments.pick(List.copyOf(holders.keySet()), random));
    }

    private void call(RawHttp http, Credential credential, HostileRequest request) {
        String text = credential.header().isEmpty()
                ? request.text()
                : request.text().replaceFirst("\r\n", "\r\nAuthorization: " + credential.header() + "\r\n");
        try {
            Answer answer = request.stream() ? http.begin(text) : http.send(text);
            statuses.merge(answer.status(), 1L, Long::sum);
            judge(credential, request, answer);
        } catch (IOException | RuntimeException e) {
            complaints.add(e + " after " + credential + " " + request);
        }
    }

    private void judge(Credential credential, HostileRequest request, Answer answer) {
        String[] line = request.text().lines().findFirst().orElse("").split(" ", 3);
        String method = line[0];
        String target = line.length > 1 ? line[1] : "";
        int status = answer.status();
        boolean given = status >= 200 && status < 400;
        if (status >= 500 && status != 501) {
            complain("server error", credential, request, answer);
        }
        if (given && !credential.allows(method, target)) {
            complain("more than allowed", credential, request, answer);
        }
        holders.forEach((id, holder) -> {
            boolean others = !holder.equals(credential.holder()) && target.contains(id);
            if (given
                    && others
                    && !method.equals(METHODS_ASKED)
                    && credential.roles().equals(Set.of(Role.SUBMIT))) {
                complain("another's job", credential, request, answer);
            }
        });
        if (status == 200 || status == 202) {
            answer.header("Location")
                    .map(location -> location.substring(location.lastIndexOf('/') + 1))
                    .ifPresent(id -> holders.put(id, credential.holder()));
        }
    }

    private void complain(String what, Credential credential, HostileRequest request, Answer answer) {
        complaints.add(what + ": " + answer.head().lines().findFirst().orElse("") + " " + answer.body() + "\n after "
                + credential.holder() + ": " + request + "\n");
    }
}

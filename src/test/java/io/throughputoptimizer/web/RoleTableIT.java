package io.throughputoptimizer.web;

import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.api.key.Role;
import io.throughputoptimizer.fixture.EveryNight;
import io.throughputoptimizer.fixture.RawHttp;
import io.throughputoptimizer.fixture.RawHttp.Answer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.context.TestPropertySource;

/// Who may ask what, for every path that there is, however it is spelled.
@TestPropertySource(properties = "optimizer.security.requests-per-minute=0")
class RoleTableIT extends SecuredTest {
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    /// Who may: everybody, whoever has a link, whoever has a key, who may submit, an admin.
    private enum Needs {
        NOTHING,
        LINK,
        READ_OR_SUBMIT,
        SUBMIT,
        ADMIN;

        private boolean isMetBy(Set<Role> roles) {
            return switch (this) {
                case NOTHING, LINK -> true;
                case READ_OR_SUBMIT -> !roles.isEmpty();
                case SUBMIT -> roles.contains(Role.SUBMIT) || roles.contains(Role.ADMIN);
                case ADMIN -> roles.contains(Role.ADMIN);
            };
        }
    }

    /// Every operation of the API description has a line here.
    private static final Map<String, Needs> OPERATIONS = table("""
            GET /api/v1/accuracy                          READ_OR_SUBMIT
            POST /api/v1/comparisons                      SUBMIT
            GET /api/v1/devices                           READ_OR_SUBMIT
            GET /api/v1/devices/{name}                    READ_OR_SUBMIT
            POST /api/v1/engine-logs                      SUBMIT
            POST /api/v1/estimates                        SUBMIT
            GET /api/v1/keys                              ADMIN
            POST /api/v1/keys                             ADMIN
            DELETE /api/v1/keys/{id}                      ADMIN
            POST /api/v1/launch-scripts                   SUBMIT
            GET /api/v1/length-distributions              READ_OR_SUBMIT
            GET /api/v1/length-distributions/{name}       READ_OR_SUBMIT
            POST /api/v1/length-distributions/from-trace  SUBMIT
            GET /api/v1/measurements                      READ_OR_SUBMIT
            POST /api/v1/measurements                     SUBMIT
            POST /api/v1/measurements/from-file           SUBMIT
            GET /api/v1/measurements/{id}                 READ_OR_SUBMIT
            DELETE /api/v1/measurements/{id}              SUBMIT
            GET /api/v1/models                            READ_OR_SUBMIT
            GET /api/v1/models/{owner}/{name}             READ_OR_SUBMIT
            GET /api/v1/optimizations                     READ_OR_SUBMIT
            POST /api/v1/optimizations                    SUBMIT
            POST /api/v1/optimizations/autoscaling        SUBMIT
            GET /api/v1/optimizations/{id}                READ_OR_SUBMIT
            PATCH /api/v1/optimizations/{id}              SUBMIT
            DELETE /api/v1/optimizations/{id}             SUBMIT
            GET /api/v1/optimizations/{id}/autoscaling    READ_OR_SUBMIT
            POST /api/v1/optimizations/{id}/cancel        SUBMIT
            GET /api/v1/optimizations/{id}/contexts       READ_OR_SUBMIT
            GET /api/v1/optimizations/{id}/curves         READ_OR_SUBMIT
            GET /api/v1/optimizations/{id}/events         READ_OR_SUBMIT
            GET /api/v1/optimizations/{id}/launch         READ_OR_SUBMIT
            GET /api/v1/optimizations/{id}/launch/engines READ_OR_SUBMIT
            GET /api/v1/optimizations/{id}/launch/manifests READ_OR_SUBMIT
            GET /api/v1/optimizations/{id}/result         READ_OR_SUBMIT
            GET /api/v1/optimizations/{id}/shares         READ_OR_SUBMIT
            POST /api/v1/optimizations/{id}/shares        SUBMIT
            DELETE /api/v1/optimizations/{id}/shares/{share} SUBMIT
            GET /api/v1/share                             LINK
            GET /api/v1/share/result                      LINK
            POST /api/v1/portfolios                       SUBMIT
            POST /api/v1/simulations                      SUBMIT
            GET /api/v1/sweeps                            READ_OR_SUBMIT
            POST /api/v1/sweeps                           SUBMIT
            GET /api/v1/sweeps/{id}                       READ_OR_SUBMIT
            DELETE /api/v1/sweeps/{id}                    SUBMIT
            PATCH /api/v1/sweeps/{id}                     SUBMIT
            POST /api/v1/sweeps/{id}/cancel               SUBMIT
            GET /api/v1/sweeps/{id}/cells                 READ_OR_SUBMIT
            GET /api/v1/sweeps/{id}/cells/{cell}          READ_OR_SUBMIT
            GET /api/v1/sweeps/{id}/events                READ_OR_SUBMIT
            GET /api/v1/sweeps/{id}/table                 READ_OR_SUBMIT
            POST /api/v1/import                           SUBMIT
            POST /api/v1/servers/from-command             SUBMIT
            POST /api/v1/traffic/from-metrics             SUBMIT
            GET /api/v1/capabilities                      READ_OR_SUBMIT""");

    private static final Map<String, Needs> OTHERS = table("""
            GET /                              NOTHING
            GET /index.html                    NOTHING
            GET /favicon.svg                   NOTHING
            GET /dashboard/main.js             NOTHING
            GET /vendor/uplot/uPlot.esm.js     NOTHING
            GET /help                          NOTHING
            GET /llms.txt                      NOTHING
            POST /mcp                          READ_OR_SUBMIT
            GET /problems/queue-full           NOTHING
            GET /help/first-plan.md            NOTHING
            GET /swagger-ui.html               NOTHING
            GET /swagger-ui/index.html         NOTHING
            GET /v3/api-docs                   NOTHING
            GET /v3/api-docs/viewer            NOTHING
            GET /v3/api-docs.yaml              NOTHING
            GET /actuator/health               NOTHING
            GET /actuator/health/liveness      NOTHING
            GET /actuator/health/readiness     NOTHING
            GET /actuator                      ADMIN
            GET /actuator/prometheus           ADMIN
            GET /actuator/env                  ADMIN
            GET /actuator/nothing              ADMIN
            GET /api/v1/nothing                READ_OR_SUBMIT
            GET /nothing                       READ_OR_SUBMIT
            POST /nothing                      SUBMIT
            GET /error                         READ_OR_SUBMIT""");

    private static final Map<String, String> NAMES = Map.of(
            "/models/{owner}/{name}", "/models/Qwen/Qwen3-8B",
            "/devices/{name}", "/devices/TEST_DEVICE",
            "/length-distributions/{name}", "/length-distributions/builtin",
            "/keys/{id}", "/keys/0123456789abcdef",
            "{cell}", "0",
            "{share}", "0123456789abcdef",
            "{id}", "00000000-0000-4000-8000-000000000000");

    @LocalServerPort
    private int port;

    private static Map<String, Needs> table(String lines) {
        return lines.lines()
                .map(line -> line.strip().split("\\s+", 0))
                .collect(toMap(words -> words[0] + " " + words[1], words -> Needs.valueOf(words[2])));
    }

    private static Map<String, Needs> everything() {
        return Stream.of(OPERATIONS, OTHERS)
                .flatMap(table -> table.entrySet().stream())
                .collect(toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    private static String path(String operation) {
        String path = operation.substring(operation.indexOf(' ') + 1);
        for (String template : List.of(
                "/models/{owner}/{name}",
                "/devices/{name}",
                "/length-distributions/{name}",
                "/keys/{id}",
                "{cell}",
                "{share}",
                "{id}")) {
            path = path.replace(template, NAMES.getOrDefault(template, template));
        }
        return path;
    }

    private static String method(String operation) {
        return operation.substring(0, operation.indexOf(' '));
    }

    @Test
    void everyOperationOfTheDescriptionIsInTheTable() {
        Set<String> described = ApiDescription.of(api().get("/v3/api-docs").asString()).operations().stream()
                .map(ApiDescription.Operation::name)
                .collect(toSet());

        assertThat(OPERATIONS.keySet()).isEqualTo(described);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "read", "submit", "read submit", "admin"})
    void everyPathAsksForItsRole(String words) throws IOException {
        Set<Role> roles = roles(words);
        String key = key(roles);
        for (Map.Entry<String, Needs> line : everything().entrySet()) {
            Answer answer = ask(key, method(line.getKey()), path(line.getKey()));

            requireGuarded(answer, line.getValue().isMetBy(roles), roles, line.getKey());
            if (line.getValue() == Needs.NOTHING) {
                assertThat(answer.status()).as(line.getKey()).isLessThan(400);
            }
        }
    }

    @EveryNight
    @ParameterizedTest
    @ValueSource(strings = {"", "read", "submit", "admin"})
    void everyMethodAsksForItsRole(String words) throws IOException {
        Set<Role> roles = roles(words);
        String key = key(roles);
        for (Map.Entry<String, Needs> line : everything().entrySet()) {
            String path = path(line.getKey());
            Needs read = everything().getOrDefault("GET " + path, readingOf(line));
            for (String method : List.of("HEAD", "OPTIONS")) {
                requireGuarded(ask(key, method, path), read.isMetBy(roles), roles, method + " " + path);
            }
            Needs write = read == Needs.READ_OR_SUBMIT ? Needs.SUBMIT : read;
            for (String method : List.of("PUT", "PATCH", "get", "BREW")) {
                Answer answer = ask(key, method, path);
                requireGuarded(answer, write.isMetBy(roles), roles, method + " " + path);
                assertThat(answer.status()).as(method + " " + path).isGreaterThanOrEqualTo(400);
            }
            assertThat(ask(key, "TRACE", path).status()).as("TRACE " + path).isIn(401, 403, 404, 405);
        }
    }

    /// What a path takes to be read that nothing but another method is known of.
    private static Needs readingOf(Map.Entry<String, Needs> line) {
        return line.getValue() == Needs.SUBMIT ? Needs.READ_OR_SUBMIT : line.getValue();
    }

    @EveryNight
    @ParameterizedTest
    @ValueSource(strings = {"", "read", "submit"})
    void noSpellingOfAPathOpensIt(String words) throws IOException {
        Set<Role> roles = roles(words);
        String key = key(roles);
        for (Map.Entry<String, Needs> line : everything().entrySet()) {
            for (String spelling : spellings(path(line.getKey()))) {
                Answer answer = ask(key, method(line.getKey()), spelling);
                String what = words + " asks " + method(line.getKey()) + " " + spelling + ": " + answer;

                if (!line.getValue().isMetBy(roles)) {
                    assertThat(isTurnedAway(answer, roles)).as(what).isTrue();
                }
                assertThat(answer.status()).as(what).isBetween(200, 499);
            }
        }
    }

    private static List<String> spellings(String path) {
        String inside = path.substring(1);
        int last = path.lastIndexOf('/') + 1;
        List<String> spellings = new ArrayList<>(List.of(
                "/" + path,
                "///" + inside,
                "/." + path,
                "/nothing/.." + path,
                "/dashboard/.." + path,
                "/dashboard/%2e%2e" + path,
                "/dashboard/..;" + path,
                "/dashboard;/.." + path,
                "/dashboard/..%2f" + inside,
                "/dashboard/..%5c" + inside,
                "/dashboard/%252e%252e" + path,
                "/actuator/health/../.." + path,
                "/swagger-ui/..;a=b" + path,
                "/;a" + path,
                path + "/",
                path + "/.",
                path + "/x/..",
                path + ";a=b",
                path + ";/dashboard/main.js",
                path + ";.css",
                path + ".json",
                path + ".css",
                path + "%00",
                path + "%20",
                path + "%0a",
                path + "%2f",
                path + "%23",
                path + "%3b",
                path + "?a=/dashboard/main.js",
                path.substring(0, last) + path.substring(last).toUpperCase(java.util.Locale.ROOT),
                path.substring(0, last) + ";a=b/" + path.substring(last),
                path.substring(0, last) + "/" + path.substring(last),
                "http://localhost" + path,
                "http://localhost/dashboard/.." + path));
        if (last < path.length()) {
            spellings.add(path.substring(0, last)
                    + String.format(java.util.Locale.ROOT, "%%%02x", (int) path.charAt(last))
                    + path.substring(last + 1));
        }
        return spellings;
    }

    /// Headers by which some servers let a caller name another method or path.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "X-Original-URL: /api/v1/keys",
                "X-Rewrite-URL: /api/v1/keys",
                "X-Forwarded-Prefix: /dashboard",
                "X-Forwarded-Uri: /index.html",
                "X-HTTP-Method-Override: GET",
                "X-Method-Override: GET",
                "Forwarded: for=127.0.0.1;host=localhost;proto=https",
                "X-Forwarded-For: 127.0.0.1",
                "X-Forwarded-User: admin",
                "X-Remote-User: admin",
                "X-Requested-With: XMLHttpRequest",
                "Authorization: Bearer"
            })
    void noHeaderNamesAnotherPathOrCaller(String header) throws IOException {
        for (String path : List.of("/api/v1/keys", "/api/v1/optimizations", "/actuator/prometheus")) {
            Answer answer = raw("GET " + path, header + "\r\n");

            assertThat(answer.status()).as(path).isEqualTo(401);
        }
        assertThat(raw("GET /", header + "\r\n").body()).doesNotContain("created_at");
    }

    /// Nobody, who reads, another submitter, its owner, another with both roles, an admin.
    @ParameterizedTest
    @CsvSource({
        "GET,    '',                  401, 200, 404, 200, 200, 200",
        "HEAD,   '',                  401, 200, 404, 200, 200, 200",
        "GET,    /result,             401, 200, 404, 200, 200, 200",
        "HEAD,   /result,             401, 200, 404, 200, 200, 200",
        "GET,    /curves,             401, 200, 404, 200, 200, 200",
        "GET,    /events,             401, 200, 404, 200, 200, 200",
        "GET,    /launch?engine=vllm, 401, 200, 404, 200, 200, 200",
        "GET,    /launch/engines,     401, 200, 404, 200, 200, 200",
        "GET,    /shares,             401, 403, 404, 200, 403, 200",
        "POST,   /shares,             401, 403, 404, 201, 403, 201",
        "POST,   /cancel,             401, 403, 404, 200, 403, 200",
        "PATCH,  '',                  401, 403, 404, 200, 403, 200",
        "DELETE, '',                  401, 403, 404, 204, 403, 204"
    })
    void aJobIsItsOwnersAndTheReaders(
            String method, String part, int nobody, int read, int another, int owner, int both, int admin)
            throws IOException {
        String owners = key(Role.SUBMIT);
        List<Map.Entry<String, Integer>> callers = List.of(
                Map.entry("", nobody),
                Map.entry(key(Role.READ), read),
                Map.entry(key(Role.SUBMIT), another),
                Map.entry(owners, owner),
                Map.entry(key(Role.READ, Role.SUBMIT), both),
                Map.entry(key(Role.ADMIN), admin));
        for (Map.Entry<String, Integer> caller : callers) {
            String job = finished(owners);

            Answer answer = ask(caller.getKey(), method, job + part);

            assertThat(answer.status())
                    .as(callers.indexOf(caller) + ": " + answer)
                    .isEqualTo(caller.getValue());
        }
    }

    private String finished(String key) {
        return jsonAs(key, PREFILL)
                .header("Prefer", "wait=600")
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(200)
                .extract()
                .header("Location");
    }

    private static void requireGuarded(Answer answer, boolean allowed, Set<Role> roles, String what) {
        assertThat(isTurnedAway(answer, roles) && answer.status() != 404 && answer.status() != 400)
                .as(what + ": " + answer)
                .isEqualTo(!allowed);
        assertThat(answer.status()).as(what + ": " + answer).isBetween(200, 501);
        assertThat(answer.status()).as(what + ": " + answer).isNotEqualTo(500);
    }

    /// By who asks, or because the address cannot be one; whoever has a key is also told that there is nothing.
    private static boolean isTurnedAway(Answer answer, Set<Role> roles) {
        return switch (answer.status()) {
            case 400 -> !answer.body().contains("\"errors\"");
            case 401 -> roles.isEmpty();
            case 403 -> answer.header("WWW-Authenticate").orElse("").contains("insufficient_scope");
            case 404 ->
                !roles.isEmpty() && (answer.body().isEmpty() || answer.body().contains("There is nothing at"));
            default -> false;
        };
    }

    private Answer ask(String key, String method, String target) throws IOException {
        return raw(method + " " + target, key.isEmpty() ? "" : "Authorization: Bearer " + key + "\r\n");
    }

    private Answer raw(String line, String header) throws IOException {
        boolean stream = line.contains("/events");
        boolean posts = line.startsWith("P");
        String request = line + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" + header
                + (posts ? "Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}" : "\r\n");
        RawHttp http = new RawHttp(port, PATIENCE);
        return stream ? http.begin(request) : http.send(request);
    }

    private String key(Set<Role> roles) {
        return roles.isEmpty()
                ? ""
                : keys().create("caller-" + UUID.randomUUID(), roles, Duration.ofDays(1))
                        .key()
                        .reveal();
    }

    private static Set<Role> roles(String words) {
        Set<Role> roles = EnumSet.noneOf(Role.class);
        Stream.of(words.split(" ", -1)).flatMap(word -> Role.of(word).stream()).forEach(roles::add);
        return roles;
    }
}

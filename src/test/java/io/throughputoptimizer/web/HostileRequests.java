package io.throughputoptimizer.web;

import static io.throughputoptimizer.web.HostileDocuments.pick;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.throughputoptimizer.web.ApiDescription.Operation;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map.Entry;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import tools.jackson.databind.JsonNode;

/// Makes requests from the API description, good, nearly good and hostile ones. The same random numbers make the same
/// requests, but for the ids of jobs.
final class HostileRequests {
    private static final List<String> ACCEPTS = List.of(
            "*/*",
            "application/json",
            "text/plain",
            "text/csv",
            "image/svg+xml",
            "text/html",
            "application/*",
            "a",
            ";;q",
            "text/plain;q=0.1, application/json;q=2",
            "application/problem+json");
    private static final List<String> TYPES = List.of(
            "application/json",
            "application/yaml",
            "text/plain",
            "application/json; charset=utf-16",
            "a/b",
            "multipart/form-data",
            "application/x-www-form-urlencoded",
            "application/json;charset=nonsense",
            "");
    private static final List<String> ODD_HEADERS = List.of(
            "X-Odd: \u0080\u00ff",
            "Content-Encoding: gzip",
            "Content-Encoding: br",
            "Transfer-Encoding: gzip, chunked",
            "Expect: 100-continue",
            "If-None-Match: *",
            "Range: bytes=0-1",
            "Prefer: wait=-1",
            "Prefer: wait=99999999999",
            "Prefer: wait",
            "Idempotency-Key: a b",
            "Idempotency-Key: k",
            "Idempotency-Key: \u0001",
            "X-Forwarded-Host: evil.example",
            "Cookie: a=b; c",
            "Connection: upgrade",
            "Upgrade: h2c",
            "Content-Length: 5",
            "X-Long: " + "y".repeat(20_000),
            "Accept-Language: " + "de,".repeat(500),
            "Origin: null",
            "Authorization: Bearer x",
            " folded: header",
            "noColon");
    private static final List<String> ODD_PATHS = List.of(
            "/",
            "/index.html",
            "/favicon.svg",
            "/dashboard/",
            "/nothing",
            "/api",
            "/api/v1",
            "/api/v1/",
            "/api/v2/optimizations",
            "/actuator",
            "/actuator/health",
            "/actuator/health/liveness",
            "/actuator/env",
            "/actuator/prometheus",
            "/swagger-ui.html",
            "/swagger-ui/index.html",
            "/swagger-ui/nothing",
            "/v3/api-docs",
            "/v3/api-docs.yaml",
            "/v3/api-docs/nothing",
            "/error",
            "/%ff",
            "/%00",
            "/..%2f..%2fetc/passwd",
            "//api/v1/models",
            "/api/v1/models/a",
            "/api/v1/models/a/b/c",
            "/api/v1/models/Qwen%2FQwen3-8B",
            "/api/v1/devices/%F0%9F%92%A9",
            "/api/v1/devices/" + "d".repeat(3_000),
            "/api/v1/optimizations/;a=b",
            "/api/v1/devices/..;/x",
            "*",
            "http://evil.example/api/v1/devices",
            "/api/v1/devices?" + "a=b&".repeat(2_000));
    private static final List<String> ODD_QUERIES = List.of(
            "",
            "?status=queued",
            "?status=%ff",
            "?status=" + "queued,".repeat(500),
            "?status=a&status=b",
            "?limit=0",
            "?limit=101",
            "?limit=100",
            "?limit=99999999999",
            "?limit=1.5",
            "?limit=",
            "?cursor=x",
            "?cursor=00000000-0000-0000-0000-000000000000",
            "?cursor=%00",
            "?a[]=1",
            "?%=%",
            "?status=running&limit=3&cursor=ffffffff-ffff-ffff-ffff-ffffffffffff");
    /// Most often submitted to, as what everything else is about.
    private static final String JOBS = "/api/v1/optimizations";

    /// Tokens of links that there are not.
    private static final List<String> LINKS = List.of(
            "",
            "tps_",
            "tps_0123456789abcdef_" + "A".repeat(43),
            "tpo_0123456789abcdef_" + "A".repeat(43),
            "tps_0123456789abcdef_" + "A".repeat(42) + "'",
            "tps_' OR '1'='1",
            "00000000-0000-4000-8000-000000000000",
            "x".repeat(3_000),
            "\u00ff");

    private static final List<String> METHODS =
            List.of("HEAD", "OPTIONS", "TRACE", "PUT", "PATCH", "CONNECT", "BREW", "get", "DELETE", "");

    private static final String BAD_CHUNK = String.join(
            "\r\n",
            "POST /api/v1/estimates HTTP/1.1",
            "Host: localhost",
            "Connection: close",
            "Content-Type: application/json",
            "Transfer-Encoding: chunked",
            "",
            "zz",
            "{}",
            "0",
            "",
            "");

    private final List<Operation> operations;
    private final List<Operation> submissions;
    private final HostileDocuments documents;
    private final List<String> names;
    private final Function<RandomGenerator, String> jobs;

    /// @param text what is sent, one char a byte
    /// @param stream whether the answer may last
    /// @param wellFormed whether it is HTTP, so that an answer is owed
    record HostileRequest(String text, boolean stream, boolean wellFormed) {
        @Override
        public String toString() {
            return text.length() < 2_000 ? text : text.substring(0, 2_000) + "... " + text.length() + " bytes";
        }
    }

    /// @param jobs gives an id of a job, known or not
    HostileRequests(
            ApiDescription api,
            HostileDocuments documents,
            List<String> names,
            Function<RandomGenerator, String> jobs) {
        this.operations = api.operations();
        this.submissions = operations.stream()
                .filter(HostileRequests::takesBody)
                .flatMap(post -> Collections.nCopies(post.path().equals(JOBS) ? 2 : 1, post).stream())
                .toList();
        this.documents = documents;
        this.names = names;
        this.jobs = jobs;
    }

    HostileRequest next(RandomGenerator random) {
        return switch (random.nextInt(24)) {
            case 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 -> submission(random);
            case 10, 11, 12, 13, 14 -> reading(random);
            case 15 -> odd(random, "GET " + pick(ODD_PATHS, random));
            case 16 -> odd(random, pick(METHODS, random) + " " + path(pick(operations, random), random));
            case 17 -> odd(random, "GET /api/v1/optimizations" + pick(ODD_QUERIES, random));
            case 18 -> broken(random);
            case 19 -> post("/api/v1/optimizations", HostileSizes.document(random), "application/json", random);
            case 20 -> post("/api/v1/length-distributions/from-trace", HostileSizes.trace(random), "text/csv", random);
            case 21 ->
                new HostileRequest(
                        request("HEAD /api/v1/optimizations/" + jobs.apply(random) + "/events", "", "", random).text,
                        false,
                        true);
            case 22 ->
                post(
                        MeasurementController.FILES
                                + "?model_id=Qwen/Qwen3-8B&device=H100_SXM&scheme=FP8&backend=vllm&version=1&tp=1",
                        HostileSizes.resultFile(random),
                        pick(
                                List.of("application/json", "application/x-ndjson", "application/yaml", "text/csv"),
                                random),
                        random);
            default -> cut(submission(random), random);
        };
    }

    private HostileRequest submission(RandomGenerator random) {
        Operation post = pick(submissions, random);
        JsonNode content = post.node().required("requestBody").required("content");
        if (!content.has("application/yaml")) {
            return text(post, content, random);
        }
        boolean yaml = random.nextInt(6) == 0;
        JsonNode type = content.required(yaml ? "application/yaml" : "application/json");
        List<JsonNode> examples =
                ApiDescription.examples(content.required("application/json")).toList();
        JsonNode document =
                random.nextInt(3) == 0 ? documents.valid(type.required("schema"), random) : pick(examples, random);
        JsonNode sent = random.nextInt(3) == 0 ? document : documents.spoilt(document, random);
        byte[] body = HostileDocuments.written(sent, random).getBytes(UTF_8);
        if (random.nextInt(12) == 0) {
            body[random.nextInt(body.length)] = (byte) random.nextInt(256);
        }
        String contentType = random.nextInt(12) == 0 ? pick(TYPES, random) : "application/" + (yaml ? "yaml" : "json");
        String prefer = random.nextInt(3) == 0 ? "Prefer: wait=1\r\n" : "";
        return request(
                "POST " + path(post, random),
                "Content-Type: " + contentType + "\r\nContent-Length: " + body.length + "\r\n" + prefer,
                new String(body, ISO_8859_1),
                random);
    }

    private static HostileRequest post(String path, String document, String type, RandomGenerator random) {
        return request(
                "POST " + path,
                "Content-Type: " + type + "\r\nContent-Length: " + document.length() + "\r\nPrefer: wait=1\r\n",
                document,
                random);
    }

    /// Lines of an example, again and again, and one wrong byte.
    private static HostileRequest text(Operation post, JsonNode content, RandomGenerator random) {
        List<String> shown = content.propertyStream()
                .filter(type ->
                        ApiDescription.examples(type.getValue()).findAny().isPresent())
                .map(Entry::getKey)
                .toList();
        JsonNode value = pick(
                ApiDescription.examples(content.required(pick(shown, random))).toList(), random);
        String example = value.isString() ? value.asString() : value.toString();
        String type = pick(List.copyOf(content.propertyNames()), random);
        byte[] body = example.repeat(1 + random.nextInt(50)).getBytes(UTF_8);
        if (random.nextBoolean()) {
            body[random.nextInt(body.length)] = (byte) random.nextInt(256);
        }
        String contentType = random.nextInt(12) == 0 ? pick(TYPES, random) : type;
        return request(
                "POST " + post.path()
                        + pick(
                                List.of("", "?bins=1", "?binning=width", "?bins=0", "?binning=%ff", "?format=mooncake"),
                                random),
                "Content-Type: " + contentType + "\r\nContent-Length: " + body.length + "\r\n",
                new String(body, ISO_8859_1),
                random);
    }

    private HostileRequest reading(RandomGenerator random) {
        Operation operation = pick(operations, random);
        if (takesBody(operation)) {
            return submission(random);
        }
        boolean stream = operation.path().endsWith("/events");
        String token =
                operation.path().startsWith("/api/v1/share") ? "Share-Token: " + pick(LINKS, random) + "\r\n" : "";
        HostileRequest request =
                request(operation.method().toUpperCase(Locale.ROOT) + " " + path(operation, random), token, "", random);
        return new HostileRequest(request.text, stream, true);
    }

    private static boolean takesBody(Operation operation) {
        return operation.node().has("requestBody");
    }

    private String path(Operation operation, RandomGenerator random) {
        String path = operation.path();
        if (path.contains("{id}")) {
            path = path.replace("{id}", jobs.apply(random));
        }
        while (path.contains("{")) {
            path = path.replaceFirst("\\{[^}]*}", pick(names, random));
        }
        return path;
    }

    private static HostileRequest request(String line, String headers, String body, RandomGenerator random) {
        String accept = random.nextInt(4) == 0 ? "Accept: " + pick(ACCEPTS, random) + "\r\n" : "";
        String head = line + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" + accept + language(random)
                + headers + "\r\n";
        return new HostileRequest(head + body, false, true);
    }

    /// Any of half a million languages, most of which nobody speaks, or none.
    private static String language(RandomGenerator random) {
        if (random.nextBoolean()) {
            return "";
        }
        StringBuilder tag = new StringBuilder("Accept-Language: ");
        for (int place = 0; place < 5; place++) {
            tag.append(place == 2 ? '-' : (char) ('a' + random.nextInt(26)));
        }
        return tag.append(pick(List.of("", ";q=0.3", ", *;q=0", "-x", "-u-nu-"), random))
                .append("\r\n")
                .toString();
    }

    /// With any header; some make it something else than HTTP.
    private static HostileRequest odd(RandomGenerator random, String line) {
        return new HostileRequest(request(line, pick(ODD_HEADERS, random) + "\r\n", "", random).text, true, false);
    }

    private static HostileRequest broken(RandomGenerator random) {
        String text = switch (random.nextInt(5)) {
            case 0 -> "GET /\r\n\r\n";
            case 1 -> "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
            case 2 -> BAD_CHUNK;
            case 3 -> "GET /api/v1/models HTTP/1.1\r\nHost: localhost\r\n" + "X-A: b\r\n".repeat(300) + "\r\n";
            default -> {
                byte[] noise = new byte[1 + random.nextInt(400)];
                random.nextBytes(noise);
                yield new String(noise, ISO_8859_1);
            }
        };
        return new HostileRequest(text, true, false);
    }

    /// Only its beginning.
    private static HostileRequest cut(HostileRequest request, RandomGenerator random) {
        return new HostileRequest(
                request.text.substring(0, 1 + random.nextInt(request.text.length())), request.stream, false);
    }
}

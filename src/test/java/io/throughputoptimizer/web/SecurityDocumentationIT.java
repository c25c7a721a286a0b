package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import io.throughputoptimizer.api.key.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// The calls that the page about keys and links shows are answered, one after the other.
class SecurityDocumentationIT extends SecuredTest {
    private static final Pattern CALL = Pattern.compile(
            "^curl -s(?: -X (?<method>\\w+))? localhost:8080(?<path>\\S+) -H \"(?<header>[\\w-]+): (?<scheme>Bearer )?\\$(?<name>\\w+)\""
                    + "(?: -H '(?<other>[\\w-]+): (?<value>[^']+)')?(?: -d '(?<body>.*)')?$",
            Pattern.MULTILINE);

    @Test
    void everyCallIsAnswered() throws IOException {
        Map<String, String> said = new HashMap<>(Map.of("ADMIN", key(Role.ADMIN), "KEY", key(Role.SUBMIT)));
        String job = jsonAs(Objects.requireNonNull(said.get("KEY")), PREFILL)
                .header("Prefer", "wait=600")
                .post(OPTIMIZATIONS)
                .then()
                .statusCode(200)
                .extract()
                .path("id");
        said.put("JOB", job);
        Matcher call = CALL.matcher(Files.readString(Path.of("docs", "how-to", "secure.md")));
        int calls = 0;
        while (call.find()) {
            Response answer = answer(call, said);
            assertThat(answer.statusCode()).as(call.group()).isBetween(200, 204);
            if (call.group("body") != null) {
                said.put("ID", answer.path("id"));
                said.put("SHARE", answer.path("id"));
                String token = answer.path("token");
                said.put("TOKEN", token == null ? "" : token);
            }
            calls++;
        }
        assertThat(calls).isEqualTo(4);
    }

    private Response answer(Matcher call, Map<String, String> said) {
        String path = call.group("path");
        for (Map.Entry<String, String> name : said.entrySet()) {
            path = path.replace("$" + name.getKey(), name.getValue());
        }
        String scheme = Objects.requireNonNullElse(call.group("scheme"), "");
        RequestSpecification request =
                api().header(call.group("header"), scheme + Objects.requireNonNull(said.get(call.group("name"))));
        if (call.group("other") != null) {
            request.header(call.group("other"), call.group("value"));
        }
        String body = call.group("body");
        String method = call.group("method");
        return (body == null ? request : request.body(body))
                .request(method == null ? (body == null ? "GET" : "POST") : method, path);
    }
}

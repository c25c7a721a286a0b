package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import io.throughputoptimizer.api.key.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// The calls that the page about keys shows are answered, one after the other.
class SecurityDocumentationIT extends SecuredTest {
    private static final Pattern CALL = Pattern.compile(
            "^curl -s(?: -X (\\w+))? localhost:8080(\\S+) -H \"Authorization: Bearer \\$(\\w+)\"(?: -H 'Content-Type: application/json' -d '(.*)')?$",
            Pattern.MULTILINE);

    @Test
    void everyCallIsAnswered() throws IOException {
        Map<String, String> keys = Map.of("ADMIN", key(Role.ADMIN), "KEY", key(Role.SUBMIT));
        Matcher call = CALL.matcher(Files.readString(Path.of("docs", "security.md")));
        String id = "";
        int calls = 0;
        while (call.find()) {
            RequestSpecification request = as(Objects.requireNonNull(keys.get(call.group(3))));
            String body = call.group(4);
            String method = call.group(1) == null ? (body == null ? "GET" : "POST") : call.group(1);
            Response answer = (body == null
                            ? request
                            : request.contentType("application/json").body(body))
                    .request(method, call.group(2).replace("$ID", id));
            assertThat(answer.statusCode()).as(call.group()).isBetween(200, 204);
            id = body == null ? id : answer.path("id");
            calls++;
        }
        assertThat(calls).isEqualTo(5);
    }
}

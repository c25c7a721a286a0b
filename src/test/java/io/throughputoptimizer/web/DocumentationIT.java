package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;

import io.restassured.http.Header;
import io.restassured.http.Headers;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The commands of the documentation run, and the service answers what the documentation shows.
///
/// What a page shows as it came is compared byte for byte. What went through jq is looked for in the answer instead:
/// an object or array, or some members of an object, must be a part of it, or the values of an array made by jq must
/// all stand in one object of it.
class DocumentationIT extends HttpTest {
    private static final Path COMMAND_LINES = Path.of("src", "test", "resources", "command-lines.md");
    private static final Path UNSHOWN = Path.of("src", "test", "resources", "documented-calls.md");

    /// A text of JSON, or a number.
    private static final Pattern NUMBER =
            Pattern.compile("\"(?:[^\"\\\\]|\\\\.)*+\"|(-?\\d+(?:\\.\\d+)?(?:[eE][-+]?\\d+)?)");

    /// A search that is submitted, and the call that ends it.
    private static final Pattern CANCELLED = Pattern.compile(
            "^JOB=.* -d '([^']*)'.*\ncurl -s -X POST localhost:8080(/\\S*\\$JOB/\\S*)", Pattern.MULTILINE);

    static Stream<DocumentedCall> calls() throws IOException {
        try (Stream<Path> docs = Files.walk(Path.of("docs"))) {
            List<DocumentedCall> calls = new ArrayList<>();
            for (Path page : Stream.concat(
                            docs.filter(page -> page.toString().endsWith(".md")).sorted(),
                            Stream.of(Path.of("README.md"), COMMAND_LINES, UNSHOWN))
                    .toList()) {
                calls.addAll(DocumentedCall.in(page));
            }
            return calls.stream();
        }
    }

    static Stream<DocumentedCall> answersAsTheyCame() throws IOException {
        return calls().filter(call -> call.output() != null && call.filter() == null);
    }

    static Stream<DocumentedCall> filteredAnswers() throws IOException {
        return calls().filter(call -> call.output() != null && call.filter() != null);
    }

    static Stream<DocumentedCall> answersNotShown() throws IOException {
        return calls().filter(call -> call.output() == null);
    }

    @ParameterizedTest
    @MethodSource("answersAsTheyCame")
    void theAnswerIsTheOneShown(DocumentedCall call) {
        assertThat(answer(call).asString().replace("\r\n", "\n")).isEqualTo(call.output());
    }

    @ParameterizedTest
    @MethodSource("filteredAnswers")
    void whatIsShownIsPartOfTheAnswer(DocumentedCall call) {
        JsonNode answer = read(answer(call).asString());

        List<JsonNode> parts = parts(answer);
        List<JsonNode> shown = values(Objects.requireNonNull(call.output()));
        assertThat(shown).isNotEmpty().allSatisfy(value -> {
            if (value.isArray() && !parts.contains(value)) {
                assertThat(parts)
                        .anyMatch(part -> part.isObject()
                                && scalars(part).containsAll(value.valueStream().toList()));
            } else {
                assertThat(parts).anyMatch(part -> isPart(value, part));
            }
        });
    }

    @ParameterizedTest
    @MethodSource("answersNotShown")
    void aCallWithoutOutputSucceeds(DocumentedCall call) {
        answer(call);
    }

    @Test
    void aSearchIsCancelledAsShown() throws IOException {
        Matcher shown = CANCELLED.matcher(Files.readString(COMMAND_LINES));
        assertThat(shown.find()).isTrue();
        String job = json(shown.group(1)).post(OPTIMIZATIONS).then().extract().path("id");

        api().post(shown.group(2).replace("$JOB", job)).then().statusCode(202).body("id", equalTo(job));
    }

    @Test
    void pagesShowCalls() throws IOException {
        assertThat(calls().map(DocumentedCall::page))
                .contains("README.md", "first-plan.md", "command-lines.md", "documented-calls.md")
                .hasSizeGreaterThan(40);
    }

    private Response answer(DocumentedCall call) {
        List<Header> headers = call.headers().stream()
                .map(header -> header.split(": ", 2))
                .map(parts -> new Header(parts[0], parts[1]))
                .toList();
        RequestSpecification request = api().headers(new Headers(headers)).urlEncodingEnabled(false);
        String path = withIds(call.path(), call);
        Response answer = call.body() == null
                ? request.get(path)
                : request.body(withIds(call.body(), call).getBytes(StandardCharsets.UTF_8))
                        .post(path);
        boolean refused = call.filter() != null && call.filter().startsWith(".errors");
        int taken = path.startsWith(MeasurementController.PATH) ? 201 : 200;
        assertThat(answer.statusCode()).as(call.toString()).isEqualTo(refused ? 400 : taken);
        return answer;
    }

    /// Returns a text with the ids of its variables.
    private String withIds(String text, DocumentedCall call) {
        String result = text;
        for (Map.Entry<String, DocumentedCall> variable : call.variables().entrySet()) {
            String name = "$" + variable.getKey();
            if (result.contains(name)) {
                result = result.replace(name, answer(variable.getValue()).path("id"));
            }
        }
        return result;
    }

    /// One value over several lines, or one a line.
    private static List<JsonNode> values(String output) {
        Stream<String> values =
                output.startsWith("{\n") || output.startsWith("[\n") ? Stream.of(output) : output.lines();
        return values.map(DocumentationIT::read).toList();
    }

    /// With numbers by their value alone, since jq prints 50.0 as 50.
    private static JsonNode read(String json) {
        return JsonMapper.shared()
                .readTree(NUMBER.matcher(json)
                        .replaceAll(number -> number.group(1) == null
                                ? Matcher.quoteReplacement(number.group())
                                : new BigDecimal(number.group(1))
                                        .stripTrailingZeros()
                                        .toPlainString()));
    }

    /// Returns whether a shown value is a node, or an object that jq made of some members of it.
    private static boolean isPart(JsonNode shown, JsonNode node) {
        return shown.equals(node)
                || (shown.isObject()
                        && !shown.isEmpty()
                        && shown.properties().stream()
                                .allMatch(member -> member.getValue().equals(node.get(member.getKey()))));
    }

    /// A node and everything below it.
    private static List<JsonNode> parts(JsonNode node) {
        List<JsonNode> parts = new ArrayList<>(List.of(node));
        node.forEach(child -> parts.addAll(parts(child)));
        return parts;
    }

    /// Values of an object, and of the objects that are its members.
    private static List<JsonNode> scalars(JsonNode object) {
        return object.valueStream()
                .flatMap(value -> value.isContainer() ? value.valueStream() : Stream.of(value))
                .filter(JsonNode::isValueNode)
                .toList();
    }
}

package io.throughputoptimizer.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;

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
import java.util.regex.MatchResult;
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
/// an object or array must be a part of it, or the values of an array made by jq must all stand in one object of it.
class DocumentationIT extends HttpTest {
    private static final Path README = Path.of("README.md");
    private static final Path START = Path.of("docs", "start.md");
    private static final Path FROM_THE_CLI = Path.of("docs", "from-the-cli.md");
    private static final Path EXAMPLES = Path.of("docs", "examples.md");

    private static final Path MODELS = Path.of("docs", "models.md");

    private static final Path LENGTHS = Path.of("docs", "lengths.md");

    private static final Path CONVERSATIONS = Path.of("docs", "conversations.md");

    private static final Path TRACES = Path.of("docs", "traces.md");

    private static final Path EXPLAIN = Path.of("docs", "explain.md");

    private static final Path OBJECTIVE = Path.of("docs", "objective.md");

    private static final Path CAPACITY = Path.of("docs", "capacity.md");

    private static final Path PORTFOLIOS = Path.of("docs", "portfolios.md");

    private static final Path SILICON = Path.of("docs", "silicon.md");

    private static final Path LAUNCH = Path.of("docs", "launch.md");

    private static final Path MEMORY = Path.of("docs", "memory.md");

    private static final Path ENGINE_LOGS = Path.of("docs", "engine-logs.md");

    private static final Path FEEDBACK = Path.of("docs", "feedback.md");

    private static final Path CLIENTS = Path.of("docs", "clients.md");

    private static final Path UNSHOWN = Path.of("src", "test", "resources", "documented-calls.md");

    /// A search, and what starts its row.
    private static final Pattern LAUNCHED = Pattern.compile(
            "^JOB=[^\n]* -d '([^']*)'[^\n]*\ncurl [^\n]*\"localhost:8080(\\S+)\"\n```\n\n```\n(.*?)^```$",
            Pattern.DOTALL | Pattern.MULTILINE);

    /// A call that reads, shown within a sentence.
    private static final Pattern INLINE = Pattern.compile("`curl -s localhost:8080(\\S+)`");

    /// A text of JSON, or a number.
    private static final Pattern NUMBER =
            Pattern.compile("\"(?:[^\"\\\\]|\\\\.)*+\"|(-?\\d+(?:\\.\\d+)?(?:[eE][-+]?\\d+)?)");

    private static final Pattern READ = Pattern.compile("^curl -s localhost:8080(/\\S+)$", Pattern.MULTILINE);

    /// A search that is submitted, and the call that ends it.
    private static final Pattern CANCELLED = Pattern.compile(
            "^JOB=.* -d '([^']*)'.*\ncurl -s -X POST localhost:8080(/\\S*\\$JOB/\\S*)", Pattern.MULTILINE);

    static Stream<DocumentedCall> answersAsTheyCame() throws IOException {
        return calls().filter(call -> call.filter() == null);
    }

    static Stream<DocumentedCall> filteredAnswers() throws IOException {
        return calls().filter(call -> call.filter() != null);
    }

    private static Stream<DocumentedCall> calls() throws IOException {
        List<DocumentedCall> calls = new ArrayList<>();
        for (Path page : List.of(
                README,
                FROM_THE_CLI,
                EXAMPLES,
                MODELS,
                EXPLAIN,
                OBJECTIVE,
                CAPACITY,
                PORTFOLIOS,
                TRACES,
                LENGTHS,
                CONVERSATIONS,
                MEMORY,
                ENGINE_LOGS,
                FEEDBACK,
                CLIENTS,
                UNSHOWN)) {
            calls.addAll(DocumentedCall.in(page));
        }
        DocumentedCall.in(SILICON).stream().filter(call -> call.body() != null).forEach(calls::add);
        return calls.stream();
    }

    @ParameterizedTest
    @MethodSource("answersAsTheyCame")
    void theAnswerIsTheOneShown(DocumentedCall call) {
        assertThat(answer(call).asString()).isEqualTo(call.output());
    }

    @ParameterizedTest
    @MethodSource("filteredAnswers")
    void whatIsShownIsPartOfTheAnswer(DocumentedCall call) {
        JsonNode answer = read(answer(call).asString());

        List<JsonNode> parts = parts(answer);
        List<JsonNode> shown = values(call.output());
        assertThat(shown).isNotEmpty().allSatisfy(value -> {
            if (value.isArray() && !parts.contains(value)) {
                assertThat(parts)
                        .anyMatch(part -> part.isObject()
                                && scalars(part).containsAll(value.valueStream().toList()));
            } else {
                assertThat(parts).contains(value);
            }
        });
    }

    @Test
    void aSearchIsCancelledAsShown() throws IOException {
        Matcher shown = CANCELLED.matcher(Files.readString(FROM_THE_CLI));
        assertThat(shown.find()).isTrue();
        String job = json(shown.group(1)).post(OPTIMIZATIONS).then().extract().path("id");

        api().post(shown.group(2).replace("$JOB", job)).then().statusCode(202).body("id", equalTo(job));
    }

    @Test
    void aTableOfAnExplanationIsAsShown() throws IOException {
        Matcher shown = LAUNCHED.matcher(Files.readString(EXPLAIN));
        assertThat(shown.find()).isTrue();
        String job = optimize(shown.group(1)).extract().path("id");
        String table = api().accept("text/csv")
                .get(shown.group(2).replace("$JOB", job))
                .then()
                .statusCode(200)
                .extract()
                .asString();
        assertThat(table.replace("\r\n", "\n")).isEqualTo(shown.group(3));
    }

    @Test
    void rowsAreStartedAsShown() throws IOException {
        List<MatchResult> shown = LAUNCHED.matcher(Files.readString(LAUNCH) + Files.readString(UNSHOWN))
                .results()
                .toList();
        assertThat(shown).hasSize(6).allSatisfy(example -> {
            String job = optimize(example.group(1)).extract().path("id");
            api().accept("text/plain, */*;q=0.1")
                    .get(example.group(2).replace("$JOB", job))
                    .then()
                    .statusCode(200)
                    .body(equalTo(example.group(3)));
        });
    }

    /// Of each the page shows the lines that start a server.
    @Test
    void whatIsNotKeptIsStartedAsShown() throws IOException {
        List<DocumentedCall> shown = DocumentedCall.in(LAUNCH);
        assertThat(shown).hasSize(2).allSatisfy(call -> {
            String answer = answer(call).asString();
            assertThat(
                            answer.startsWith("{")
                                    ? read(answer).at("/launch/script").asString()
                                    : answer)
                    .contains(call.output().strip());
        });
    }

    /// Whoever wants a spreadsheet starts from its first line.
    @Test
    void aSpreadsheetIsAskedForAsShown() throws IOException {
        List<DocumentedCall> shown = DocumentedCall.in(START);
        assertThat(shown).hasSize(1);
        String values = answer(shown.getFirst()).asString();
        assertThat(values.lines().findFirst())
                .hasValue(shown.getFirst().output().strip());
        assertThat(values.lines().count()).isGreaterThan(1);
    }

    @Test
    void theAccuracyIsReadAsShown() throws IOException {
        Matcher shown = READ.matcher(Files.readString(SILICON));
        assertThat(shown.find()).isTrue();

        api().get(shown.group(1)).then().statusCode(200).body("summary.servers", hasItem("dense"));
    }

    @Test
    void strategiesAreListedAsShown() throws IOException {
        Matcher shown = INLINE.matcher(Files.readString(FROM_THE_CLI));
        assertThat(shown.find()).isTrue();

        api().get(shown.group(1)).then().statusCode(200).body("strategies.name", hasItem("exhaustive"));
    }

    @Test
    void everyPageShowsSomething() throws IOException {
        assertThat(DocumentedCall.in(README)).hasSize(2);
        assertThat(DocumentedCall.in(FROM_THE_CLI)).hasSize(7);
        assertThat(DocumentedCall.in(EXAMPLES)).hasSize(20);
        assertThat(DocumentedCall.in(MODELS)).isNotEmpty();
        assertThat(DocumentedCall.in(EXPLAIN)).hasSize(10);
        assertThat(DocumentedCall.in(OBJECTIVE)).hasSize(6);
        assertThat(DocumentedCall.in(CAPACITY)).hasSize(8);
        assertThat(DocumentedCall.in(SILICON)).hasSize(8);
        assertThat(DocumentedCall.in(MEMORY)).hasSize(1);
        assertThat(DocumentedCall.in(TRACES)).hasSize(5);
        assertThat(DocumentedCall.in(CLIENTS)).hasSize(1);
        assertThat(DocumentedCall.in(UNSHOWN)).hasSize(14);
    }

    private Response answer(DocumentedCall call) {
        List<Header> headers = call.headers().stream()
                .map(header -> header.split(": ", 2))
                .map(parts -> new Header(parts[0], parts[1]))
                .toList();
        RequestSpecification request = api().headers(new Headers(headers));
        Response answer = call.body() == null
                ? request.get(call.path())
                : request.body(call.body().getBytes(StandardCharsets.UTF_8)).post(call.path());
        boolean refused = call.filter() != null && call.filter().startsWith(".errors");
        int taken = call.path().startsWith(MeasurementController.PATH) ? 201 : 200;
        assertThat(answer.statusCode()).isEqualTo(refused ? 400 : taken);
        return answer;
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

package io.throughputoptimizer.web.frozen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.throughputoptimizer.fixture.BestPlanCheck;
import io.throughputoptimizer.fixture.Nightly;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;

/// Random questions of every area, answered as they were when their files below `golden` were written: the same bytes
/// of JSON, text, CSV, series and plot, and of the commands that start the first row, but for what no two jobs
/// share. By day JSON of every second, and all of it for every sixth.
///
/// - `-Dfrozen.answers.only=AREA` or `AREA/NUMBER` asks these alone.
/// - `-Dfrozen.answers.bodies=DIRECTORY` keeps what is compared, a file for each look at an answer: written at two
///   commits, `diff -r` shows what changed.
/// - `-Dfrozen.answers.write=DIRECTORY` writes the files anew there, after a meant change of answers, and says how many
///   questions of each area were served.
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
class FrozenAnswersIT {
    private static final Pattern ID = Pattern.compile("\"id\":\"([^\"]*)\"");
    private static final String ONLY = System.getProperty("frozen.answers.only", "");
    private static final @Nullable String BODIES = System.getProperty("frozen.answers.bodies");
    private static final @Nullable String WRITE = System.getProperty("frozen.answers.write");

    /// Searches that include the engine's defaults: one in three.
    private static boolean includesDefaults(int number) {
        return number % 3 == 1;
    }

    /// By day JSON is compared of every second answer, and all looks at one of so many.
    private static final int BY_DAY = 6;

    private static final boolean ALL_LOOKS = Nightly.isNow() || WRITE != null || BODIES != null || !ONLY.isEmpty();

    /// Different answers that each look is frozen of, over all areas.
    private static final int FEWEST_LOOKS = 20;

    private static final Locale USUAL = Locale.getDefault();

    @LocalServerPort
    private int port;

    /// Of a machine whose numbers have other digits, which no answer has.
    @BeforeAll
    static void goElsewhere() {
        Locale.setDefault(Locale.forLanguageTag("ar-EG"));
    }

    @AfterAll
    static void comeBack() {
        Locale.setDefault(USUAL);
    }

    /// @param digests of JSON and of each view, in a line
    /// @param filled whether it was served, with lines of values where it has these
    private record Answer(String digests, boolean filled) {}

    @ParameterizedTest(name = "{0}")
    @MethodSource("io.throughputoptimizer.web.frozen.FrozenArea#all")
    void everyAnswerIsWhatItWas(FrozenArea area) throws Exception {
        List<Integer> numbers = IntStream.range(0, area.questions().size())
                .filter(number -> asksFor(area, number))
                .boxed()
                .toList();
        assumeTrue(!numbers.isEmpty());
        List<Answer> answers = answers(area, numbers);
        if (WRITE != null) {
            write(area, answers);
            return;
        }
        List<String> frozen = area.frozen();

        assertThat(frozen).hasSameSizeAs(area.questions());
        String differences = IntStream.range(0, numbers.size())
                .mapToObj(i -> area.difference(
                        numbers.get(i),
                        looks(numbers.get(i), frozen.get(numbers.get(i))),
                        answers.get(i).digests()))
                .filter(Objects::nonNull)
                .limit(20)
                .collect(Collectors.joining("\n"));
        assertThat(differences).isEmpty();
        if (ALL_LOOKS && ONLY.isEmpty()) {
            assertThat(answers).filteredOn(Answer::filled).hasSizeGreaterThanOrEqualTo((int)
                    (area.leastFilled() * numbers.size()));
        }
    }

    /// What of an answer's digests is compared.
    private static String looks(int number, String digests) {
        return looksAtAll(number) ? digests : digests.split(" ", 2)[0];
    }

    private static boolean looksAtAll(int number) {
        return ALL_LOOKS || number % BY_DAY == 0;
    }

    private static boolean asksFor(FrozenArea area, int number) {
        return ONLY.isEmpty()
                ? ALL_LOOKS || number % 2 == 0
                : ONLY.equals(area.name()) || ONLY.equals(area.name() + "/" + number);
    }

    @Test
    void questionsOfEveryAreaAreServedAndSomeRefused() throws IOException {
        List<String> lines = new ArrayList<>();
        for (FrozenArea area : FrozenArea.all()) {
            List<String> frozen = area.frozen();
            assertThat(frozen)
                    .as(area.name())
                    .filteredOn(line -> line.startsWith("200:"))
                    .hasSizeGreaterThanOrEqualTo((int) (area.leastFilled() * frozen.size()));
            lines.addAll(frozen);
        }
        assertThat(lines).filteredOn(line -> line.startsWith("200:")).hasSizeGreaterThan(lines.size() * 3 / 4);
        assertThat(lines).filteredOn(line -> line.startsWith("400:")).hasSizeGreaterThan(100);
    }

    @Test
    void everyLookIsFrozenOfManyAnswers() throws IOException {
        Map<String, Set<String>> byLook = new TreeMap<>();
        for (FrozenArea area : FrozenArea.all()) {
            List<String> frozen = area.frozen();
            for (int number = 0; number < frozen.size(); number++) {
                List<String> digests = List.of(frozen.get(number).split(" "));
                List<View> views = area.questions().get(number).views();
                for (int look = 1; look < digests.size(); look++) {
                    Set<String> known =
                            byLook.computeIfAbsent(views.get(look - 1).name(), _ -> new HashSet<>());
                    if (digests.get(look).startsWith("200:")) {
                        known.add(digests.get(look));
                    }
                }
            }
        }
        assertThat(byLook).hasSizeGreaterThan(View.REPORTS.size());
        assertThat(byLook).allSatisfy((_, known) -> assertThat(known).hasSizeGreaterThan(FEWEST_LOOKS));
    }

    private static void write(FrozenArea area, List<Answer> answers) throws IOException {
        Path file = Path.of(Objects.requireNonNull(WRITE)).resolve(area.file());
        Files.createDirectories(file.getParent());
        Files.write(file, answers.stream().map(Answer::digests).toList());
        System.out.printf(
                Locale.ROOT,
                "%s: %d questions, %d served, %d filled%n",
                area.name(),
                answers.size(),
                answers.stream()
                        .filter(answer -> answer.digests().startsWith("200:"))
                        .count(),
                answers.stream().filter(Answer::filled).count());
    }

    private List<Answer> answers(FrozenArea area, List<Integer> numbers) throws Exception {
        List<Answer> answers = new ArrayList<>();
        try (HttpClient client = HttpClient.newHttpClient()) {
            for (int number : numbers) {
                answers.add(answer(client, area, number));
            }
        }
        return answers;
    }

    /// The status and digest of each look, in one line.
    private Answer answer(HttpClient client, FrozenArea area, int number) throws Exception {
        Question question = area.questions().get(number);
        HttpResponse<String> first = client.send(post(question, number, "application/json"), BodyHandlers.ofString());
        String id = question.isSearch() && first.statusCode() == 200
                ? ID.matcher(first.body())
                        .results()
                        .findFirst()
                        .map(match -> match.group(1))
                        .orElseThrow()
                : "";
        boolean filled = first.statusCode() == 200;
        if (question.isSearch() && filled) {
            assertThat(BestPlanCheck.differences(first.body()))
                    .as("%s/%d: %s", area.name(), number, question)
                    .isEmpty();
        }
        List<String> digests = new ArrayList<>();
        digests.add(digest(area, number, "json", first, id));
        for (View view : filled && looksAtAll(number) ? question.views() : List.<View>of()) {
            HttpResponse<String> response = client.send(look(question, number, view, id), BodyHandlers.ofString());
            digests.add(digest(area, number, view.name(), response, id));
            filled &=
                    !view.name().equals(area.fills()) || response.body().lines().count() > 1;
        }
        return new Answer(String.join(" ", digests), filled);
    }

    private HttpRequest look(Question question, int number, View view, String id) {
        return view.path() == null
                ? post(question, number, view.format())
                : HttpRequest.newBuilder(uri(Question.OPTIMIZATIONS + "/" + id + view.path()))
                        .header("Accept", view.format())
                        .build();
    }

    private HttpRequest post(Question question, int number, String format) {
        boolean defaults = question.isSearch() && includesDefaults(number);
        return HttpRequest.newBuilder(uri(question.path() + (defaults ? ",defaults" : "")))
                .POST(BodyPublishers.ofString(question.body()))
                .header("Content-Type", question.type())
                .header("Accept", format + ", application/problem+json")
                .header("Prefer", "wait=600")
                .build();
    }

    private URI uri(String path) {
        return URI.create("http://localhost:" + port + path);
    }

    private static String digest(FrozenArea area, int number, String look, HttpResponse<String> response, String id)
            throws IOException {
        String body = id.isEmpty() ? response.body() : response.body().replace("/" + id, "/ID");
        String compared = area.masked().of(body);
        if (BODIES != null) {
            Path file = Path.of(BODIES, area.name(), number + "." + look.replace('/', '-'));
            Files.createDirectories(file.getParent());
            Files.writeString(file, compared);
        }
        return Masked.digest(response.statusCode(), compared);
    }
}

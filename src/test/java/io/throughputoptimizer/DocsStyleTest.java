package io.throughputoptimizer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/// Style and links of the documentation, and of the API description.
class DocsStyleTest {
    private static final Path DOCS = Path.of("docs");
    private static final Path INDEX = DOCS.resolve("index.md");
    private static final int MOST_WORDS = 36_000;
    private static final double MOST_WORDS_OF_SENTENCES = 15;
    private static final int LONG_SENTENCE = 25;
    private static final double MOST_LONG_SENTENCES = 0.05;

    /// Descriptions of the API that do not begin with a noun or a verb. May only fall.
    private static final int RIDDLES_LEFT = 0;

    private static final Pattern BANNED = Pattern.compile(
            "\\b(anew|whoever|nobody|of which|so many|as many|at hand|besides?|goes by|is asked|by itself|speaks of)\\b",
            Pattern.CASE_INSENSITIVE);
    private static final Pattern RIDDLE = Pattern.compile("^(Of|The same|What|Whether|Which|That|How|Where|As)\\b.*");
    private static final Pattern FENCED = Pattern.compile("^```.*?^```$", Pattern.DOTALL | Pattern.MULTILINE);
    private static final Pattern NO_PROSE = Pattern.compile("^(\\||#|\\s*<|\\s*src=).*$", Pattern.MULTILINE);
    private static final Pattern ITEM = Pattern.compile("^\\s*(?:[-*]|\\d+\\.) ", Pattern.MULTILINE);
    private static final Pattern LINK = Pattern.compile("]\\((?!\\w+:)([^)#\\s]*)(?:#([^)\\s]+))?\\)");
    private static final Pattern HEADING = Pattern.compile("^#+ (.+)$", Pattern.MULTILINE);
    private static final Pattern MARKUP = Pattern.compile("\\[([^]]*)]\\([^)]*\\)");
    private static final Pattern WORD = Pattern.compile("\\S*[\\p{L}\\p{N}]\\S*");

    static List<Path> pages() throws IOException {
        try (Stream<Path> docs = Files.walk(DOCS)) {
            return Stream.concat(
                            Stream.of(Path.of("README.md"), Path.of("CONTRIBUTING.md")),
                            docs.filter(page -> page.toString().endsWith(".md")).sorted())
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("pages")
    void sentencesAreShort(Path page) {
        String prose =
                ITEM.matcher(NO_PROSE.matcher(withoutCode(page)).replaceAll("")).replaceAll("\n\n");
        List<Long> lengths = Arrays.stream(
                        MARKUP.matcher(prose).replaceAll("$1").split("\n\\s*\n"))
                .flatMap(paragraph -> Arrays.stream(paragraph.split("(?<=[.!?:])\\s+")))
                .map(DocsStyleTest::words)
                .filter(words -> words > 0)
                .toList();

        assertThat(lengths.stream().mapToLong(Long::longValue).average().orElse(0))
                .as("mean words of a sentence")
                .isLessThanOrEqualTo(MOST_WORDS_OF_SENTENCES);
        assertThat((double) lengths.stream()
                        .filter(length -> length > LONG_SENTENCE)
                        .count())
                .as("sentences of more than " + LONG_SENTENCE + " words")
                .isLessThanOrEqualTo(MOST_LONG_SENTENCES * lengths.size());
    }

    /// All pages but the one that repeats descriptions of the API.
    static List<Path> pagesWithoutFields() throws IOException {
        return pages().stream().filter(page -> !page.endsWith("fields.md")).toList();
    }

    @ParameterizedTest
    @MethodSource("pagesWithoutFields")
    void wordsAreThoseOfTheField(Path page) {
        assertThat(BANNED.matcher(withoutCode(page)).results().map(MatchResult::group))
                .isEmpty();
    }

    @Test
    void theDocumentationIsShort() throws IOException {
        assertThat(pages().stream().mapToLong(page -> words(read(page))).sum()).isLessThanOrEqualTo(MOST_WORDS);
    }

    static Stream<Path> linkedPages() throws IOException {
        return Stream.concat(pages().stream(), Stream.of(Path.of("CHANGELOG.md")));
    }

    @ParameterizedTest
    @MethodSource("linkedPages")
    void everyLinkLeadsToAFileAndItsHeading(Path page) {
        assertThat(LINK.matcher(withoutCode(page)).results().filter(link -> !leads(page, link)))
                .extracting(MatchResult::group)
                .isEmpty();
    }

    private static boolean leads(Path page, MatchResult link) {
        Path target = link.group(1).isEmpty()
                ? page
                : page.resolveSibling(link.group(1)).normalize();
        return Files.exists(target) && (link.group(2) == null || anchors(target).contains(link.group(2)));
    }

    private static List<String> anchors(Path page) {
        return HEADING.matcher(withoutCode(page))
                .results()
                .map(heading ->
                        FieldTables.anchor(MARKUP.matcher(heading.group(1)).replaceAll("$1")))
                .toList();
    }

    @Test
    void theIndexNamesEveryPage() throws IOException {
        String index = Files.readString(INDEX);
        assertThat(pages())
                .filteredOn(page ->
                        page.startsWith(DOCS) && !page.equals(INDEX) && !page.startsWith(DOCS.resolve("decisions")))
                .allSatisfy(page -> assertThat(index).contains("](" + DOCS.relativize(page) + ")"));
    }

    @Test
    void descriptionsOfTheApiBeginWithASubject() {
        JsonNode description =
                YAMLMapper.shared().readTree(Path.of("openapi", "openapi.yaml").toFile());
        assertThat(description.findValues("description"))
                .filteredOn(words ->
                        words.isString() && RIDDLE.matcher(words.asString()).find())
                .hasSizeLessThanOrEqualTo(RIDDLES_LEFT);
    }

    private static long words(String text) {
        return WORD.matcher(text).results().count();
    }

    private static String withoutCode(Path page) {
        return FENCED.matcher(read(page)).replaceAll("\n\n");
    }

    private static String read(Path page) {
        try {
            return Files.readString(page);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

package io.throughputoptimizer.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/// What holds of the page's words in another language without a browser.
class DashboardWordsTest {
    private static final Path STATIC = Path.of("src/main/resources/static");
    private static final Path JAVA = Path.of("src/main/java");
    private static final Pattern PLACEHOLDER = Pattern.compile("\\{\\w}");
    private static final Pattern BETWEEN = Pattern.compile("\\{\\w}|\\[[^\\]]*]|[^\\w ’'-]+");
    private static final Pattern CONCATENATION = Pattern.compile("[\"`]\\s*\\+\\s*[\"`]");
    private static final Pattern GLOSSED = Pattern.compile("^\\| ([^|]+) \\| ([^|]+) \\|$", Pattern.MULTILINE);

    /// Names and values are put between the pieces of some phrases by code.
    private static final int MOST_PIECES = 3;

    private static Map<String, String> words() throws IOException {
        return JsonMapper.shared()
                .readValue(
                        Files.readString(STATIC.resolve("dashboard/words/zh.json")),
                        new TypeReference<Map<String, String>>() {});
    }

    @Test
    void phrasesHaveThePlaceholdersOfTheirEnglish() throws IOException {
        assertThat(words()).allSatisfy((english, other) -> {
            assertThat(other).isNotBlank();
            assertThat(placeholders(other)).as(english).isEqualTo(placeholders(english));
        });
    }

    private static Set<String> placeholders(String phrase) {
        return PLACEHOLDER
                .matcher(phrase)
                .results()
                .map(MatchResult::group)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /// Each phrase is made of pieces that the page writes, or the service.
    @Test
    void noPhraseIsLeftBehind() throws IOException {
        String page = Stream.concat(Stream.of(STATIC.resolve("index.html")), files(STATIC.resolve("dashboard"), ".js"))
                .map(DashboardWordsTest::read)
                .collect(Collectors.joining("\n"));
        String service = files(JAVA, ".java").map(DashboardWordsTest::read).collect(Collectors.joining("\n"));

        assertThat(words().keySet())
                .filteredOn(phrase -> !isWritten(phrase, page) && !isWritten(phrase, page + service))
                .isEmpty();
    }

    private static boolean isWritten(String phrase, String sources) {
        return BETWEEN.splitAsStream(phrase)
                .map(String::strip)
                .filter(piece -> !piece.isEmpty())
                .allMatch(piece -> pieces(piece.split(" +"), sources) <= MOST_PIECES);
    }

    /// In how many pieces a text is written, each as long as can be.
    private static int pieces(String[] words, String sources) {
        int pieces = 0;
        int from = 0;
        while (from < words.length) {
            int to = words.length;
            while (to > from && !sources.contains(String.join(" ", Arrays.copyOfRange(words, from, to)))) {
                to--;
            }
            if (to == from) {
                return Integer.MAX_VALUE;
            }
            from = to;
            pieces++;
        }
        return pieces;
    }

    /// Words of the glossary mean the same in the help and in tooltips.
    @Test
    void theHelpHasTheGlossaryOfTheLanguage() throws IOException {
        Map<String, String> words = words();
        List<String> english = glossary("start.md");

        assertThat(english).hasSizeGreaterThan(10);
        assertThat(glossary("start.zh.md"))
                .isEqualTo(english.stream()
                        .map(row -> Arrays.stream(row.split(" \\| "))
                                .map(word -> words.getOrDefault(word, word))
                                .collect(Collectors.joining(" | ")))
                        .toList());
    }

    private static List<String> glossary(String page) throws IOException {
        String text = Files.readString(Path.of("docs", page));
        return GLOSSED.matcher(text.substring(text.lastIndexOf("\n## ")))
                .results()
                .skip(1) // the heading
                .map(row -> row.group(1) + " | " + row.group(2))
                .toList();
    }

    private static Stream<Path> files(Path folder, String ending) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(ending)).toList().stream();
        }
    }

    private static String read(Path file) {
        try {
            return CONCATENATION.matcher(Files.readString(file)).replaceAll("").replaceAll("\\s+", " ");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

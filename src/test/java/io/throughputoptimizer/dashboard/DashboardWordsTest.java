package io.throughputoptimizer.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/// Phrases of the page by their keys, checked without a browser.
class DashboardWordsTest {
    private static final Path STATIC = Path.of("src/main/resources/static");
    private static final Path JAVA = Path.of("src/main/java");
    private static final Path RESOURCES = Path.of("src/main/resources");

    private static final Pattern PLACEHOLDER = Pattern.compile("\\{\\w}");
    private static final Pattern BETWEEN = Pattern.compile("\\{\\w}|\\[[^\\]]*]|[^\\w ’'-]+");
    private static final Pattern CONCATENATION = Pattern.compile("[\"`]\\s*\\+\\s*[\"`]");
    private static final Pattern LOOKUP = Pattern.compile("\\bt\\(\"([^\"]+)\"");
    private static final Pattern QUOTED = Pattern.compile("\"(\\w+\\.\\w+)\"");
    private static final Pattern MARKED = Pattern.compile(" data-t(-[a-z-]+)?=\"([^\"]+)\"");
    private static final Pattern TOKEN = Pattern.compile("<!--.*?-->|<[^>]+>|[^<]+", Pattern.DOTALL);
    private static final Pattern FAMILY = Pattern.compile("\\bt\\(`(\\w+)\\.\\$\\{");

    private static final String VALUE = "value.";
    private static final List<String> OF_SERVICE = List.of("service.", "heading.");
    private static final Set<String> VOID = Set.of("meta", "link", "input", "img", "br");

    /// Pieces that the service joins to one text by code.
    private static final int MOST_PIECES = 3;

    /// A text of index.html, or an attribute's, and the key that it names.
    private record Marked(String key, String text) {}

    @Test
    void languagesHaveTheSameKeys() throws IOException {
        assertThat(words("zh").keySet()).isEqualTo(words("en").keySet());
    }

    @Test
    void phrasesHaveThePlaceholdersOfTheirEnglish() throws IOException {
        Map<String, String> english = words("en");
        assertThat(words("zh")).allSatisfy((key, phrase) -> {
            assertThat(phrase).as(key).isNotBlank();
            assertThat(placeholders(phrase)).as(key).isEqualTo(placeholders(english.get(key)));
        });
    }

    private static Set<String> placeholders(String phrase) {
        return PLACEHOLDER
                .matcher(phrase)
                .results()
                .map(MatchResult::group)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void everyKeyThatIsLookedUpHasAPhrase() throws IOException {
        Set<String> keys = words("en").keySet();
        Stream<String> ofModules = LOOKUP.matcher(modules()).results().map(lookup -> lookup.group(1));

        assertThat(Stream.concat(ofModules, marked().stream().map(Marked::key)).toList())
                .hasSizeGreaterThan(keys.size() / 2)
                .isSubsetOf(keys);
    }

    /// The page is readable before its scripts run.
    @Test
    void thePageHasTheEnglishOfItsKeys() throws IOException {
        Map<String, String> english = words("en");
        assertThat(marked()).allSatisfy(one -> assertThat(one.text()).isEqualTo(english.get(one.key())));
    }

    /// Modules and the page name the keys of their own phrases. Those of the service are its texts.
    @Test
    void noPhraseIsLeftBehind() throws IOException {
        String modules = modules();
        Set<String> named = QUOTED.matcher(modules)
                .results()
                .map(quoted -> quoted.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
        marked().forEach(one -> named.add(one.key()));
        Set<String> families = FAMILY.matcher(modules)
                .results()
                .map(lookup -> lookup.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
        words("en").keySet().stream()
                .filter(key -> families.contains(key.substring(0, key.indexOf('.'))))
                .forEach(named::add);
        String service = files(JAVA, ".java").map(DashboardWordsTest::flat).collect(Collectors.joining("\n"));
        String values = (service
                        + files(RESOURCES, ".yaml")
                                .map(DashboardWordsTest::flat)
                                .collect(Collectors.joining()))
                .toLowerCase(Locale.ROOT);

        assertThat(words("en"))
                .allSatisfy((key, phrase) -> assertThat(isUsed(key, phrase, named, service, values))
                        .as("%s: %s", key, phrase)
                        .isTrue());
    }

    private static boolean isUsed(String key, String phrase, Set<String> named, String service, String values) {
        if (OF_SERVICE.stream().anyMatch(key::startsWith)) {
            return isWritten(phrase, service);
        }
        return key.startsWith(VALUE)
                ? Stream.of(phrase, phrase.replace(' ', '_')).anyMatch(values::contains)
                : named.contains(key);
    }

    private static boolean isWritten(String phrase, String sources) {
        return BETWEEN.splitAsStream(phrase)
                .map(String::strip)
                .filter(piece -> !piece.isEmpty())
                .allMatch(piece -> pieces(piece.split(" +"), sources) <= MOST_PIECES);
    }

    /// Returns the number of pieces in which a text is written, each as long as possible.
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

    private static Map<String, String> words(String language) throws IOException {
        return JsonMapper.shared()
                .readValue(
                        Files.readString(STATIC.resolve("dashboard/words/" + language + ".json")),
                        new TypeReference<Map<String, String>>() {});
    }

    private static String modules() throws IOException {
        return files(STATIC.resolve("dashboard"), ".js")
                .map(DashboardWordsTest::read)
                .collect(Collectors.joining("\n"));
    }

    /// Returns the texts of index.html that name keys: an element's own text nodes in order, and attributes.
    private static List<Marked> marked() {
        List<Marked> marked = new ArrayList<>();
        Deque<Deque<String>> open = new ArrayDeque<>();
        for (MatchResult token :
                TOKEN.matcher(read(STATIC.resolve("index.html"))).results().toList()) {
            String text = token.group();
            if (text.startsWith("</")) {
                assertThat(open.pop()).as("keys without a text before " + text).isEmpty();
            } else if (text.startsWith("<!")) {
                continue;
            } else if (text.startsWith("<")) {
                Deque<String> keys = keysOf(text, marked);
                if (!VOID.contains(text.split("[ >]", 2)[0].substring(1))) {
                    open.push(keys);
                }
            } else if (!text.isBlank() && !open.isEmpty() && !open.peek().isEmpty()) {
                marked.add(new Marked(open.peek().pop(), text.strip().replaceAll("\\s+", " ")));
            }
        }
        return marked.stream().filter(one -> !one.key().equals("-")).toList();
    }

    private static Deque<String> keysOf(String tag, List<Marked> marked) {
        Deque<String> keys = new ArrayDeque<>();
        for (MatchResult mark : MARKED.matcher(tag).results().toList()) {
            if (mark.group(1) == null) {
                keys.addAll(List.of(mark.group(2).split(" ")));
            } else {
                Matcher attribute = Pattern.compile(" " + mark.group(1).substring(1) + "=\"([^\"]*)\"")
                        .matcher(tag);
                assertThat(attribute.find()).as(tag).isTrue();
                marked.add(new Marked(mark.group(2), attribute.group(1)));
            }
        }
        return keys;
    }

    private static Stream<Path> files(Path folder, String ending) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(ending)).toList().stream();
        }
    }

    private static String flat(Path file) {
        return CONCATENATION.matcher(read(file)).replaceAll("").replaceAll("\\s+", " ");
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

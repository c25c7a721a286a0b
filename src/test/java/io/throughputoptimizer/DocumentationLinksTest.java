package io.throughputoptimizer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Links within the documentation lead somewhere, and its index names every page.
class DocumentationLinksTest {
    private static final Path DOCS = Path.of("docs");
    private static final Path INDEX = DOCS.resolve("README.md");
    private static final Pattern FENCED = Pattern.compile("^```.*?^```$", Pattern.DOTALL | Pattern.MULTILINE);
    private static final Pattern LINK = Pattern.compile("]\\((?!\\w+:)([^)#\\s]*)(?:#([^)\\s]+))?\\)");
    private static final Pattern HEADING = Pattern.compile("^#+ (.+)$", Pattern.MULTILINE);
    private static final Pattern MARKUP = Pattern.compile("\\[([^]]*)]\\([^)]*\\)");

    private static List<Path> pages() throws IOException {
        List<Path> pages =
                new ArrayList<>(List.of(Path.of("README.md"), Path.of("CONTRIBUTING.md"), Path.of("CHANGELOG.md")));
        try (Stream<Path> docs = Files.walk(DOCS)) {
            docs.filter(page -> page.toString().endsWith(".md")).forEach(pages::add);
        }
        return pages;
    }

    @Test
    void everyLinkLeadsToAFileAndItsHeading() throws IOException {
        List<String> broken = new ArrayList<>();
        for (Path page : pages()) {
            LINK.matcher(prose(page))
                    .results()
                    .filter(link -> !leads(page, link))
                    .forEach(link -> broken.add(page + ": " + link.group()));
        }

        assertThat(broken).isEmpty();
    }

    @Test
    void theIndexNamesEveryPageInOneOfFiveGroups() throws IOException {
        String index = Files.readString(INDEX);
        try (Stream<Path> docs = Files.list(DOCS)) {
            assertThat(docs.filter(page -> page.toString().endsWith(".md"))
                            .filter(page -> !page.equals(INDEX))
                            .map(page -> "](" + page.getFileName() + ")"))
                    .isNotEmpty()
                    .allMatch(index::contains);
        }
        assertThat(HEADING.matcher(index).results().map(heading -> heading.group(1)))
                .contains("Learn", "Ask", "Trust", "Run", "Programs");
    }

    private static boolean leads(Path page, MatchResult link) {
        Path target = link.group(1).isEmpty()
                ? page
                : page.resolveSibling(link.group(1)).normalize();
        if (!Files.exists(target)) {
            return false;
        }
        return link.group(2) == null || anchors(target).contains(link.group(2));
    }

    /// Headings as they stand in addresses.
    private static List<String> anchors(Path page) {
        return HEADING.matcher(prose(page))
                .results()
                .map(heading -> MARKUP.matcher(heading.group(1))
                        .replaceAll("$1")
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{L}\\p{N}\\s_-]", "")
                        .replace(' ', '-'))
                .toList();
    }

    /// A page without its blocks of code.
    private static String prose(Path page) {
        try {
            return FENCED.matcher(Files.readString(page)).replaceAll("");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

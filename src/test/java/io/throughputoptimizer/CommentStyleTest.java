package io.throughputoptimizer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Style of comments: a type's begins with a noun, a method's with a verb, and the words are those of the field.
class CommentStyleTest {
    private static final Path SOURCES = Path.of("src", "main", "java");
    private static final Pattern CLAUSE = Pattern.compile(
            "(What|Which|Whether|How|Who|Whom|Whose|Where|When|Why|Those|That|The same|Of|Nothing|Such|Itself|None|Nobody|As|If)\\b.*");
    private static final Pattern TAG = Pattern.compile("@(param|return|throws)\\s+(\\S+\\s+)?");
    private static final Pattern BANNED = Pattern.compile(
            "\\b(anew|whoever|nobody|of which|so many|at hand|goes by|is asked|by itself|knows nothing of|speaks? of)\\b",
            Pattern.CASE_INSENSITIVE);

    private static final double MOST_CLAUSES = 0.05;
    /// Banned words that comments still have. Lower it when you remove some.
    private static final int MOST_BANNED = 95;

    @Test
    void fewCommentsBeginWithAClause() {
        List<String> comments = comments();
        List<String> clauses = comments.stream()
                .filter(first -> CLAUSE.matcher(first).matches())
                .toList();
        assertThat(clauses).as("of %d comments", comments.size()).hasSizeLessThanOrEqualTo((int)
                (MOST_CLAUSES * comments.size()));
    }

    @Test
    void commentsUseTheWordsOfTheField() {
        List<String> banned = lines().map(String::strip)
                .filter(line -> line.startsWith("//") && BANNED.matcher(line).find())
                .toList();
        assertThat(banned).hasSizeLessThanOrEqualTo(MOST_BANNED);
    }

    /// First lines of Javadoc comments, without tags.
    private static List<String> comments() {
        List<String> comments = new ArrayList<>();
        String before = "";
        for (String line : lines().map(String::strip).toList()) {
            if (line.startsWith("///") && !before.startsWith("///")) {
                comments.add(TAG.matcher(line.substring(3).strip()).replaceFirst(""));
            }
            before = line;
        }
        return comments;
    }

    private static Stream<String> lines() {
        try (Stream<Path> files = Files.walk(SOURCES)) {
            return files.filter(file -> file.toString().endsWith(".java")).toList().stream()
                    .flatMap(file -> lines(file).stream());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

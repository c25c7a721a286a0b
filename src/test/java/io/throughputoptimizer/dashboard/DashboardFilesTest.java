package io.throughputoptimizer.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/// What holds of the dashboard's files without a browser.
class DashboardFilesTest {
    private static final Path STATIC = Path.of("src/main/resources/static");
    private static final int LARGEST_PAGE_BYTES = 400_000;

    @Test
    void thePageIsSmallEnoughForASlowLine() throws IOException {
        long compressed = files(STATIC).stream()
                .mapToLong(DashboardFilesTest::compressedBytes)
                .sum();

        assertThat(compressed).isPositive().isLessThan(LARGEST_PAGE_BYTES);
    }

    @Test
    void thePageNamesNoOtherHostAndHasNothingInline() throws IOException {
        assertThat(Files.readString(STATIC.resolve("index.html")))
                .doesNotContainPattern("(https?:)?//\\w")
                .doesNotContainPattern("<style|style=|\\son\\w+=|javascript:")
                .doesNotContainPattern("<script(?![^>]*\\ssrc=)");
    }

    /// Data reaches the page as text nodes only.
    @Test
    void noModuleTurnsTextIntoMarkupOrCode() throws IOException {
        List<Path> modules = files(STATIC.resolve("dashboard")).stream()
                .filter(file -> file.toString().endsWith(".js"))
                .toList();

        assertThat(modules)
                .isNotEmpty()
                .allSatisfy(module -> assertThat(Files.readString(module))
                        .doesNotContainPattern(
                                "(inner|outer|Adjacent)HTML|document\\.write|DOMParser|createContextualFragment")
                        .doesNotContainPattern("\\beval\\b|new Function|setAttribute\\(\"(style|on)"));
    }

    @Test
    void theChartLibraryComesWithItsLicence() {
        assertThat(STATIC.resolve("vendor/uplot/LICENSE")).content().contains("MIT License", "Leon Sorokin");
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile).toList();
        }
    }

    private static long compressedBytes(Path file) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
            Files.copy(file, gzip);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.size();
    }
}

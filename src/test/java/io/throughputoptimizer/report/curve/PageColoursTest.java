package io.throughputoptimizer.report.curve;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// A series has the same colour on the page as in a picture of its curves.
class PageColoursTest {
    private static final Path PAGE = Path.of("src/main/resources/static/dashboard/page.css");
    private static final Pattern SERIES = Pattern.compile("--series-\\d: (#[0-9a-f]{6});");

    @Test
    void thePageHasTheColoursOfPictures() throws IOException {
        List<String> colours = SERIES.matcher(Files.readString(PAGE))
                .results()
                .map(found -> found.group(1))
                .toList();

        assertThat(colours)
                .isEqualTo(Stream.of(SvgTheme.LIGHT_SERIES, SvgTheme.DARK_SERIES)
                        .flatMap(List::stream)
                        .toList());
    }
}

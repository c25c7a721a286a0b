package io.throughputoptimizer.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// Colours of lines in charts, in the light and in the dark theme.
class DashboardColoursTest {
    private static final Path PAGE = Path.of("src/main/resources/static/dashboard/page.css");
    private static final Pattern COLOUR = Pattern.compile("--(surface|series-\\d): (#[0-9a-f]{6});");
    private static final double LINE_CONTRAST = 3;

    @Test
    void linesStandOutFromTheirSurface() throws IOException {
        List<MatchResult> colours =
                COLOUR.matcher(Files.readString(PAGE)).results().toList();

        assertThat(colours).hasSize(2 * 9);
        String surface = "";
        for (MatchResult colour : colours) {
            if (colour.group(1).equals("surface")) {
                surface = colour.group(2);
            } else {
                assertThat(contrast(colour.group(2), surface))
                        .as(colour.group())
                        .isGreaterThan(LINE_CONTRAST);
            }
        }
    }

    /// Contrast ratio of two colours (WCAG 2): `(L1 + 0.05) / (L2 + 0.05)`, L1 being the lighter one's luminance.
    private static double contrast(String one, String other) {
        double first = luminance(one);
        double second = luminance(other);
        return (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05);
    }

    private static double luminance(String colour) {
        byte[] rgb = HexFormat.of().parseHex(colour.substring(1));
        return 0.2126 * linear(rgb[0]) + 0.7152 * linear(rgb[1]) + 0.0722 * linear(rgb[2]);
    }

    private static double linear(byte channel) {
        double share = Byte.toUnsignedInt(channel) / 255.0;
        return share <= 0.04045 ? share / 12.92 : Math.pow((share + 0.055) / 1.055, 2.4);
    }
}

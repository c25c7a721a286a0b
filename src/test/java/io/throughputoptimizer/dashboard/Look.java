package io.throughputoptimizer.dashboard;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.options.ColorScheme;
import java.util.List;
import java.util.Locale;

/// How a visitor sees the page.
enum Look {
    LIGHT(ColorScheme.LIGHT, 1280),
    DARK(ColorScheme.DARK, 1280),
    NARROW(ColorScheme.LIGHT, 390);

    private static final int HEIGHT = 900;

    private final ColorScheme colours;
    private final int width;

    Look(ColorScheme colours, int width) {
        this.colours = colours;
        this.width = width;
    }

    Browser.NewContextOptions options() {
        return new Browser.NewContextOptions()
                .setColorScheme(colours)
                .setViewportSize(width, HEIGHT)
                .setLocale("en-GB")
                .setTimezoneId("UTC")
                .setPermissions(List.of("clipboard-read", "clipboard-write"));
    }

    String fileSuffix() {
        return name().toLowerCase(Locale.ROOT);
    }
}

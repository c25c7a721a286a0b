package io.throughputoptimizer.dashboard;

import com.deque.html.axecore.playwright.AxeBuilder;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.Media;
import io.throughputoptimizer.fixture.Nightly;
import java.util.List;
import java.util.Locale;

/// How a visitor sees the page.
enum Look {
    LIGHT(ColorScheme.LIGHT, 1280, ""),
    DARK(ColorScheme.DARK, 1280, "color-contrast"),
    NARROW(ColorScheme.LIGHT, 390, "target-size");

    private static final int HEIGHT = 900;

    private final ColorScheme colours;
    private final int width;
    private final String rule;

    /// @param rule of axe-core whose outcome may be another than in the light, wide look; none for all of them
    Look(ColorScheme colours, int width, String rule) {
        this.colours = colours;
        this.width = width;
        this.rule = rule;
    }

    /// Shows a page like this.
    void show(Page page) {
        page.emulateMedia(new Page.EmulateMediaOptions().setMedia(Media.SCREEN).setColorScheme(colours));
        page.setViewportSize(width, HEIGHT);
    }

    /// Rules to hold a page against that is shown like this; every night all of them.
    AxeBuilder rules(AxeBuilder axe) {
        return rule.isEmpty() || Nightly.isNow() ? axe : axe.withRules(List.of(rule));
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

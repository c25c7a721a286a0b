package io.throughputoptimizer.dashboard;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Playwright;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// An installed Chromium without a window.
final class Chromium implements AutoCloseable {
    private static final Pattern PATH_SEPARATOR = Pattern.compile(Pattern.quote(File.pathSeparator));

    private final Playwright playwright;
    private final Browser browser;

    private Chromium(Playwright playwright, Browser browser) {
        this.playwright = playwright;
        this.browser = browser;
    }

    /// Starts the browser, if one is installed.
    static Optional<Chromium> launch() {
        return executable().map(Chromium::launch);
    }

    private static Chromium launch(Path executable) {
        Playwright playwright = Playwright.create(
                new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
        BrowserType.LaunchOptions options = new BrowserType.LaunchOptions().setExecutablePath(executable);
        return new Chromium(playwright, playwright.chromium().launch(options));
    }

    private static Optional<Path> executable() {
        return PATH_SEPARATOR
                .splitAsStream(System.getenv().getOrDefault("PATH", ""))
                .flatMap(folder -> Stream.of("chromium", "chromium-browser", "google-chrome")
                        .map(name -> Path.of(folder, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /// A fresh visitor of the dashboard.
    Visit visit(int port, Look look) {
        return new Visit(browser.newContext(look.options()), port);
    }

    @Override
    public void close() {
        browser.close();
        playwright.close();
    }
}

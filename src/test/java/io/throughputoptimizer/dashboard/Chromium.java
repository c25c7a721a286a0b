package io.throughputoptimizer.dashboard;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// An installed Chromium without a window.
final class Chromium {
    private static final Pattern PATH_SEPARATOR = Pattern.compile(Pattern.quote(File.pathSeparator));

    private final Browser browser;
    private final Map<Look, Deque<Page>> left = new EnumMap<>(Look.class);

    private Chromium(Browser browser) {
        this.browser = browser;
    }

    /// Starts the browser, if one is installed; it ends with this process.
    static Optional<Chromium> launch() {
        return executable().map(Chromium::launch);
    }

    private static Chromium launch(Path executable) {
        Playwright playwright = Playwright.create(
                new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
        BrowserType.LaunchOptions options = new BrowserType.LaunchOptions()
                .setExecutablePath(executable)
                // All pages are of one site: no process more for each that is opened.
                .setArgs(List.of("--process-per-site", "--disable-site-isolation-trials"));
        Runtime.getRuntime().addShutdownHook(new Thread(playwright::close));
        return new Chromium(playwright.chromium().launch(options));
    }

    private static Optional<Path> executable() {
        List<String> folders = PATH_SEPARATOR
                .splitAsStream(System.getenv().getOrDefault("PATH", ""))
                .toList();
        // The first was made to have no window, and takes less time.
        return Stream.of("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
                .flatMap(name -> folders.stream().map(folder -> Path.of(folder, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /// A fresh visitor of the dashboard, who has no cookies. The page may have been another's, which takes a third of
    /// the time of a new one: its files are in the browser's cache, and whether they are still the same is asked.
    Visit visit(int port, Look look) {
        Deque<Page> free = left.computeIfAbsent(look, _ -> new ArrayDeque<>());
        Page page = free.isEmpty() ? browser.newContext(look.options()).newPage() : free.pop();
        look.show(page);
        return new Visit(page, port, look, () -> {
            page.context().clearCookies();
            free.push(page);
        });
    }
}

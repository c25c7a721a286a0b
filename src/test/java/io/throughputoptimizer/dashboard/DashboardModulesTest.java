package io.throughputoptimizer.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.microsoft.playwright.impl.driver.Driver;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Modules of the page that need no browser, tested in Node.js.
class DashboardModulesTest {
    private static final Path TESTS = Path.of("src/test/js");
    private static final String LOADS_A_MODULE = "import('./src/main/resources/static/dashboard/pointer.js')";

    /// Output of a program and how it ended.
    private record Run(int status, String output) {}

    @Test
    void modulesPassTheirTests() throws IOException {
        Optional<String> node = node();
        assumeTrue(node.isPresent(), "no Node.js 20.19 or newer, neither on the PATH nor in Playwright's driver");
        List<String> command = new ArrayList<>(List.of(node.orElseThrow(), "--test", "--test-reporter=spec"));
        try (Stream<Path> files = Files.list(TESTS)) {
            files.map(Path::toString).filter(file -> file.endsWith(".test.mjs")).forEach(command::add);
        }

        Run run = run(command);
        assertThat(run.status()).as(run.output()).isZero();
    }

    /// The first Node.js that loads a module of the page.
    private static Optional<String> node() {
        return loads("node") ? Optional.of("node") : driver().filter(DashboardModulesTest::loads);
    }

    private static boolean loads(String node) {
        try {
            return run(List.of(node, "--eval", LOADS_A_MODULE)).status() == 0;
        } catch (IOException e) {
            return false;
        }
    }

    /// Node.js of Playwright's driver, unpacked; none where there is no driver for this machine.
    private static Optional<String> driver() {
        try {
            Path folder = Driver.ensureDriverInstalled(Map.of(), false).driverDir();
            return Stream.of("node", "node.exe")
                    .map(folder::resolve)
                    .filter(Files::isExecutable)
                    .map(Path::toString)
                    .findFirst();
        } catch (RuntimeException e) {
            return Optional.empty();
        }
    }

    private static Run run(List<String> command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Run(process.onExit().join().exitValue(), output);
    }
}

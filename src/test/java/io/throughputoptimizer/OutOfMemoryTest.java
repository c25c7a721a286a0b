package io.throughputoptimizer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A process without memory ends, however it was started: one that went on would answer nothing.
class OutOfMemoryTest {
    private static final String OPTION = "-XX:+ExitOnOutOfMemoryError";
    /// Of HotSpot.
    private static final int ENDED_BY_IT = 3;

    @ParameterizedTest
    @ValueSource(
            strings = {"Dockerfile", "deploy/systemd/throughput-optimizer.service", "pom.xml", "docs/how-to/deploy.md"})
    void everyWayToStartHasTheOption(String file) throws IOException {
        assertThat(Files.readString(Path.of(file))).contains(OPTION);
    }

    /// Though what ran out of memory is caught.
    @Test
    @Timeout(300)
    void theOptionEndsAProcessWhoseErrorIsCaught() throws Exception {
        assertThat(exitCode(OPTION)).isEqualTo(ENDED_BY_IT);
        assertThat(exitCode("-XX:-ExitOnOutOfMemoryError")).isZero();
    }

    private static int exitCode(String option) throws Exception {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        option,
                        "-Xmx16m",
                        "-XX:+UseSerialGC",
                        "-classpath",
                        System.getProperty("java.class.path"),
                        Catcher.class.getName())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }

    /// Takes memory until there is none, and goes on.
    static final class Catcher {
        private Catcher() {}

        public static void main(String[] arguments) {
            List<byte[]> taken = new ArrayList<>();
            try {
                while (true) {
                    taken.add(new byte[1 << 20]);
                }
            } catch (OutOfMemoryError e) {
                System.out.println(e.getMessage() + " after " + taken.size() + " MB");
            }
        }
    }
}

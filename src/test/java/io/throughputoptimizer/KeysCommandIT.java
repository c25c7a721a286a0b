package io.throughputoptimizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.throughputoptimizer.fixture.EveryNight;
import io.throughputoptimizer.fixture.ServiceProcess;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Keys made on the command line open a service that others can reach, and nothing else does.
class KeysCommandIT {
    private static final String MODELS = "/api/v1/models";

    @TempDir
    private Path folder;

    /// What a run of the command said.
    private record Said(int code, String out, String notes) {}

    private Said keys(String... words) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream notes = new ByteArrayOutputStream();
        KeysCommand command = new KeysCommand(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(notes, true, StandardCharsets.UTF_8));
        String database = "--optimizer.storage.folder=" + folder.resolve("data");
        int code = command.run(Stream.concat(
                        Stream.of(words),
                        Stream.of(
                                database,
                                "--spring.datasource.url=jdbc:h2:file:"
                                        + "${optimizer.storage.folder}/throughput-optimizer;WRITE_DELAY=0;DB_CLOSE_ON_EXIT=FALSE"))
                .toList());
        return new Said(code, out.toString(StandardCharsets.UTF_8), notes.toString(StandardCharsets.UTF_8));
    }

    @EveryNight
    @Test
    void aServiceForOthersStartsOnceThereIsAKey() throws Exception {
        assertThatThrownBy(() -> ServiceProcess.start(folder, "server.address=0.0.0.0"))
                .hasMessageContaining("listens on 0.0.0.0, which others can reach, but there is no key")
                .hasMessageContaining("keys create NAME --role admin")
                .hasMessageContaining("OPTIMIZER_SECURITY_ACCESS=open");

        Said created = keys("create", "ann", "--role", "submit", "--expires", "90d");
        assertThat(created.code()).isZero();
        assertThat(created.out()).matches("tpo_[0-9a-f]{16}_\\S{43}\\s*");
        assertThat(created.notes()).contains("ann", "submit", "expires at");
        String revoked = keys("create", "bob").out().strip();
        assertThat(keys("revoke", "bob").out()).contains("revoked " + revoked.substring(4, 20));
        assertThat(keys("revoke", "bob").code()).isEqualTo(1);

        try (ServiceProcess service = ServiceProcess.start(folder, "server.address=0.0.0.0")) {
            assertThat(service.get(MODELS).statusCode()).isEqualTo(401);
            Said meanwhile = keys("list");
            assertThat(meanwhile.code()).isEqualTo(1);
            assertThat(meanwhile.out()).isEmpty();
            assertThat(meanwhile.notes()).contains("/api/v1/keys");
            assertThat(status(service, created.out().strip())).isEqualTo(200);
            assertThat(status(service, revoked)).isEqualTo(401);
        }
        assertThat(keys("list").out())
                .contains("valid", "ann", "revoked at", "bob")
                .doesNotContain(created.out().strip());
    }

    @EveryNight
    @Test
    void aServiceThatIsMeantToBeOpenSaysSo() throws Exception {
        try (ServiceProcess service =
                ServiceProcess.start(folder, "server.address=0.0.0.0", "optimizer.security.access=open")) {
            assertThat(service.get(MODELS).statusCode()).isEqualTo(200);
        }
        assertThat(ServiceProcess.logged(folder)).contains("WARN", "OPEN TO EVERYBODY");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "make ann",
                "create",
                "create ann bob",
                "create --role",
                "create ann --role boss",
                "create ann --expires soon",
                "create ann --expires -1d",
                "list all",
                "revoke"
            })
    void whatItDoesNotUnderstandIsExplained(String words) {
        Said said = keys(words.isEmpty() ? new String[0] : words.split(" ", -1));

        assertThat(said.code()).isEqualTo(2);
        assertThat(said.out()).isEmpty();
        assertThat(said.notes()).contains("keys create NAME");
    }

    private static int status(ServiceProcess service, String key) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(service.uri(MODELS))
                .header("Authorization", "Bearer " + key)
                .build();
        try (HttpClient http = HttpClient.newHttpClient()) {
            return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
        }
    }

    @Test
    void aNameThatCannotBeOneIsRefused() {
        Said said = keys("create", "an n");

        assertThat(said.code()).isEqualTo(2);
        assertThat(said.notes()).contains("the name is");
        assertThat(List.of(said.out())).containsExactly("");
    }
}

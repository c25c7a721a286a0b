package io.throughputoptimizer;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.springframework.util.unit.DataSize;

/// What settings refuse and take; of folders by a word in braces.
final class SettingCases {
    private static final List<String> NO_NUMBERS = List.of(
            "",
            " ",
            "two",
            "1.5",
            "4 workers",
            "NaN",
            "-1",
            "-9223372036854775808",
            "9223372036854775807",
            "9".repeat(30));
    private static final List<String> NO_TIMES = List.of(
            "", "soon", "5", "5 parsecs", "-1s", "-10d", "1.5s", "99999999d", "9".repeat(30) + "s", "PT", "P99999D");
    private static final List<String> NO_SIZES =
            List.of("", "big", "-1B", "1MiB", "1.5MB", "9999TB", "9".repeat(30) + "GB");
    private static final List<String> NO_ADDRESSES = List.of(
            "",
            "issuer",
            "issuer.example",
            "ftp://issuer.example",
            "https://",
            "https:///path",
            "https://user:secret@issuer.example",
            "https://issuer.example:99999",
            "https://issuer.example/#part",
            "https://issuer example",
            "file:///etc/passwd");

    /// Of settings whose type says nothing of what makes sense; a new one needs a line here.
    private static final Map<String, List<String>> NONSENSE = Map.ofEntries(
            Map.entry("optimizer.catalog.devices-folder", List.of("", "{missing}", "{file}", "a\0b")),
            Map.entry("optimizer.catalog.models-folder", List.of("", "{missing}", "{file}")),
            Map.entry("optimizer.catalog.length-distributions-folder", List.of("", "{missing}", "{file}")),
            Map.entry("optimizer.hub.url", with(NO_ADDRESSES, "https://hub.example?a=b")),
            Map.entry("optimizer.hub.folder", List.of("", "{file}", "{file}/below", "{unwritable}")),
            Map.entry("optimizer.storage.folder", List.of("", "data", "./data;INIT=x", "~", "{file}", "{unwritable}")),
            Map.entry("optimizer.http.allowed-hosts", List.of("http://a", "a:80", "a,a", "a,A", "a,,b", "a b", ",")),
            Map.entry("optimizer.security.access", List.of("", "maybe", "keys,open")),
            Map.entry(
                    "optimizer.security.allowed-origins",
                    List.of(
                            "portal.example",
                            "*",
                            "null",
                            "https://a/b",
                            "https://a,https://a/",
                            "https://a,,",
                            "https://u@a")),
            Map.entry("optimizer.security.jwt.issuer", with(NO_ADDRESSES, "https://issuer.example?a=b")),
            Map.entry("optimizer.security.jwt.jwk-set", NO_ADDRESSES),
            Map.entry("optimizer.security.jwt.audience", List.of("", " ", "a b", "planner")),
            Map.entry("optimizer.security.jwt.roles-claim", List.of("", ".", "a..b", "a b")),
            Map.entry("optimizer.security.jwt.role-prefix", List.of("a b", "\t:")),
            Map.entry("server.address", List.of("", "999.1.1.1", "192.0.2.1", "http://localhost", "127.0.0.1:8080")),
            Map.entry("server.port", with(NO_NUMBERS, "65536", "8080/tcp")),
            Map.entry(
                    "spring.datasource.url",
                    List.of(
                            "",
                            "optimizer",
                            "jdbc:mysql://a/b",
                            "postgresql://a/b",
                            "jdbc:postgresql://a:port/b",
                            "jdbc:h2:",
                            "jdbc:oracle:thin:x;password=secret")),
            Map.entry("spring.datasource.hikari.connection-timeout", with(NO_NUMBERS, "0", "249", "5s", "3600001")),
            Map.entry("spring.datasource.hikari.maximum-pool-size", with(NO_NUMBERS, "0", "1001")));

    /// Of the same settings, what makes sense but is not given by default.
    private static final Map<String, List<String>> SENSE = Map.ofEntries(
            Map.entry("optimizer.catalog.devices-folder", List.of("{folder}")),
            Map.entry("optimizer.catalog.models-folder", List.of("{folder}")),
            Map.entry("optimizer.catalog.length-distributions-folder", List.of("{folder}")),
            Map.entry("optimizer.hub.url", List.of("https://huggingface.co", "http://127.0.0.1:8081/below/")),
            Map.entry("optimizer.hub.folder", List.of("{folder}", "{folder}/a/b")),
            Map.entry("optimizer.storage.folder", List.of("{folder}", "{folder}/a/b", "./target/data")),
            Map.entry("optimizer.http.allowed-hosts", List.of("", "*", "planner.example.com,[::2],10.0.0.1")),
            Map.entry("optimizer.security.access", List.of("automatic", "keys", "OPEN")),
            Map.entry("optimizer.security.allowed-origins", List.of("", "https://a.example,http://b:8080/")),
            Map.entry("optimizer.security.jwt.issuer", List.of("https://issuer.example/realms/a")),
            Map.entry("optimizer.security.jwt.jwk-set", List.of("http://127.0.0.1:9/keys?appid=1")),
            Map.entry("optimizer.security.jwt.roles-claim", List.of("realm_access.roles", "https://a/roles")),
            Map.entry("optimizer.security.jwt.role-prefix", List.of("", "planner-")),
            Map.entry("optimizer.jobs.maximum-memory", List.of("0", "1MB")),
            Map.entry("optimizer.recovery.stop-grace", List.of("0s", "PT5S")),
            Map.entry("server.address", List.of("0.0.0.0", "::", "localhost", "127.0.0.1")),
            Map.entry("server.port", List.of("0", "65535")),
            Map.entry(
                    "spring.datasource.url",
                    List.of(
                            "jdbc:h2:mem:a;LOB_TIMEOUT=10000",
                            "jdbc:h2:file:/a/b",
                            "jdbc:postgresql://127.0.0.1:1/optimizer?user=a&password=b/c",
                            "jdbc:postgresql://a:5432,[::1]:5433/b",
                            "jdbc:postgresql:b")),
            Map.entry("spring.datasource.hikari.connection-timeout", List.of("250")),
            Map.entry("spring.datasource.hikari.maximum-pool-size", List.of("50")));

    private SettingCases() {}

    private static List<String> with(List<String> some, String... others) {
        return Stream.concat(some.stream(), Stream.of(others)).toList();
    }

    /// All that are looked at.
    static Stream<Setting> settings() {
        return Stream.concat(KnownSettings.own().stream(), KnownSettings.ofSpring().stream());
    }

    static List<String> nonsense(Setting setting) {
        Class<?> type = setting.type().getType().toClass();
        List<String> given = NONSENSE.get(setting.name());
        if (given != null) {
            return given;
        }
        if (type == Duration.class) {
            return NO_TIMES;
        }
        if (type == DataSize.class) {
            return NO_SIZES;
        }
        assertThat(type)
                .as("%s needs a case here", setting.name())
                .isIn(int.class, long.class, Integer.class, Long.class);
        return NO_NUMBERS;
    }

    /// Besides the default.
    static List<String> sense(Setting setting) {
        return SENSE.getOrDefault(setting.name(), List.of());
    }
}

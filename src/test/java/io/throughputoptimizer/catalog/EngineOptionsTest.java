package io.throughputoptimizer.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.catalog.EngineOptions.Entry;
import io.throughputoptimizer.fixture.BuiltIn;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Every option that a command may hold is one that the engine's own documents have: the table beside this test lists
/// them with the document, as it was read there.
class EngineOptionsTest {
    private static final Pattern FLAG = Pattern.compile("(?<![\\w-])--[a-z0-9][a-z0-9-]*");
    private static final Pattern KEY = Pattern.compile("[ ,\"]([a-z_]+)=");
    private static final Map<String, EngineOptions> ENGINES = BuiltIn.CATALOGS.launch();

    @ParameterizedTest
    @ValueSource(strings = {"vllm", "vllm-ascend", "sglang", "trtllm", "mindie"})
    void everyOptionIsInTheEnginesDocuments(String engine) throws IOException {
        Map<String, String> documented = documented(engine);

        assertThat(documented.keySet()).containsAll(used(Objects.requireNonNull(ENGINES.get(engine))));
        assertThat(documented.values()).allSatisfy(source -> assertThat(source).isNotBlank());
    }

    @ParameterizedTest
    @ValueSource(strings = {"vllm", "vllm-ascend", "sglang", "trtllm", "mindie"})
    void theTableListsNothingElse(String engine) throws IOException {
        assertThat(used(Objects.requireNonNull(ENGINES.get(engine))))
                .containsAll(documented(engine).keySet());
    }

    @Test
    void everyEntryNamesItsSource() {
        assertThat(ENGINES.values())
                .flatExtracting(engine -> engine.options().values())
                .extracting(Entry::source)
                .doesNotContain("")
                .hasSize(5 * LaunchOption.values().length);
    }

    /// Flags of routers and benchmarks, and the keys of their settings.
    @Test
    void everyOptionOfARouterOrABenchmarkIsInItsDocuments() throws IOException {
        Set<String> documented = lines("/launch/tool-options.csv")
                .map(line -> line.get(0) + " " + line.get(1))
                .collect(Collectors.toSet());

        Set<String> used = ENGINES.values().stream()
                .flatMap(engine -> Stream.concat(
                        Stream.of(engine.router(), engine.balancer())
                                .filter(Objects::nonNull)
                                .flatMap(router -> options(
                                        router.text().split("\\{| --", 2)[0].strip(),
                                        router.text() + " " + router.prefill() + " " + router.decode())),
                        engine.checks().stream()
                                .flatMap(check -> options(
                                        check.tool(),
                                        String.join(
                                                " ",
                                                check.text(),
                                                check.together(),
                                                check.rate(),
                                                check.equal(),
                                                check.varied(),
                                                check.prefixed(),
                                                check.file(),
                                                String.valueOf(check.goodput()))))))
                .collect(Collectors.toCollection(LinkedHashSet::new));

        assertThat(documented).containsExactlyInAnyOrderElementsOf(used);
        assertThat(lines("/launch/tool-options.csv"))
                .allSatisfy(line -> assertThat(line.get(2)).isNotBlank());
    }

    private static Stream<String> options(String tool, String text) {
        Stream<String> flags = FLAG.matcher(text).results().map(found -> found.group());
        Stream<String> keys =
                tool.equals("guidellm") ? KEY.matcher(text).results().map(found -> found.group(1) + "=") : Stream.of();
        return Stream.concat(flags, keys).map(option -> tool + " " + option);
    }

    /// Flags of commands, and paths of members of files.
    private static Set<String> used(EngineOptions engine) {
        Stream<String> texts = Stream.of(
                        engine.options().values().stream(),
                        Stream.of(engine.portOption()),
                        Objects.requireNonNull(engine.vendorOptions()).values().stream()
                                .flatMap(options -> options.values().stream()))
                .flatMap(entries -> entries)
                .filter(entry -> entry.environment() == null)
                .flatMap(entry -> entry.texts().stream());
        return (engine.form() == EngineOptions.Form.ARGUMENTS
                        ? texts.flatMap(text -> FLAG.matcher(text).results().map(found -> found.group()))
                        : texts.map(text -> text.split(":", 2)[0]))
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /// Option and the document that has it.
    private static Map<String, String> documented(String engine) throws IOException {
        return lines("/launch/engine-options.csv")
                .filter(line -> Arrays.asList(line.getFirst().split(" ", -1)).contains(engine))
                .collect(Collectors.toMap(line -> line.get(1), line -> line.get(2)));
    }

    private static Stream<List<String>> lines(String table) throws IOException {
        try (InputStream lines = Objects.requireNonNull(EngineOptionsTest.class.getResourceAsStream(table))) {
            return new String(lines.readAllBytes(), StandardCharsets.UTF_8)
                    .lines().skip(1).map(line -> List.of(line.split(",", 3))).toList().stream();
        }
    }
}

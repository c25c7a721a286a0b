package io.throughputoptimizer.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.assertions.LocatorAssertions;
import io.throughputoptimizer.fixture.EveryNight;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Command lines of the reference become the question that the documentation makes of them.
@EveryNight
class DashboardCommandLineIT extends BrowserTest {
    /// A command of the guide, and the call that asks the same.
    private static final Pattern COMMAND = Pattern.compile(
            "^```\n(python -m [^`]*)^```\n\n```\ncurl [^']*(?:'[^{']*'[^']*)*-d '([^']*)'", Pattern.MULTILINE);

    private static final String READ = """
            async (text) => JSON.stringify((await import("/dashboard/commandline.js")).questionOf(text).request)""";

    private static List<MatchResult> documented() throws IOException {
        return COMMAND.matcher(Files.readString(Path.of("docs", "from-the-cli.md")))
                .results()
                .toList();
    }

    @Test
    void commandsOfTheGuideFillTheQuestionIn() throws IOException {
        List<MatchResult> commands = documented();
        assertThat(commands).hasSizeGreaterThanOrEqualTo(4);
        try (Visit visit = visit().open("/")) {
            assertThat(visit.field("Model")).hasValue("Qwen/Qwen3-32B");
            unfold(visit);
            for (MatchResult command : commands) {
                JsonNode expected = JsonMapper.shared().readTree(command.group(2));
                String read = String.valueOf(visit.page().evaluate(READ, command.group(1)));
                assertThat(JsonMapper.shared().readTree(read)).isEqualTo(expected);
                take(visit, command.group(1));

                assertThat(visit.field("Model"))
                        .hasValue(expected.required("model_id").asString());
                assertThat(visit.page().locator("#input-length")).hasValue("3500");
                assertThat(visit.page().locator("[name='/serving/compile']"))
                        .isChecked(new LocatorAssertions.IsCheckedOptions()
                                .setChecked(expected.at("/serving/compile").asBoolean(false)));
            }
            visit.assertNoBarriers();
        }
    }

    @Test
    void whatHasNoPlaceIsNamed() {
        try (Visit visit = visit().open("/")) {
            assertThat(visit.field("Model")).hasValue("Qwen/Qwen3-32B");
            unfold(visit);
            take(visit, "--tpot-limits 40 60 --jobs 8 --input-length=\"my bins.json\" --frobnicate Qwen/Qwen3-8B");
            Locator remark = visit.page().locator("#command-remark");
            assertThat(remark).containsText("There is no model in it");

            take(visit, "Qwen/Qwen3-8B --tpot-limits 40 60 --jobs 8 --input-length=\"my bins.json\" --frobnicate");
            assertThat(visit.field("Model")).hasValue("Qwen/Qwen3-8B");
            assertThat(visit.field("TPOT limit (ms)")).hasValue("40");
            assertThat(remark.locator("li")).hasText(new String[] {
                "--tpot-limits has several values, of which each is a question: the first is taken",
                "--jobs is no part of a question",
                "--input-length names a file: paste its bins as a mixed input length",
                "--frobnicate is no flag of the reference's guide"
            });
        }
    }

    @Test
    void shortFlagsAreNeitherDevicesNorTheModel() {
        try (Visit visit = visit().open("/")) {
            assertThat(visit.field("Model")).hasValue("Qwen/Qwen3-32B");
            unfold(visit);
            for (String command : List.of(
                    "Qwen/Qwen3-8B --device ATLAS_800_A2_376T_64G -n 8",
                    "-n 8 Qwen/Qwen3-8B --device ATLAS_800_A2_376T_64G")) {
                take(visit, command);

                assertThat(visit.field("Model")).hasValue("Qwen/Qwen3-8B");
                assertThat(visit.page().locator("#device-choices input:checked"))
                        .hasCount(1);
                assertThat(visit.page().locator("#device-choices input:checked"))
                        .hasValue("ATLAS_800_A2_376T_64G");
                assertThat(visit.page().locator("#command-remark li"))
                        .hasText("-n is no flag of the reference's guide");
            }
        }
    }

    private static void unfold(Visit visit) {
        visit.page().getByText("Paste a command line of the reference").click();
    }

    private static void take(Visit visit, String command) {
        visit.field("Command line").fill(command);
        visit.button("Fill the question in").click();
    }
}

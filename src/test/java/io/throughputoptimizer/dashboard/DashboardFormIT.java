package io.throughputoptimizer.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import io.throughputoptimizer.fixture.EveryNight;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What the form asks before anything is typed, and what it refuses to ask.
@EveryNight
class DashboardFormIT extends BrowserTest {
    private static final String TEST_DEVICE = "TEST_DEVICE";
    private static final String REPEATED_IDS = """
            [...document.querySelectorAll("[id]")].map(({ id }) => id).filter((id, index, all) => all.indexOf(id) !== index)""";
    private static final String LABELS_OF_NOTHING = """
            [...document.querySelectorAll("label[for]")].filter(({ control }) => !control).map(({ htmlFor }) => htmlFor)""";

    @Test
    void theFirstQuestionIsAboutARealDeviceWithinLimits() {
        try (Visit visit = ready(visit())) {
            assertThat(visit.page().locator("[name='/cost_model']:checked")).hasValue("calibrated");
            assertThat(visit.field("Model")).hasValue("Qwen/Qwen3-32B");
            assertThat(ticked(visit)).containsExactly("H100_SXM");
            assertThat(visit.field("Devices")).hasValue("8");
            assertThat(visit.page().locator("#backend")).hasValue("vllm");
            assertThat(visit.field("Checkpoint")).hasValue("FP8");
            assertThat(visit.field("TTFT target (ms)")).hasValue("2000");
            assertThat(visit.field("TPOT target (ms)")).hasValue("50");
            visit.run();

            assertThat(visit.bestInWords()).containsText("of 2,000 ms");
            assertThat(visit.page().locator(".job-heading")).containsText("vllm, FP8, with the calibrated model");
        }
    }

    @Test
    void theUsualLimitsStandThereUntilTheyAreCleared() {
        try (Visit visit = ready(visit())) {
            visit.startFrom("Prefill instances");
            assertThat(visit.field("TPOT target (ms)")).hasValue("");
            visit.page().locator("#plan button[type=reset]").click();
            assertThat(visit.field("TTFT target (ms)")).hasValue("2000");
            assertThat(visit.field("TPOT target (ms)")).hasValue("50");
            visit.field("TTFT target (ms)").fill("");
            visit.field("TPOT target (ms)").fill("");

            assertThat(visit.page().locator("#plan-words")).containsText("no targets");
        }
    }

    @Test
    void theTestDeviceStandsLastAndGivesWayToAnyOther() {
        try (Visit visit = ready(visit())) {
            visit.page().locator("[name='/cost_model'][value=analytic]").check();
            device(visit, "H100_SXM").uncheck();
            assertThat(visit.page().locator(".vendor legend").last()).hasText("Test and custom devices");
            assertThat(device(visit, TEST_DEVICE)).isVisible();
            assertThat(visit.page().locator("#device-choices input").last()).hasValue(TEST_DEVICE);
            device(visit, TEST_DEVICE).check();
            device(visit, "H200_SXM").check();
            assertThat(ticked(visit)).containsExactly("H200_SXM");
            device(visit, TEST_DEVICE).check();

            assertThat(ticked(visit)).containsExactly("H200_SXM", TEST_DEVICE);
        }
    }

    @Test
    void pastedDevicesJoinTheTestDeviceAlsoWhereItIsNotOffered() {
        try (Visit visit = ready(visit())) {
            assertThat(device(visit, TEST_DEVICE)).isHidden();
            visit.page().getByText("Paste device profiles").click();
            visit.field("Device profiles").fill("[{\"name\": \"MINE\"}]");
            visit.field("Device profiles").blur();

            assertThat(device(visit, "MINE")).isChecked();
            assertThat(visit.page().locator(".vendor legend:visible").last()).hasText("Test and custom devices");
            assertThat(device(visit, TEST_DEVICE)).isHidden();
        }
    }

    @Test
    void typingReplacesANumberThatTheSentenceLeadsTo() {
        List<String> labels =
                List.of("Devices", "Input length", "Output length", "TTFT target (ms)", "TPOT target (ms)");
        try (Visit visit = ready(visit())) {
            for (String label : labels) {
                part(visit, label).click();
                visit.page().keyboard().type("16");
                assertThat(setting(visit, label)).hasValue("16");
            }
            for (String label : labels) {
                part(visit, label).focus();
                visit.page().keyboard().press("Enter");
                visit.page().keyboard().type("32");
                assertThat(setting(visit, label)).hasValue("32");
            }
        }
    }

    private static Locator setting(Visit visit, String label) {
        return visit.page().locator("#settings").getByLabel(label, new Locator.GetByLabelOptions().setExact(true));
    }

    private static Locator part(Visit visit, String label) {
        return visit.page().locator("#plan-words .part[title='" + label + "']");
    }

    @Test
    void noAcceleratorIsAnErrorOfTheForm() {
        try (Visit visit = ready(visit())) {
            device(visit, "H100_SXM").uncheck();
            assertThat(visit.page().locator("#plan-words")).containsText("Select at least one accelerator");
            visit.run();

            assertThat(visit.page().locator("#plan-problem")).containsText("Select at least one accelerator");
            assertThat(visit.page().locator("#devices .error"))
                    .containsText("is required. Select at least one accelerator.");
            assertThat(visit.page().locator("#device-choices input:focus")).hasCount(1);
            assertThat(visit.submissions()).isEmpty();
            device(visit, "H200_SXM").check();
            assertThat(visit.page().locator("#devices .error")).hasCount(0);
            visit.run();
            assertThat(visit.page().locator(".job-heading h1")).hasText("Qwen/Qwen3-32B on 8 × H200_SXM");
        }
    }

    /// The service plans for it where a request names no device.
    @Test
    void figuresOfTheTestDeviceAreSaidToBeOfNoneThatCanBeBought() {
        try (Visit visit = visit()) {
            visit.openJob(visit.askForId(Questions.PREFILL));
            assertThat(visit.page().locator(".job-heading .notice"))
                    .hasText("TEST_DEVICE is a fictional device for tests and comparisons with msmodeling.");
            visit.openJob(visit.askForId(Questions.onH100(Questions.PREFILL)));

            assertThat(visit.page().locator(".job-heading .notice")).hasCount(0);
        }
    }

    /// Equal ids let a label name another field than its own.
    @Test
    void everyIdStandsForOneElementAndEveryLabelForOneField() {
        try (Visit visit = ready(visit())) {
            Locator models = visit.page().locator("[name='/cost_model']");
            for (Locator model : models.all()) {
                model.check();
                for (Locator mode :
                        visit.page().locator("[name='/mode']:enabled").all()) {
                    mode.check();
                    assertThat(visit.page().evaluate(REPEATED_IDS)).as("ids").isEqualTo(List.of());
                    assertThat(visit.page().evaluate(LABELS_OF_NOTHING))
                            .as("labels")
                            .isEqualTo(List.of());
                }
            }
        }
    }

    private static Visit ready(Visit visit) {
        visit.openSettings();
        assertThat(visit.field("Model")).hasValue("Qwen/Qwen3-32B");
        return visit;
    }

    private static Locator device(Visit visit, String name) {
        return visit.page().locator("#device-choices input[value='" + name + "']");
    }

    private static List<String> ticked(Visit visit) {
        return visit.page().locator("#device-choices input:checked").all().stream()
                .map(input -> input.getAttribute("value"))
                .toList();
    }
}

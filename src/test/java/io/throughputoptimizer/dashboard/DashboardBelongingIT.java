package io.throughputoptimizer.dashboard;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.request.Applicability;
import io.throughputoptimizer.api.request.CostModelName;
import io.throughputoptimizer.api.request.OptimizationRequest;
import io.throughputoptimizer.api.request.OptimizationRequest.Mode;
import io.throughputoptimizer.fixture.EveryNight;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The form offers a member where its record says that it belongs, and nowhere else.
@EveryNight
class DashboardBelongingIT extends BrowserTest {
    private static final List<Applicability> MEMBERS = Applicability.of(OptimizationRequest.class);

    /// Whether each control of the form can be used, or one of those with the same name, by pointer.
    private static final String OFFERED = """
            () => [...document.querySelectorAll("#plan [name^='/']")].reduce((offered, control) =>
              ({ ...offered, [control.name]: offered[control.name] || !control.matches(":disabled") }), {})""";

    @Test
    void whatIsOfferedIsWhatACostModelAndAModeTake() {
        try (Visit visit = visit().openSettings()) {
            assertThat(visit.page().locator("#plan-words")).not().isEmpty();
            TreeSet<String> judged = new TreeSet<>();
            for (CostModelName costModel : CostModelName.values()) {
                choose(visit, "/cost_model", costModel);
                for (Mode mode : Mode.values()) {
                    if (costModel == CostModelName.CALIBRATED && mode == Mode.DISAGGREGATION) {
                        assertThat(visit.page().locator("[name='/mode'][value=disaggregation]"))
                                .isDisabled();
                        continue;
                    }
                    choose(visit, "/mode", mode);
                    Map<String, Boolean> offered = offered(visit);
                    if (visit.page()
                            .locator("[name='length-kind'][value=turns]")
                            .isEnabled()) {
                        visit.page()
                                .locator("[name='length-kind'][value=turns]")
                                .check();
                        offered(visit).forEach((pointer, turns) -> offered.merge(pointer, turns, Boolean::logicalOr));
                    }
                    assertThat(offered).as(costModel + " " + mode).isEqualTo(taken(offered, costModel, mode));
                    judged.addAll(offered.keySet());
                }
            }
            assertThat(judged)
                    .contains("/slo/percentile", "/explain", "/demand/concurrency", "/search/strategy")
                    .hasSizeGreaterThan(40);
        }
    }

    private static void choose(Visit visit, String member, Enum<?> value) {
        visit.page()
                .locator("[name='%s'][value=%s]".formatted(member, WireFormat.name(value)))
                .check();
        for (String kind : List.of("length-kind", "output-kind")) {
            visit.page().locator("[name='%s'][value=mixed]".formatted(kind)).check();
        }
    }

    /// Of controls that not every question has.
    @SuppressWarnings("unchecked") // What the page answers is an object of booleans.
    private static Map<String, Boolean> offered(Visit visit) {
        return ((Map<String, Boolean>) visit.page().evaluate(OFFERED))
                .entrySet().stream()
                        .filter(control -> members(control.getKey()).findAny().isPresent())
                        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    private static Map<String, Boolean> taken(Map<String, Boolean> controls, CostModelName costModel, Mode mode) {
        return controls.keySet().stream()
                .collect(Collectors.toMap(
                        pointer -> pointer,
                        pointer -> members(pointer).allMatch(member -> member.isTaken(costModel, mode))));
    }

    /// Members that a control is, or is part of.
    private static Stream<Applicability> members(String pointer) {
        return MEMBERS.stream().filter(member -> (pointer + "/").startsWith(member.pointer() + "/"));
    }
}

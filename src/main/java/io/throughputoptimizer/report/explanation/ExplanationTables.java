package io.throughputoptimizer.report.explanation;

import static java.util.Objects.requireNonNull;

import io.throughputoptimizer.api.result.BindingResponse;
import io.throughputoptimizer.api.result.ExplanationResponse;
import io.throughputoptimizer.api.result.ExplanationResponse.AnswerResponse;
import io.throughputoptimizer.api.result.FrontierResponse;
import io.throughputoptimizer.api.result.FrontierResponse.FrontierPointResponse;
import io.throughputoptimizer.api.result.SensitivityResponse;
import io.throughputoptimizer.report.explanation.ChangeColumns.Changed;
import io.throughputoptimizer.report.table.Section;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Tables of sensitivities, one for each device and phase.
public final class ExplanationTables {
    private static final int WIDTH = 108;
    private static final String EACH_ALONE = " (each change alone, searched again)";

    private ExplanationTables() {}

    public static List<Section> of(ExplanationResponse explanation) {
        List<Section> sections = new ArrayList<>();
        for (AnswerResponse answer : explanation.answers()) {
            answer.bottlenecks().stream().map(BindingResponse::phase).distinct().forEach(phase -> {
                sections.add(BindingTables.limits(answer, phase));
                BindingTables.least(answer, phase).ifPresent(sections::add);
                BindingTables.operators(answer, phase).ifPresent(sections::add);
            });
            if (answer.best() != null) {
                sections.addAll(sensitivities(answer));
            } else {
                sections.add(relaxations(answer));
            }
            answer.paretoFrontier().forEach(frontier -> sections.add(FrontierTable.of(answer.device(), frontier)));
        }
        return sections;
    }

    /// Returns the changes that help and, apart, those that would cost; a line names changes without effect.
    private static List<Section> sensitivities(AnswerResponse answer) {
        Map<Boolean, List<SensitivityResponse>> effects = answer.sensitivities().stream()
                .filter(one -> !one.isWithoutEffect())
                .collect(Collectors.partitioningBy(SensitivityResponse::helps));
        List<SensitivityResponse> gains = requireNonNull(effects.get(true));
        List<SensitivityResponse> losses = requireNonNull(effects.get(false));
        List<String> notes = new ArrayList<>();
        if (gains.isEmpty()) {
            notes.add("No change that was tried helps.");
        }
        withoutEffect(answer).ifPresent(notes::add);
        notes.addAll(notes(answer));
        List<Section> sections = new ArrayList<>();
        sections.add(changes("What would help - " + about(answer) + EACH_ALONE, answer, gains, notes));
        if (!losses.isEmpty()) {
            sections.add(changes("What would cost - " + about(answer) + EACH_ALONE, answer, losses, List.of()));
        }
        return sections;
    }

    private static Section changes(
            String heading, AnswerResponse answer, List<SensitivityResponse> changes, List<String> notes) {
        return new Section.Comparison(
                WIDTH,
                List.of(heading),
                ChangeColumns.titled(
                        "Effect (%)",
                        changes.stream()
                                .map(one -> new Changed(
                                        answer,
                                        null,
                                        List.of(one.change()),
                                        one.effectPercent(),
                                        one.plan(),
                                        null,
                                        null))
                                .toList()),
                notes);
    }

    private static Optional<String> withoutEffect(AnswerResponse answer) {
        Map<String, List<String>> settings = new LinkedHashMap<>();
        answer.sensitivities().stream()
                .filter(SensitivityResponse::isWithoutEffect)
                .map(SensitivityResponse::change)
                .forEach(change -> settings.computeIfAbsent(change.named(), _ -> new ArrayList<>())
                        .add(ChangeColumns.to(change)));
        return settings.isEmpty()
                ? Optional.empty()
                : Optional.of("Without effect: "
                        + settings.entrySet().stream()
                                .map(lever -> lever.getKey() + " " + String.join(", ", lever.getValue()))
                                .collect(Collectors.joining("; ")));
    }

    private static List<Section.Fact> notAsked(AnswerResponse answer) {
        return Optional.ofNullable(answer.notAsked()).orElse(List.of()).stream()
                .map(one -> new Section.Fact("Not asked, " + one.lever(), one.reason()))
                .toList();
    }

    private static List<String> notes(AnswerResponse answer) {
        return notAsked(answer).stream()
                .map(fact -> fact.label() + ": " + fact.text())
                .toList();
    }

    private static Section relaxations(AnswerResponse answer) {
        if (answer.nearestFeasible().isEmpty()) {
            List<Section.Fact> left = notAsked(answer);
            return new Section.NoConfiguration(
                    left.isEmpty()
                            ? "No single change gives a configuration, and no limits together do."
                            : "No change that was searched gives a configuration.",
                    List.of(),
                    about(answer),
                    left);
        }
        return new Section.Comparison(
                WIDTH,
                List.of("Nearest feasible - " + about(answer) + " (the least that gives a configuration)"),
                ChangeColumns.titled(
                        "Size (%)",
                        answer.nearestFeasible().stream()
                                .map(one -> new Changed(
                                        answer, null, one.changes(), one.sizePercent(), one.plan(), null, null))
                                .toList()),
                notes(answer));
    }

    private static String about(AnswerResponse answer) {
        return answer.device() + ", " + answer.aim();
    }

    /// The points of a phase that no other one beats; of many the first, the last and some evenly between.
    static final class FrontierTable {
        private static final int WIDTH = 108;
        private static final int MOST = 20;

        private FrontierTable() {}

        static Section of(String device, FrontierResponse frontier) {
            List<FrontierPointResponse> points = frontier.known();
            int shown = Math.min(points.size(), MOST);
            return new Section.Comparison(
                    WIDTH,
                    List.of("Frontier - " + device + ", " + frontier.phase() + " (" + meaning(frontier) + ")"),
                    FrontierColumns.titled(points, place(points, shown).toList()),
                    notes(frontier, shown));
        }

        private static List<String> notes(FrontierResponse frontier, int shown) {
            int points = frontier.known().size();
            return Stream.<@Nullable String>of(
                            points > shown ? shown + " of " + points + " points; the JSON has all" : null,
                            frontier.untriedAbove() == null
                                    ? null
                                    : "Not every layout was tried above batch size " + frontier.untriedAbove()
                                            + ": that would simulate too many steps")
                    .<String>mapMulti((note, notes) -> {
                        if (note != null) {
                            notes.accept(note);
                        }
                    })
                    .toList();
        }

        private static String meaning(FrontierResponse frontier) {
            return Boolean.TRUE.equals(frontier.byLimit())
                    ? "the cost of each latency target"
                    : "tokens/s that no other configuration beats at the same latencies";
        }

        /// Returns evenly spread points, up to the number shown.
        private static Stream<FrontierPointResponse> place(List<FrontierPointResponse> points, int shown) {
            return IntStream.range(0, shown)
                    .map(index -> shown == 1 ? 0 : (int) ((long) index * (points.size() - 1) / (shown - 1)))
                    .mapToObj(points::get);
        }
    }
}

package io.throughputoptimizer.report;

import static java.util.Objects.requireNonNull;

import io.throughputoptimizer.api.result.BindingResponse;
import io.throughputoptimizer.api.result.ChangeResponse;
import io.throughputoptimizer.api.result.ExplanationResponse;
import io.throughputoptimizer.api.result.ExplanationResponse.AnswerResponse;
import io.throughputoptimizer.api.result.ExplanationResponse.InstanceResponse;
import io.throughputoptimizer.api.result.ExplanationResponse.PlanResponse;
import io.throughputoptimizer.api.result.ExplanationResponse.RelaxationResponse;
import io.throughputoptimizer.api.result.ObjectiveResponse;
import io.throughputoptimizer.api.result.SensitivityResponse;
import io.throughputoptimizer.core.serving.Decimals;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// What would help, as tables: one for each device and phase.
final class ExplanationTables {
    private static final int WIDTH = 108;
    private static final String THROUGHPUT = "Throughput";
    private static final String BATCH = "Batch";
    private static final List<String> PLAN = List.of(THROUGHPUT, "Parallel", BATCH, "TTFT (ms)", "TPOT (ms)");
    private static final String BOTH = " + ";
    private static final String EACH_ALONE = " (each change alone, searched again)";

    private ExplanationTables() {}

    static List<Section> of(ExplanationResponse explanation) {
        List<Section> sections = new ArrayList<>();
        for (AnswerResponse answer : explanation.answers()) {
            answer.binding().stream().map(BindingResponse::phase).distinct().forEach(phase -> {
                sections.add(BindingTables.limits(answer, phase));
                BindingTables.least(answer, phase).ifPresent(sections::add);
                BindingTables.operators(answer, phase).ifPresent(sections::add);
            });
            if (answer.best() != null) {
                sections.addAll(sensitivities(answer));
            } else {
                sections.add(relaxations(answer));
            }
            answer.frontier().forEach(frontier -> sections.add(FrontierTable.of(answer.device(), frontier)));
        }
        return sections;
    }

    /// What helps; apart from it what would cost, if anything does. What does neither is named in a line.
    private static List<Section> sensitivities(AnswerResponse answer) {
        Map<Boolean, List<SensitivityResponse>> effects = answer.whatWouldHelp().stream()
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
        sections.add(changes("What would help - " + about(answer) + EACH_ALONE, gains, notes));
        if (!losses.isEmpty()) {
            sections.add(changes("What would cost - " + about(answer) + EACH_ALONE, losses, List.of()));
        }
        return sections;
    }

    private static Section changes(String heading, List<SensitivityResponse> changes, List<String> notes) {
        return new Section.Comparison(
                WIDTH,
                List.of(heading),
                beside(
                        table(
                                columns(List.of("Change", "From", "To", "Effect (%)")),
                                changes.stream()
                                        .map(ExplanationTables::sensitivity)
                                        .toList(),
                                changes.stream()
                                        .<@Nullable PlanResponse>map(SensitivityResponse::plan)
                                        .toList()),
                        changes.stream().map(one -> objective(one.plan())).toList()),
                notes);
    }

    private static Optional<String> withoutEffect(AnswerResponse answer) {
        Map<String, List<String>> settings = new LinkedHashMap<>();
        answer.whatWouldHelp().stream()
                .filter(SensitivityResponse::isWithoutEffect)
                .map(SensitivityResponse::change)
                .forEach(change -> settings.computeIfAbsent(change.named(), _ -> new ArrayList<>())
                        .add(to(change)));
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

    /// Pairs in numbers of instances go by their throughput per device, and on measured devices have a concurrency over
    /// all of them where others have a batch size.
    private static Table table(List<String> columns, List<List<Cell>> rows, List<@Nullable PlanResponse> plans) {
        boolean pairs = plans.stream().anyMatch(plan -> plan != null && plan.tokensPerSPerDevice() != null);
        if (!pairs) {
            return new Table(columns, rows);
        }
        boolean measured = plans.stream().anyMatch(plan -> plan != null && plan.concurrency() != null);
        Table table = new Table(
                columns.stream()
                        .map(column -> measured && column.equals(BATCH) ? "Concurrency" : column)
                        .toList(),
                rows);
        return table.with(
                columns.indexOf(THROUGHPUT) + 1,
                "per device",
                plans.stream()
                        .map(plan -> plan == null ? Cell.MISSING : Cell.figure(plan.tokensPerSPerDevice()))
                        .toList());
    }

    /// With what plans are ranked by, before their throughput.
    ///
    /// @param objectives empty where a change leaves no plan, or nobody asked for one
    private static Table beside(Table table, List<Optional<ObjectiveResponse>> objectives) {
        return objectives.stream()
                .flatMap(Optional::stream)
                .flatMap(objective -> Objectives.title(objective).stream())
                .findFirst()
                .map(title -> table.with(
                        4,
                        title,
                        objectives.stream()
                                .map(objective -> Objectives.cell(objective.orElse(null)))
                                .toList()))
                .orElse(table);
    }

    private static Optional<ObjectiveResponse> objective(@Nullable PlanResponse plan) {
        return plan == null ? Optional.empty() : Optional.ofNullable(plan.objective());
    }

    private static List<Cell> sensitivity(SensitivityResponse one) {
        List<Cell> cells = new ArrayList<>(change(List.of(one.change())));
        cells.add(Cell.figure(one.effectPercent()));
        cells.addAll(plan(one.plan()));
        return cells;
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
                beside(
                        table(
                                columns(List.of("Change", "From", "To", "Size (%)")),
                                answer.nearestFeasible().stream()
                                        .map(ExplanationTables::relaxation)
                                        .toList(),
                                answer.nearestFeasible().stream()
                                        .<@Nullable PlanResponse>map(RelaxationResponse::plan)
                                        .toList()),
                        answer.nearestFeasible().stream()
                                .map(one -> objective(one.plan()))
                                .toList()),
                notes(answer));
    }

    private static List<Cell> relaxation(RelaxationResponse one) {
        List<Cell> cells = new ArrayList<>(change(one.changes()));
        cells.add(Cell.figure(one.sizePercent()));
        cells.addAll(plan(one.plan()));
        return cells;
    }

    private static String about(AnswerResponse answer) {
        return answer.device() + ", " + answer.aim();
    }

    private static List<String> columns(List<String> first) {
        List<String> columns = new ArrayList<>(first);
        columns.addAll(PLAN);
        return columns;
    }

    private static List<Cell> change(List<ChangeResponse> changes) {
        return List.of(
                text(changes, ChangeResponse::named),
                text(changes, change -> setting(change.from(), change.unit())),
                text(changes, ExplanationTables::to));
    }

    /// With what comes with it.
    private static String to(ChangeResponse change) {
        String setting = setting(change.to(), change.unit());
        if (change.kvCache() != null) {
            return setting + " (KV cache " + change.kvCache() + ")";
        }
        return change.idle() == null ? setting : setting + " (" + change.idle() + " stand idle)";
    }

    private static String setting(Object value, @Nullable String unit) {
        String shown = switch (value) {
            case Number number -> Decimals.shortest(number.doubleValue());
            case List<?> sizes when sizes.isEmpty() -> "any";
            case List<?> sizes -> sizes.stream().map(String::valueOf).collect(Collectors.joining(", "));
            default -> value.toString();
        };
        return unit == null ? shown : shown + " " + unit;
    }

    private static List<Cell> plan(@Nullable PlanResponse plan) {
        if (plan == null) {
            return PLAN.stream().map(column -> Cell.MISSING).toList();
        }
        List<InstanceResponse> instances = plan.instances();
        return List.of(
                Cell.figure(plan.rate()),
                text(instances, ExplanationTables::numbered),
                plan.concurrency() == null ? batches(instances) : new Cell.Count(plan.concurrency()),
                latency(instances, InstanceResponse::ttftMs),
                latency(instances, InstanceResponse::tpotMs));
    }

    static String numbered(InstanceResponse instance) {
        return instance.count() == null ? instance.label() : instance.count() + " x " + instance.label();
    }

    static Cell batches(List<InstanceResponse> instances) {
        return text(instances, instance -> instance.batchSize() == null ? "-" : Long.toString(instance.batchSize()));
    }

    static Cell latency(List<InstanceResponse> instances, Function<InstanceResponse, @Nullable Double> figure) {
        return instances.stream()
                .map(figure)
                .filter(millis -> millis != null)
                .findFirst()
                .map(Cell::figure)
                .orElse(Cell.MISSING);
    }

    private static <T> Cell text(List<T> parts, Function<T, String> text) {
        return new Cell.Text(parts.stream().map(text).collect(Collectors.joining(BOTH)));
    }
}

package io.throughputoptimizer.report.explanation;

import io.throughputoptimizer.api.result.ChangeResponse;
import io.throughputoptimizer.api.result.ExplanationResponse.AnswerResponse;
import io.throughputoptimizer.api.result.ExplanationResponse.InstanceResponse;
import io.throughputoptimizer.api.result.ExplanationResponse.NotAskedResponse;
import io.throughputoptimizer.api.result.ExplanationResponse.PlanResponse;
import io.throughputoptimizer.api.result.figure.ObjectiveResponse;
import io.throughputoptimizer.core.serving.Decimals;
import io.throughputoptimizer.report.table.Cell;
import io.throughputoptimizer.report.table.Column;
import io.throughputoptimizer.report.table.Objectives;
import io.throughputoptimizer.report.table.Table;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Columns of changes and what is best with them.
public final class ChangeColumns {
    private static final String BOTH = " + ";

    private static final Column<Changed> LEVER = Column.text(
            "lever",
            "Change",
            changed -> changed.notAsked == null
                    ? joined(changed.changes, ChangeResponse::named)
                    : changed.notAsked.lever());
    private static final Column<Changed> LABEL = ofInstances("label", "Parallel", ChangeColumns::numbered);
    private static final Column<Changed> BATCH =
            ofInstances("batch_size", Column.NONE, ChangeColumns::batch, plan -> plan.concurrency() == null);
    private static final Column<Changed> CONCURRENCY =
            ofPlan(Column.count("concurrency", Column.NONE, PlanResponse::concurrency));
    private static final Column<Changed> PER_DEVICE =
            ofPlan(Column.figure("tokens_per_s_per_device", "per device", PlanResponse::tokensPerSPerDevice));
    private static final Column<Changed> TTFT = latency("ttft_ms", "TTFT (ms)", InstanceResponse::ttftMs);
    private static final Column<Changed> TPOT = latency("tpot_ms", "TPOT (ms)", InstanceResponse::tpotMs);

    /// In tables for people.
    private static final List<Column<Changed>> CHANGE = List.of(
            LEVER,
            Column.text(
                    Column.NONE,
                    "From",
                    changed -> joined(changed.changes, change -> setting(change.from(), change.unit()))),
            Column.text(Column.NONE, "To", changed -> joined(changed.changes, ChangeColumns::to)));

    /// In CSV, where each change has a record.
    private static final List<Column<Changed>> RECORDED_CHANGE = List.of(
            LEVER,
            ofChange(Column.of("from", Column.NONE, change -> cell(change.from()))),
            ofChange(Column.of("to", Column.NONE, change -> cell(change.to()))),
            ofChange(Column.text("unit", Column.NONE, ChangeResponse::unit)));

    private static final List<Column<Changed>> RECORDED_PLAN = List.of(
            ofPlan(Column.figure("tokens_per_s", Column.NONE, PlanResponse::tokensPerS)),
            PER_DEVICE,
            ofPlan(Column.figure("balanced_requests_per_s", Column.NONE, PlanResponse::balancedRequestsPerS)),
            ofPlan(Column.figure(
                    "objective_value",
                    Column.NONE,
                    plan -> plan.objective() == null ? null : plan.objective().value())),
            LABEL,
            BATCH,
            CONCURRENCY,
            TTFT,
            TPOT);

    private static final List<Column<Changed>> RECORDED_BESIDE = List.of(
            ofChange(Column.text("kv_cache_dtype", Column.NONE, ChangeResponse::kvCacheDtype)),
            ofChange(Column.count("idle", Column.NONE, ChangeResponse::idle)),
            Column.<Changed>text(
                            "not_asked",
                            Column.NONE,
                            changed -> changed.notAsked == null ? null : changed.notAsked.reason())
                    .optional());

    private ChangeColumns() {}

    /// Changes and what is best with them.
    ///
    /// @param changes of which only all together are meant; none of a lever that was not tried
    /// @param percent the effect of a change, or how large it is
    /// @param plan absent where nothing is left
    /// @param notAsked a lever of which not every change was tried
    public record Changed(
            AnswerResponse answer,
            @Nullable Integer rank,
            List<ChangeResponse> changes,
            @Nullable Double percent,
            @Nullable PlanResponse plan,
            @Nullable String outcome,
            @Nullable NotAskedResponse notAsked) {}

    /// @param percent title of the figure of a change
    static Table titled(String percent, List<Changed> changes) {
        List<PlanResponse> plans =
                changes.stream().map(Changed::plan).filter(Objects::nonNull).toList();
        boolean measured = plans.stream().anyMatch(plan -> plan.tokensPerSPerDevice() != null)
                && plans.stream().anyMatch(plan -> plan.concurrency() != null);
        return Table.titled(
                Stream.of(
                                CHANGE,
                                List.of(Column.figure(Column.NONE, percent, Changed::percent)),
                                objective(plans).stream().toList(),
                                List.of(
                                        ofPlan(Column.figure(Column.NONE, "Throughput", PlanResponse::rate)),
                                        PER_DEVICE.optional(),
                                        LABEL,
                                        load(measured ? "Concurrency" : "Batch"),
                                        TTFT,
                                        TPOT))
                        .flatMap(List::stream)
                        .toList(),
                changes);
    }

    /// @param first columns before a change
    /// @param percent name of the figure of a change
    public static Table recorded(
            List<Column<Changed>> first, String percent, List<Column<Changed>> last, List<Changed> changes) {
        return Table.recorded(
                Stream.of(
                                List.of(
                                        Column.<Changed>text("device", Column.NONE, changed -> changed.answer.device()),
                                        Column.<Changed>text("aim", Column.NONE, changed -> changed.answer.aim())),
                                first,
                                RECORDED_CHANGE,
                                List.of(Column.figure(percent, Column.NONE, Changed::percent)),
                                RECORDED_PLAN,
                                last,
                                RECORDED_BESIDE)
                        .flatMap(List::stream)
                        .toList(),
                changes,
                false);
    }

    /// Returns the ranking objective, shown before the throughput.
    private static Optional<Column<Changed>> objective(List<PlanResponse> plans) {
        return plans.stream()
                .map(PlanResponse::objective)
                .filter(Objects::nonNull)
                .flatMap(objective -> Objectives.title(objective).stream())
                .findFirst()
                .map(title -> Column.of(Column.NONE, title, changed -> Objectives.cell(objective(changed.plan))));
    }

    private static @Nullable ObjectiveResponse objective(@Nullable PlanResponse plan) {
        return plan == null ? null : plan.objective();
    }

    /// Pairs on measured devices have a concurrency over all instances where others have a batch size.
    private static Column<Changed> load(String title) {
        return Column.of(
                Column.NONE,
                title,
                changed -> changed.plan == null || changed.plan.concurrency() == null
                        ? BATCH.cell().apply(changed)
                        : new Cell.Count(changed.plan.concurrency()));
    }

    private static Column<Changed> ofPlan(Column<PlanResponse> column) {
        return column.of(Changed::plan);
    }

    private static Column<Changed> ofChange(Column<ChangeResponse> column) {
        return column.of(changed -> changed.changes.isEmpty() ? null : changed.changes.getFirst());
    }

    private static Column<Changed> ofInstances(String name, String title, Function<InstanceResponse, String> text) {
        return ofInstances(name, title, text, _ -> true);
    }

    private static Column<Changed> ofInstances(
            String name, String title, Function<InstanceResponse, String> text, Predicate<PlanResponse> known) {
        return ofPlan(Column.text(name, title, plan -> known.test(plan) ? joined(plan.instances(), text) : null));
    }

    /// Returns the latency of the instance that has it: prefill or decode.
    private static Column<Changed> latency(
            String name, String title, Function<InstanceResponse, @Nullable Double> millis) {
        return ofPlan(Column.<PlanResponse>figure(
                name,
                title,
                plan -> plan.instances().stream()
                        .map(millis)
                        .filter(Objects::nonNull)
                        .findFirst()
                        .orElse(null)));
    }

    private static String numbered(InstanceResponse instance) {
        return instance.count() == null ? instance.label() : instance.count() + " x " + instance.label();
    }

    private static String batch(InstanceResponse instance) {
        return instance.batchSize() == null ? "-" : Long.toString(instance.batchSize());
    }

    /// With what comes with it.
    static String to(ChangeResponse change) {
        String setting = setting(change.to(), change.unit());
        if (change.kvCacheDtype() != null) {
            return setting + " (KV cache " + change.kvCacheDtype() + ")";
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

    private static Cell cell(Object value) {
        return value instanceof Number number ? Cell.figure(number.doubleValue()) : new Cell.Text(value.toString());
    }

    private static <T> String joined(List<T> parts, Function<T, String> text) {
        return parts.stream().map(text).collect(Collectors.joining(BOTH));
    }
}

package io.throughputoptimizer.report;

import io.throughputoptimizer.api.result.BindingResponse;
import io.throughputoptimizer.api.result.BindingResponse.MarginsResponse;
import io.throughputoptimizer.api.result.ChangeResponse;
import io.throughputoptimizer.api.result.ExplanationResponse;
import io.throughputoptimizer.api.result.ExplanationResponse.AnswerResponse;
import io.throughputoptimizer.api.result.ExplanationResponse.InstanceResponse;
import io.throughputoptimizer.api.result.ExplanationResponse.NotAskedResponse;
import io.throughputoptimizer.api.result.ExplanationResponse.PlanResponse;
import io.throughputoptimizer.api.result.ExplanationResponse.RelaxationResponse;
import io.throughputoptimizer.api.result.FrontierResponse.FrontierPointResponse;
import io.throughputoptimizer.api.result.LeastResponse;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The tables of an explanation as records: one line each, named as in JSON.
final class ExplanationRecords {
    private static final List<String> CHANGE = List.of("lever", "from", "to", "unit");
    private static final List<String> BESIDE = List.of("kv_cache", "idle");
    private static final List<String> PLAN = List.of(
            "tokens_per_s",
            "tokens_per_s_per_device",
            "balanced_qps",
            "objective_value",
            "label",
            "batch_size",
            "concurrency",
            "ttft_ms",
            "tpot_ms");

    private ExplanationRecords() {}

    static Table of(ExplanationResponse explanation, ExplanationPart part) {
        Function<AnswerResponse, Stream<List<Cell>>> rows = switch (part) {
            case BINDING -> answer -> answer.binding().stream().map(one -> binding(answer, one));
            case SENSITIVITIES ->
                answer -> answer.whatWouldHelp().stream()
                        .map(one -> joined(
                                about(answer),
                                change(one.change()),
                                List.of(Cell.figure(one.effectPercent())),
                                plan(one.plan()),
                                List.of(words(one.outcome())),
                                beside(one.change())));
            case RELAXATIONS -> ExplanationRecords::relaxations;
            case FRONTIER ->
                answer -> answer.frontier().stream()
                        .flatMap(frontier ->
                                frontier.known().stream().map(point -> point(answer, frontier.phase(), point)));
        };
        Table table = new Table(
                columns(part), explanation.answers().stream().flatMap(rows).toList());
        return part == ExplanationPart.SENSITIVITIES || part == ExplanationPart.RELAXATIONS
                ? withNotAsked(table, explanation)
                : table;
    }

    /// A line of each lever of which not every change was tried, with the reason: an empty table would say that nothing
    /// helps.
    private static Table withNotAsked(Table table, ExplanationResponse explanation) {
        List<String> columns = table.columns();
        List<List<Cell>> rows = new ArrayList<>(table.rows());
        List<Cell> reasons = new ArrayList<>(Collections.nCopies(rows.size(), Cell.MISSING));
        for (AnswerResponse answer : explanation.answers()) {
            for (NotAskedResponse one : Objects.requireNonNullElse(answer.notAsked(), List.<NotAskedResponse>of())) {
                Map<String, String> said =
                        Map.of("device", answer.device(), "aim", answer.aim(), CHANGE.getFirst(), one.lever());
                rows.add(columns.stream().map(column -> words(said.get(column))).toList());
                reasons.add(new Cell.Text(one.reason()));
            }
        }
        return rows.size() == table.rows().size()
                ? table
                : new Table(columns, rows).with(columns.size(), "not_asked", reasons);
    }

    private static List<String> columns(ExplanationPart part) {
        return switch (part) {
            case BINDING ->
                List.of(
                        "device",
                        "phase",
                        "label",
                        "batch_size",
                        "concurrency",
                        "feasible",
                        "binds",
                        "detail",
                        "ttft_left_ms",
                        "tpot_left_ms",
                        "memory_left_gb",
                        "least_ttft_ms",
                        "least_ttft_batch_size",
                        "least_ttft_concurrency",
                        "least_tpot_ms",
                        "least_tpot_batch_size",
                        "least_tpot_concurrency",
                        "least_memory_gb",
                        "least_memory_batch_size",
                        "least_memory_concurrency");
            case SENSITIVITIES ->
                joined(List.of("device", "aim"), CHANGE, List.of("effect_percent"), PLAN, List.of("outcome"), BESIDE);
            case RELAXATIONS -> joined(List.of("device", "aim", "rank"), CHANGE, List.of("size_percent"), PLAN, BESIDE);
            case FRONTIER ->
                List.of(
                        "device",
                        "phase",
                        "label",
                        "batch_size",
                        "concurrency",
                        "ttft_ms",
                        "tpot_ms",
                        "tokens_per_s",
                        "tokens_per_s_per_device",
                        "tokens_per_s_per_user",
                        "cost_per_million_tokens",
                        "within_slo");
        };
    }

    private static List<Cell> binding(AnswerResponse answer, BindingResponse binding) {
        MarginsResponse margins = binding.margins();
        LeastResponse least = binding.least();
        return List.of(
                new Cell.Text(answer.device()),
                new Cell.Text(binding.phase()),
                new Cell.Text(binding.label()),
                Cell.count(binding.batchSize()),
                Cell.count(binding.concurrency()),
                truth(binding.feasible()),
                new Cell.Text(binding.binds()),
                new Cell.Text(binding.detail()),
                margins == null ? Cell.MISSING : Cell.figure(margins.ttftMs()),
                margins == null ? Cell.MISSING : Cell.figure(margins.tpotMs()),
                margins == null ? Cell.MISSING : Cell.figure(margins.memoryGb()),
                least == null ? Cell.MISSING : Cell.figure(least.ttftMs()),
                least == null ? Cell.MISSING : Cell.count(least.ttftBatchSize()),
                least == null ? Cell.MISSING : Cell.count(least.ttftConcurrency()),
                least == null ? Cell.MISSING : Cell.figure(least.tpotMs()),
                least == null ? Cell.MISSING : Cell.count(least.tpotBatchSize()),
                least == null ? Cell.MISSING : Cell.count(least.tpotConcurrency()),
                least == null ? Cell.MISSING : Cell.figure(least.memoryGb()),
                least == null ? Cell.MISSING : Cell.count(least.memoryBatchSize()),
                least == null ? Cell.MISSING : Cell.count(least.memoryConcurrency()));
    }

    /// Changes that suffice together only are lines of the same rank.
    private static Stream<List<Cell>> relaxations(AnswerResponse answer) {
        List<List<Cell>> rows = new ArrayList<>();
        int rank = 0;
        for (RelaxationResponse one : answer.nearestFeasible()) {
            rank++;
            for (ChangeResponse change : one.changes()) {
                rows.add(joined(
                        about(answer),
                        List.of(new Cell.Count(rank)),
                        change(change),
                        List.of(Cell.figure(one.sizePercent())),
                        plan(one.plan()),
                        beside(change)));
            }
        }
        return rows.stream();
    }

    private static List<Cell> point(AnswerResponse answer, String phase, FrontierPointResponse point) {
        return List.of(
                new Cell.Text(answer.device()),
                new Cell.Text(phase),
                new Cell.Text(point.label()),
                FrontierTable.batches(point),
                Cell.count(point.concurrency()),
                Cell.figure(point.ttftMs()),
                Cell.figure(point.tpotMs()),
                Cell.figure(point.tokensPerS()),
                Cell.figure(point.tokensPerSPerDevice()),
                Cell.figure(point.tokensPerSPerUser()),
                Cell.figure(point.costPerMillionTokens()),
                truth(point.withinSlo()));
    }

    private static List<Cell> about(AnswerResponse answer) {
        return List.of(new Cell.Text(answer.device()), new Cell.Text(answer.aim()));
    }

    private static List<Cell> change(ChangeResponse change) {
        return List.of(
                new Cell.Text(change.named()),
                setting(change.from()),
                setting(change.to()),
                change.unit() == null ? Cell.MISSING : new Cell.Text(change.unit()));
    }

    /// What comes with a change.
    private static List<Cell> beside(ChangeResponse change) {
        return List.of(words(change.kvCache()), change.idle() == null ? Cell.MISSING : new Cell.Count(change.idle()));
    }

    private static Cell words(@Nullable String words) {
        return words == null ? Cell.MISSING : new Cell.Text(words);
    }

    private static Cell setting(Object value) {
        return value instanceof Number number ? Cell.figure(number.doubleValue()) : new Cell.Text(value.toString());
    }

    private static List<Cell> plan(@Nullable PlanResponse plan) {
        if (plan == null) {
            return PLAN.stream().map(_ -> Cell.MISSING).toList();
        }
        List<InstanceResponse> instances = plan.instances();
        return List.of(
                Cell.figure(plan.tokensPerS()),
                Cell.figure(plan.tokensPerSPerDevice()),
                Cell.figure(plan.balancedQps()),
                plan.objective() == null
                        ? Cell.MISSING
                        : Cell.figure(plan.objective().value()),
                text(instances, ExplanationTables::numbered),
                plan.concurrency() == null ? ExplanationTables.batches(instances) : Cell.MISSING,
                Cell.count(plan.concurrency()),
                ExplanationTables.latency(instances, InstanceResponse::ttftMs),
                ExplanationTables.latency(instances, InstanceResponse::tpotMs));
    }

    private static Cell text(List<InstanceResponse> instances, Function<InstanceResponse, String> text) {
        return new Cell.Text(instances.stream().map(text).collect(Collectors.joining(" + ")));
    }

    private static Cell truth(boolean value) {
        return new Cell.Text(Boolean.toString(value));
    }

    @SafeVarargs
    private static <T> List<T> joined(List<? extends T>... parts) {
        List<T> joined = new ArrayList<>();
        for (List<? extends T> part : parts) {
            joined.addAll(part);
        }
        return joined;
    }
}

package io.throughputoptimizer.report;

import io.throughputoptimizer.api.result.BindingResponse;
import io.throughputoptimizer.api.result.BindingResponse.HeaviestResponse;
import io.throughputoptimizer.api.result.BindingResponse.MarginsResponse;
import io.throughputoptimizer.api.result.BindingResponse.PassResponse;
import io.throughputoptimizer.api.result.CrossHardwareResponse;
import io.throughputoptimizer.api.result.ExplanationResponse.AnswerResponse;
import io.throughputoptimizer.api.result.LeastResponse;
import io.throughputoptimizer.api.result.MemoryResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// What binds the candidates of a phase, and what the best one spends its time on.
final class BindingTables {
    private static final int WIDTH = 108;
    private static final String BATCH = "Batch";
    private static final String AT_BATCH = "at batch";
    private static final List<String> LIMITS = List.of(
            "Parallel",
            BATCH,
            "Binds",
            "TTFT left (ms)",
            "TPOT left (ms)",
            "Memory left (GB)",
            "Weights (GB)",
            "KV cache (GB)",
            "Activation (GB)",
            "Bound of the passes");
    private static final List<String> LEAST =
            List.of("Parallel", "TTFT (ms)", AT_BATCH, "TPOT (ms)", AT_BATCH, "Memory (GB)", AT_BATCH);
    private static final List<String> OPERATORS = List.of("Pass", "Operator", "Calls", "Time (ms)", "Share (%)");

    private BindingTables() {}

    static Section limits(AnswerResponse answer, String phase) {
        List<BindingResponse> bindings = of(answer, phase);
        return new Section.Comparison(
                WIDTH,
                List.of("What binds - " + answer.device() + ", " + phase
                        + " (what the next request breaks, and what is left)"),
                new Table(
                        named(LIMITS, phase),
                        bindings.stream().map(BindingTables::row).toList()),
                bindings.stream()
                        .map(binding -> binding.label() + ": " + binding.detail())
                        .toList());
    }

    /// What each candidate reaches; empty where none says so, as in results of older versions.
    static Optional<Section> least(AnswerResponse answer, String phase) {
        List<List<Cell>> rows = of(answer, phase).stream()
                .flatMap(binding ->
                        Optional.ofNullable(binding.least()).map(least -> row(binding.label(), least)).stream())
                .toList();
        return rows.isEmpty()
                ? Optional.empty()
                : Optional.of(new Section.Comparison(
                        WIDTH,
                        List.of("The least - " + answer.device() + ", " + phase
                                + " (what each layout reaches whatever the limits, each figure by itself)"),
                        new Table(named(LEAST, phase), rows),
                        List.of()));
    }

    /// Of the best candidate; empty when no pass of it was priced.
    static Optional<Section> operators(AnswerResponse answer, String phase) {
        BindingResponse best = of(answer, phase).getFirst();
        List<List<Cell>> rows = new ArrayList<>();
        for (PassResponse pass : best.passes()) {
            pass.operators().forEach(operator -> rows.add(row(pass, operator)));
        }
        return rows.isEmpty()
                ? Optional.empty()
                : Optional.of(new Section.Comparison(
                        WIDTH,
                        List.of("Heaviest operators - " + answer.device() + ", " + phase + ", " + best.label()),
                        new Table(OPERATORS, rows),
                        List.of()));
    }

    /// Pairs of instances have a concurrency over all of them where others have a batch size.
    private static List<String> named(List<String> columns, String phase) {
        return columns.stream()
                .map(column -> switch (column) {
                    case BATCH -> phase.equals(CrossHardwareResponse.PD_RATIO) ? "Concurrency" : column;
                    case AT_BATCH -> phase.equals(CrossHardwareResponse.PD_RATIO) ? "at concurrency" : column;
                    default -> column;
                })
                .toList();
    }

    private static Cell count(@Nullable Long batchSize, @Nullable Long concurrency) {
        return Cell.count(batchSize == null ? concurrency : batchSize);
    }

    private static List<BindingResponse> of(AnswerResponse answer, String phase) {
        return answer.binding().stream()
                .filter(binding -> binding.phase().equals(phase))
                .toList();
    }

    private static List<Cell> row(BindingResponse binding) {
        MarginsResponse margins = binding.margins();
        MemoryResponse memory = binding.memory();
        return List.of(
                new Cell.Text(binding.label()),
                count(binding.batchSize(), binding.concurrency()),
                new Cell.Text(binding.binds()),
                margins == null ? Cell.MISSING : Cell.figure(margins.ttftMs()),
                margins == null ? Cell.MISSING : Cell.figure(margins.tpotMs()),
                margins == null ? Cell.MISSING : Cell.figure(margins.memoryGb()),
                memory == null ? Cell.MISSING : Cell.figure(memory.weightGb()),
                memory == null ? Cell.MISSING : Cell.figure(memory.kvCacheGb()),
                memory == null ? Cell.MISSING : Cell.figure(memory.activationGb()),
                new Cell.Text(binding.passes().stream()
                        .map(pass -> pass.phase() + ": " + pass.bound())
                        .collect(Collectors.joining(", "))));
    }

    private static List<Cell> row(String label, LeastResponse least) {
        return List.of(
                new Cell.Text(label),
                Cell.figure(least.ttftMs()),
                count(least.ttftBatchSize(), least.ttftConcurrency()),
                Cell.figure(least.tpotMs()),
                count(least.tpotBatchSize(), least.tpotConcurrency()),
                Cell.figure(least.memoryGb()),
                count(least.memoryBatchSize(), least.memoryConcurrency()));
    }

    private static List<Cell> row(PassResponse pass, HeaviestResponse operator) {
        return List.of(
                new Cell.Text(pass.phase()),
                new Cell.Text(operator.name()),
                new Cell.Count(operator.calls()),
                Cell.figure(operator.totalMs()),
                Cell.figure(operator.sharePercent()));
    }
}

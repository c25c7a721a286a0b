package io.throughputoptimizer.report.explanation;

import io.throughputoptimizer.api.result.BindingResponse;
import io.throughputoptimizer.api.result.BindingResponse.MarginsResponse;
import io.throughputoptimizer.api.result.ExplanationResponse.AnswerResponse;
import io.throughputoptimizer.api.result.figure.LeastResponse;
import io.throughputoptimizer.api.result.figure.MemoryResponse;
import io.throughputoptimizer.report.table.Column;
import io.throughputoptimizer.report.table.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Columns of what binds the candidates of a phase.
public final class BindingColumns {
    private static final Column<BindingResponse> LABEL = Column.text("label", "Parallel", BindingResponse::label);
    private static final Column<BindingResponse> BINDS = Column.text("limited_by", "Binds", BindingResponse::limitedBy);

    /// Margins to each limit.
    private static final List<Column<BindingResponse>> MARGINS = List.of(
            margin("ttft_left_ms", "TTFT left (ms)", MarginsResponse::ttftMs),
            margin("tpot_left_ms", "TPOT left (ms)", MarginsResponse::tpotMs),
            margin("e2e_latency_left_ms", "Request latency left (ms)", MarginsResponse::e2eLatencyMs)
                    .optional(),
            margin("memory_left_gb", "Memory left (GB)", MarginsResponse::memoryGb));

    private static final List<Column<BindingResponse>> MEMORY = List.of(
            memory("Weights (GB)", MemoryResponse::weightGb),
            memory("KV cache (GB)", MemoryResponse::kvCacheGb),
            memory("Activation (GB)", MemoryResponse::activationGb),
            Column.text(
                    Column.NONE,
                    "Bound of the passes",
                    binding -> binding.passes().stream()
                            .map(pass -> pass.phase() + ": " + pass.bound())
                            .collect(Collectors.joining(", "))));

    /// Pairs of instances have a concurrency over all of them where others have a batch size.
    private record Load(String batches, String all) {
        private String title(boolean paired) {
            return paired ? all : batches;
        }
    }

    private static final Load LOAD = new Load("Batch", "Concurrency");
    private static final Load AT_LOAD = new Load("at batch", "at concurrency");

    /// Best value of a figure and its concurrency.
    private record Reached(
            String name,
            String title,
            Function<LeastResponse, @Nullable Double> figure,
            Function<LeastResponse, @Nullable Long> batchSize,
            Function<LeastResponse, @Nullable Long> concurrency) {

        private Stream<Column<LeastResponse>> columns(boolean paired) {
            String at = name.substring(0, name.lastIndexOf('_'));
            return Stream.of(
                    Column.figure(name, title, figure),
                    Column.count(at + "_batch_size", Column.NONE, batchSize::apply),
                    Column.count(at + "_concurrency", Column.NONE, concurrency::apply),
                    Column.count(
                            Column.NONE,
                            AT_LOAD.title(paired),
                            least -> either(batchSize.apply(least), concurrency.apply(least))));
        }
    }

    private static final List<Reached> LEAST = List.of(
            new Reached(
                    "least_ttft_ms",
                    "TTFT (ms)",
                    LeastResponse::ttftMs,
                    LeastResponse::ttftBatchSize,
                    LeastResponse::ttftConcurrency),
            new Reached(
                    "least_tpot_ms",
                    "TPOT (ms)",
                    LeastResponse::tpotMs,
                    LeastResponse::tpotBatchSize,
                    LeastResponse::tpotConcurrency),
            new Reached(
                    "least_memory_gb",
                    "Memory (GB)",
                    LeastResponse::memoryGb,
                    LeastResponse::memoryBatchSize,
                    LeastResponse::memoryConcurrency));

    private BindingColumns() {}

    /// Limiting constraint of a candidate, with its answer.
    public record Bound(AnswerResponse answer, BindingResponse binding) {}

    /// @param paired whether candidates are pairs of instances
    static Table limits(List<BindingResponse> bindings, boolean paired) {
        return Table.titled(
                joined(
                        List.of(
                                LABEL,
                                Column.count(
                                        Column.NONE,
                                        LOAD.title(paired),
                                        binding -> either(binding.batchSize(), binding.concurrency())),
                                BINDS),
                        MARGINS,
                        MEMORY),
                bindings);
    }

    /// Returns the best values of each candidate regardless of limits.
    static Table least(List<BindingResponse> bindings, boolean paired) {
        return Table.titled(joined(List.of(LABEL), reached(paired)), bindings);
    }

    public static Table recorded(List<Bound> bindings) {
        List<Column<Bound>> columns = Stream.concat(
                        Stream.of(Column.<Bound>text("device", Column.NONE, bound -> bound.answer.device())),
                        joined(
                                        List.of(
                                                Column.text("phase", Column.NONE, BindingResponse::phase),
                                                LABEL,
                                                Column.count("batch_size", Column.NONE, BindingResponse::batchSize),
                                                Column.count("concurrency", Column.NONE, BindingResponse::concurrency),
                                                Column.text(
                                                        "feasible",
                                                        Column.NONE,
                                                        binding -> Boolean.toString(binding.feasible())),
                                                BINDS,
                                                Column.text("detail", Column.NONE, BindingResponse::detail)),
                                        MARGINS,
                                        reached(false))
                                .stream()
                                .map(column -> column.<Bound>of(Bound::binding)))
                .toList();
        return Table.recorded(columns, bindings, false);
    }

    private static List<Column<BindingResponse>> reached(boolean paired) {
        return LEAST.stream()
                .flatMap(reached -> reached.columns(paired))
                .map(column -> column.<BindingResponse>of(BindingResponse::least))
                .toList();
    }

    private static @Nullable Long either(@Nullable Long batchSize, @Nullable Long concurrency) {
        return batchSize == null ? concurrency : batchSize;
    }

    private static Column<BindingResponse> margin(
            String name, String title, Function<MarginsResponse, @Nullable Double> left) {
        return Column.figure(name, title, left).of(BindingResponse::margins);
    }

    private static Column<BindingResponse> memory(String title, Function<MemoryResponse, @Nullable Double> gb) {
        return Column.figure(Column.NONE, title, gb).of(BindingResponse::memory);
    }

    @SafeVarargs
    private static <R> List<Column<R>> joined(List<Column<R>>... parts) {
        List<Column<R>> joined = new ArrayList<>();
        for (List<Column<R>> part : parts) {
            joined.addAll(part);
        }
        return joined;
    }
}

package io.throughputoptimizer.report;

import io.throughputoptimizer.api.result.RowResponse;
import io.throughputoptimizer.api.result.RowResponse.CompositionResponse;
import io.throughputoptimizer.api.result.figure.BreakdownResponse;
import io.throughputoptimizer.api.result.figure.MemoryResponse;
import io.throughputoptimizer.api.result.figure.ParallelResponse;
import io.throughputoptimizer.api.result.figure.PhaseName;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// What rows of samples differ in.
///
/// @param parts of the mixed batch; empty for fixed lengths
record SampleRow(
        @Nullable Integer rank,
        ParallelResponse parallel,
        long batchSize,
        @Nullable Double ttft,
        @Nullable Double tpot,
        double throughput,
        MemoryResponse memory,
        List<CompositionResponse> parts,
        List<String> warnings) {
    private static final MemoryResponse MEMORY = memory(null, null);
    private static final int[] LENGTHS = {250, 750, 1750, 2250, 2750, 3250};
    private static final double[] RATIOS = {0.247, 0.046, 0.061, 0.085, 0.079, 0.088};

    SampleRow(
            @Nullable Integer rank,
            ParallelResponse parallel,
            long batchSize,
            @Nullable Double ttft,
            @Nullable Double tpot,
            double throughput) {
        this(rank, parallel, batchSize, ttft, tpot, throughput, MEMORY, List.of(), List.of());
    }

    /// The layout of a dense model.
    static ParallelResponse dense(int tp, int dp) {
        return new ParallelResponse("TP=%d | PP=1 | DP=%d".formatted(tp, dp), tp, 1, dp, null, null, null, null, null);
    }

    SampleRow flagged(boolean adjusted, boolean exact) {
        return new SampleRow(
                rank,
                parallel,
                batchSize,
                ttft,
                tpot,
                throughput,
                memory(adjusted ? true : null, exact ? null : false),
                parts,
                warnings);
    }

    SampleRow warned(String... words) {
        return new SampleRow(rank, parallel, batchSize, ttft, tpot, throughput, memory, parts, List.of(words));
    }

    SampleRow mixed(long... samples) {
        List<CompositionResponse> mix = IntStream.range(0, samples.length)
                .mapToObj(i -> new CompositionResponse(LENGTHS[i], LENGTHS[i], RATIOS[i], samples[i], null, null))
                .toList();
        return new SampleRow(rank, parallel, batchSize, ttft, tpot, throughput, memory, mix, warnings);
    }

    /// The row as the result of a phase has it.
    RowResponse in(PhaseName phase) {
        boolean mixed = !parts.isEmpty();
        BreakdownResponse prefill = ttft == null ? null : new BreakdownResponse(10, 20, 65.125, 4.875);
        BreakdownResponse decode = tpot == null ? null : new BreakdownResponse(100 / 1.5, 100 / 3.0, 0, 0);
        boolean aggregated = phase == PhaseName.AGGREGATION;
        return new RowResponse(
                rank,
                parallel,
                batchSize,
                concurrency(),
                ttft,
                tpot,
                throughput,
                throughput / parallel.numDevices(),
                requestsPerS(),
                sustained(),
                mixed ? null : 3500,
                1500,
                mixed ? 4230 : 3500,
                mixed ? 140_000 : 8192,
                ttft == null ? 0 : 1,
                switch (phase) {
                    case PREFILL -> prefill;
                    case DECODE -> decode;
                    case AGGREGATION -> null;
                },
                aggregated ? prefill : null,
                aggregated ? decode : null,
                memory,
                mixed ? "all" : null,
                mixed ? 1.0 : null,
                mixed ? concurrency() : null,
                mixed ? parts : null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                warnings.isEmpty() ? null : warnings);
    }

    private long concurrency() {
        return batchSize * parallel.dp();
    }

    private @Nullable Double requestsPerS() {
        if (ttft != null && tpot == null) {
            return concurrency() / ttft * 1000;
        }
        return tpot != null && ttft == null ? concurrency() / (tpot * 1500) * 1000 : null;
    }

    private @Nullable Double sustained() {
        Double requestsPerS = requestsPerS();
        return requestsPerS == null ? Double.valueOf(throughput / 1500) : requestsPerS;
    }

    private static MemoryResponse memory(@Nullable Boolean adjusted, @Nullable Boolean exact) {
        return new MemoryResponse(64, 4.125, 30.5, null, null, null, 0.75, 10.0, 18.625, adjusted, exact, null, null);
    }
}

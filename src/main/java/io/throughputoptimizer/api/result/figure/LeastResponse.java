package io.throughputoptimizer.api.result.figure;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.core.explain.Binding.BestReachable;
import io.throughputoptimizer.core.forward.MemoryFootprint;
import org.jspecify.annotations.Nullable;

/// The least that a candidate reaches, as it goes over the wire.
@Schema(name = "LeastReached")
public record LeastResponse(
        @Nullable Double ttftMs,
        @Nullable Long ttftBatchSize,
        @Nullable Long ttftConcurrency,
        @Nullable Double tpotMs,
        @Nullable Long tpotBatchSize,
        @Nullable Long tpotConcurrency,
        double memoryGb,
        @Nullable Long memoryBatchSize,
        @Nullable Long memoryConcurrency) {

    /// @param pair whether figures are of a concurrency over all instances, not of a batch size
    public static @Nullable LeastResponse from(@Nullable BestReachable least, boolean pair) {
        if (least == null) {
            return null;
        }
        BestReachable.Figure ttft = least.ttftMillis();
        BestReachable.Figure tpot = least.tpotMillis();
        BestReachable.Figure memory = least.memoryBytes();
        return new LeastResponse(
                ttft == null ? null : ttft.value(),
                pair ? null : at(ttft),
                pair ? at(ttft) : null,
                tpot == null ? null : tpot.value(),
                pair ? null : at(tpot),
                pair ? at(tpot) : null,
                memory.value() / MemoryFootprint.GIB,
                pair ? null : at(memory),
                pair ? at(memory) : null);
    }

    private static @Nullable Long at(BestReachable.@Nullable Figure figure) {
        return figure == null ? null : figure.batchSize();
    }
}

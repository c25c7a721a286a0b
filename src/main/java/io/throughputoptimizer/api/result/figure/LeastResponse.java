package io.throughputoptimizer.api.result.figure;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.core.explain.Binding.BestReachable;
import io.throughputoptimizer.core.forward.MemoryFootprint;
import org.jspecify.annotations.Nullable;

/// The least that a candidate reaches, as it goes over the wire.
@Schema(
        name = "LeastReached",
        description =
                "The least that a candidate reaches whatever the limits, each figure by itself, over the batch sizes"
                        + " of the frontier. Where memory is short at the smallest one already, of that one on devices with enough."
                        + " Pairs of instances with cost model `calibrated` have concurrencies over all instances instead.")
public record LeastResponse(
        @Schema(description = "Least TTFT in ms; absent where the phase has none, or it could not be priced.") @Nullable
        Double ttftMs,

        @Schema(description = "Smallest batch size that has it.") @Nullable
        Long ttftBatchSize,

        @Schema(description = "Smallest concurrency that has it.") @Nullable
        Long ttftConcurrency,

        @Schema(description = "Least TPOT in ms; absent where the phase has none, or it could not be priced.") @Nullable
        Double tpotMs,

        @Schema(description = "Smallest batch size that has it.") @Nullable
        Long tpotBatchSize,

        @Schema(description = "Smallest concurrency that has it.") @Nullable
        Long tpotConcurrency,

        @Schema(
                description =
                        "Least memory that the passes take on a device in GB, without what is reserved; with cost model"
                                + " `calibrated` weights and the KV cache of the requests that run.")
        double memoryGb,

        @Schema(description = "Smallest batch size that has it.") @Nullable
        Long memoryBatchSize,

        @Schema(description = "Smallest concurrency that has it.") @Nullable
        Long memoryConcurrency) {

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

package io.throughputoptimizer.api.result.figure;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.core.explain.Binding.BestReachable;
import io.throughputoptimizer.core.forward.MemoryFootprint;
import org.jspecify.annotations.Nullable;

/// The least that a candidate reaches, as it goes over the wire.
@Schema(
        name = "LeastReached",
        description = "Lowest TTFT, TPOT and memory of a candidate, each separately, over the batch sizes"
                + " of the frontier, feasible or not. If memory is short at the smallest batch size, the"
                + " figures are of that size on devices with enough memory. Calibrated pairs of"
                + " instances have concurrencies over all instances instead of batch sizes.")
public record LeastResponse(
        @Schema(description = "Lowest TTFT in ms. Absent if the phase has none or it could not be priced.") @Nullable
        Double ttftMs,

        @Schema(description = "Smallest batch size with the lowest TTFT.") @Nullable
        Long ttftBatchSize,

        @Schema(description = "Smallest concurrency with the lowest TTFT.") @Nullable
        Long ttftConcurrency,

        @Schema(description = "Lowest TPOT in ms. Absent if the phase has none or it could not be priced.") @Nullable
        Double tpotMs,

        @Schema(description = "Smallest batch size with the lowest TPOT.") @Nullable
        Long tpotBatchSize,

        @Schema(description = "Smallest concurrency with the lowest TPOT.") @Nullable
        Long tpotConcurrency,

        @Schema(
                description = "Lowest memory of the passes on a device in GiB, without reserved memory. With"
                        + " `cost_model: calibrated`: weights and the KV cache of running requests.")
        double memoryGb,

        @Schema(description = "Smallest batch size with the lowest memory.") @Nullable
        Long memoryBatchSize,

        @Schema(description = "Smallest concurrency with the lowest memory.") @Nullable
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

package io.throughputoptimizer.catalog;

import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// All-reduces of a device in its [CalibrationDocument].
///
/// @param source origin; null if unknown
/// @param linkBytesPerSecond bandwidth of the link that the tables were measured on, of one device in one
///     direction; null for that of the peaks
/// @param table pairs of the full tensor's bytes and microseconds, smallest first, by engine and number of
///     ranks; null for none
/// @param forms parameters for rank counts without a table, by engine, or `pooled` for other engines; null for
///     none
@Schema(
        name = "AllReduceCalibration",
        description = "Measured all-reduces within the link domain. The service uses the table of the engine and rank"
                + " count, else the formula of the engine, else the formula `pooled`. Other devices"
                + " cannot borrow them.")
public record AllReduceDocument(
        @Schema(description = "Source of the values. Optional.") @Nullable
        String source,

        @Schema(
                description = "Bandwidth of one device in one direction that `table` was measured with, in bytes/s."
                        + " With another bandwidth, tensors count as larger or smaller in that"
                        + " ratio. Default: that of `peaks`.",
                minimum = NumberRange.WHOLE,
                maximum = NumberRange.MOST_BYTES)
        @Nullable
        Double linkBytesPerSecond,

        @Schema(
                description = "Table by engine and rank count: pairs of tensor bytes and microseconds, smallest"
                        + " tensor first. Interpolated in logarithms; beyond the last pair, time"
                        + " grows in proportion to the bytes.",
                example = "{\"vllm\": {\"2\": [[256, 4.3], [1048576, 8.1]]}}")
        @Nullable
        Map<String, Map<String, List<List<Double>>>> table,

        @Schema(
                description = "Formula parameters by engine or `pooled`: `latency_us`, `latency_per_rank_us`,"
                        + " `one_shot_efficiency`, `two_shot_us`, `two_shot_efficiency`, `ring_us`"
                        + " and `ring_efficiency`.")
        @Nullable
        Map<String, Map<String, Double>> forms) {}

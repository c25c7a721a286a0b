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
@Schema(name = "AllReduceCalibration")
public record AllReduceDocument(
        @Nullable String source,

        @Schema(minimum = NumberRange.WHOLE, maximum = NumberRange.MOST_BYTES) @Nullable
        Double linkBytesPerSecond,

        @Nullable Map<String, Map<String, List<List<Double>>>> table,
        @Nullable Map<String, Map<String, Double>> forms) {}

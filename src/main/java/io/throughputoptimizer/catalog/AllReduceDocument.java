package io.throughputoptimizer.catalog;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
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
        description =
                "All-reduces within the domain of the link as they were measured: the table of the engine and number of ranks counts, else the form of the engine, else the form `pooled`. They are not borrowed.")
@JsonInclude(JsonInclude.Include.NON_NULL)
public record AllReduceDocument(
        @JsonProperty("source") @Schema(description = "Where they come from; optional.") @Nullable
        String source,

        @JsonProperty("link_bytes_per_second")
        @Schema(
                description =
                        "Bandwidth of one device in one direction that `table` was measured with; that of `peaks` if absent. With another one a tensor takes as long as one smaller in that ratio.",
                minimum = NumberRange.WHOLE,
                maximum = NumberRange.MOST_BYTES)
        @Nullable
        Double linkBytesPerSecond,

        @JsonProperty("table")
        @Schema(
                description =
                        "By engine and number of ranks: pairs of the bytes of the full tensor and microseconds, the smallest tensor first. Between two pairs lies the line through their logarithms; beyond the last one time grows with the bytes.",
                example = "{\"vllm\": {\"2\": [[256, 4.3], [1048576, 8.1]]}}")
        @Nullable
        Map<String, Map<String, List<List<Double>>>> table,

        @JsonProperty("forms")
        @Schema(
                description =
                        "By engine or `pooled`: `latency_us`, `latency_per_rank_us`, `one_shot_efficiency`, `two_shot_us`, `two_shot_efficiency`, `ring_us` and `ring_efficiency`.")
        @Nullable
        Map<String, Map<String, Double>> forms) {}

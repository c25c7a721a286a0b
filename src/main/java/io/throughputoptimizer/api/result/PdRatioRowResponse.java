package io.throughputoptimizer.api.result;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.core.search.InstanceCounts;
import io.throughputoptimizer.core.search.PdRatioRow;
import org.jspecify.annotations.Nullable;

/// A kind of prefill instance that feeds a kind of decode instance.
@Schema(name = "PdRatioRow", description = "A kind of prefill instance that feeds a kind of decode instance.")
public record PdRatioRowResponse(
        @Schema(description = "Place in its table, from 1.", example = "1")
        int rank,

        @Schema(description = "Prefill instances per decode instance that keep both busy.", example = "2.0")
        double pdRatio,

        @JsonProperty("p_qps") @Schema(description = "Requests per second of one prefill instance.")
        double prefillQps,

        @JsonProperty("d_qps") @Schema(description = "Requests per second of one decode instance.")
        double decodeQps,

        @Schema(description = "The lesser of both; devices used do not enter.")
        double balancedQps,

        @JsonProperty("ttft_p") @Schema(description = "Time to first token in ms.")
        double ttft,

        @JsonProperty("tpot_d") @Schema(description = "Time per output token in ms.")
        double tpot,

        @JsonProperty("parallel_p") @Schema(description = "How the devices of a prefill instance are split.")
        ParallelResponse prefillParallel,

        @JsonProperty("parallel_d") @Schema(description = "How the devices of a decode instance are split.")
        ParallelResponse decodeParallel,

        @JsonProperty("num_devices_p") @Schema(description = "Devices of one prefill instance.")
        int prefillDevices,

        @JsonProperty("num_devices_d") @Schema(description = "Devices of one decode instance.")
        int decodeDevices,

        @JsonProperty("batch_size_p") @Schema(description = "Requests per data parallel rank of a prefill instance.")
        long prefillBatchSize,

        @JsonProperty("batch_size_d") @Schema(description = "Requests per data parallel rank of a decode instance.")
        long decodeBatchSize,

        @JsonProperty("concurrency_p") @Schema(description = "Requests of a whole prefill instance.")
        long prefillConcurrency,

        @JsonProperty("concurrency_d") @Schema(description = "Requests of a whole decode instance.")
        long decodeConcurrency,

        @Schema(description = "Prefill instances that the devices hold at this ratio; absent when none fit.") @Nullable
        Integer prefillInstances,

        @Schema(description = "Decode instances that the devices hold at this ratio; absent when none fit.") @Nullable
        Integer decodeInstances) {

    /// @param rank place in the table that it is shown in
    static PdRatioRowResponse from(PdRatioRow row, int rank) {
        InstanceCounts instances = row.instances();
        return new PdRatioRowResponse(
                rank,
                row.ratio(),
                row.prefill().qps(),
                row.decode().qps(),
                row.balancedQps(),
                row.prefill().latencyMillis(),
                row.decode().latencyMillis(),
                ParallelResponse.from(row.prefill().candidate()),
                ParallelResponse.from(row.decode().candidate()),
                row.prefill().deviceCount(),
                row.decode().deviceCount(),
                row.prefill().batchSize(),
                row.decode().batchSize(),
                row.prefill().concurrency(),
                row.decode().concurrency(),
                instances == null ? null : instances.prefill(),
                instances == null ? null : instances.decode());
    }
}

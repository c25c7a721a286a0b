package io.throughputoptimizer.api.result;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.result.figure.ParallelResponse;
import io.throughputoptimizer.core.calibrated.CalibratedInstances;
import io.throughputoptimizer.core.calibrated.CalibratedPoint;
import io.throughputoptimizer.core.search.InstanceCounts;
import io.throughputoptimizer.core.search.PdRatioRow;
import org.jspecify.annotations.Nullable;

/// Numbers of prefill and decode instances, as a point of a frontier names them.
@Schema(name = "PairedInstances", description = "Numbers of prefill and decode instances, named as in rows.")
public record PairedResponse(
        @Schema(description = "How the devices of a prefill instance are split.") @Nullable
        ParallelResponse parallelP,

        @Schema(description = "How the devices of a decode instance are split.") @Nullable
        ParallelResponse parallelD,

        @Schema(description = "Prefill instances.") @Nullable
        Integer prefillInstances,

        @Schema(description = "Decode instances.") @Nullable Integer decodeInstances,

        @Schema(description = "Devices of all instances; the others are idle.") @Nullable
        Integer devicesUsed,

        @JsonProperty("batch_size_p")
        @Schema(description = "Requests per data parallel rank of a prefill instance; cost model `analytic` only.")
        @Nullable
        Long prefillBatchSize,

        @JsonProperty("batch_size_d")
        @Schema(description = "Requests per data parallel rank of a decode instance; cost model `analytic` only.")
        @Nullable
        Long decodeBatchSize) {

    static PairedResponse from(CalibratedPoint at) {
        CalibratedInstances.Pair pair = at.pair();
        return new PairedResponse(
                ParallelResponse.from(pair.prefill()),
                ParallelResponse.from(pair.decode()),
                pair.counts().prefill(),
                pair.counts().decode(),
                at.devices(),
                null,
                null);
    }

    static PairedResponse from(PdRatioRow row, PdRatioRow.Together together) {
        InstanceCounts counts = requireNonNull(row.instances(), "a pair without numbers of instances");
        return new PairedResponse(
                ParallelResponse.from(row.prefill().candidate()),
                ParallelResponse.from(row.decode().candidate()),
                counts.prefill(),
                counts.decode(),
                together.devices(),
                row.prefill().batchSize(),
                row.decode().batchSize());
    }

    /// Returns the response, or null for aggregated instances.
    static @Nullable PairedResponse orAbsent(@Nullable PairedResponse pair) {
        return pair == null || pair.parallelP == null ? null : pair;
    }

    /// Returns the label of the limiting constraint.
    String label() {
        return parallelP == null || parallelD == null
                ? ""
                : prefillInstances + " x " + parallelP.label() + " feed " + decodeInstances + " x " + parallelD.label();
    }
}

package io.throughputoptimizer.api.result;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.core.fleet.PairPoint;
import org.jspecify.annotations.Nullable;

/// Numbers of prefill and decode instances, as a point of a frontier names them.
@Schema(
        name = "PairedInstances",
        description = "Numbers of prefill and decode instances, named as in rows; cost model `calibrated` only.")
public record PairedResponse(
        @Schema(description = "How the devices of a prefill instance are split.") @Nullable
        ParallelResponse parallelP,

        @Schema(description = "How the devices of a decode instance are split.") @Nullable
        ParallelResponse parallelD,

        @Schema(description = "Prefill instances.") @Nullable
        Integer prefillInstances,

        @Schema(description = "Decode instances.") @Nullable Integer decodeInstances,

        @Schema(description = "Devices of all instances; the others are idle.") @Nullable
        Integer devicesUsed) {

    static PairedResponse from(PairPoint at) {
        return new PairedResponse(
                ParallelResponse.from(at.prefill().layout()),
                ParallelResponse.from(at.decode().layout()),
                at.counts().prefill(),
                at.counts().decode(),
                at.devicesUsed());
    }

    /// Itself, or nothing where instances do both phases.
    static @Nullable PairedResponse orAbsent(@Nullable PairedResponse pair) {
        return pair == null || pair.parallelP == null ? null : pair;
    }

    /// As what binds is labelled.
    String label() {
        return parallelP == null || parallelD == null
                ? ""
                : prefillInstances + " x " + parallelP.label() + " feed " + decodeInstances + " x " + parallelD.label();
    }
}

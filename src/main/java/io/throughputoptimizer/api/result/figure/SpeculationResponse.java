package io.throughputoptimizer.api.result.figure;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.core.calibrated.CalibratedRow;
import io.throughputoptimizer.core.kernels.CalibratedDeployment;
import io.throughputoptimizer.core.kernels.Speculation;
import org.jspecify.annotations.Nullable;

/// Draft tokens of decode steps of a row and the duration of such a step; `tpot_ms` is that of one user.
@Schema(
        name = "SpeculationOfRow",
        description = "Speculative decoding of decode steps. A step yields `acceptance_length` tokens of"
                + " each request, so `decode_ms` is `step_ms` divided by `acceptance_length`.")
public record SpeculationResponse(
        @Schema(description = "Tokens drafted in a step.", example = "3")
        int numDraftTokens,

        @Schema(description = "Mean tokens per step, as requested.", example = "2.6")
        double acceptanceLength,

        @Schema(description = "A decode step in ms.") double stepMs,

        @Schema(description = "Time of the verifying pass within the step, in ms.")
        double verifyMs,

        @Schema(description = "Time of all drafts within the step, in ms.")
        double draftMs,

        @Schema(description = "Time outside kernels within the step, in ms: `request_ms` of all running requests.")
        double requestsMs) {

    /// Returns the speculation of one decode step; null without drafts.
    ///
    /// @param stepMillis of the whole step
    public static @Nullable SpeculationResponse of(
            @Nullable Speculation speculation, Speculation.@Nullable StepParts parts, double stepMillis) {
        return speculation == null || parts == null
                ? null
                : new SpeculationResponse(
                        speculation.drafts(),
                        speculation.accepted(),
                        stepMillis,
                        parts.verifyMillis(),
                        parts.draftMillis(),
                        parts.requestMillis());
    }

    /// Returns null if steps draft nothing.
    public static @Nullable SpeculationResponse of(CalibratedRow row) {
        CalibratedDeployment deployment = row.at().instances().decoding();
        Speculation speculation = deployment.speculation();
        Speculation.StepParts parts = row.steps().parts();
        double accepted = speculation == null ? 1 : speculation.accepted();
        return of(speculation, parts, row.at().decodeMillis().value() * accepted);
    }
}

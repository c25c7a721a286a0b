package io.throughputoptimizer.api.result.figure;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.core.calibrated.CalibratedRow;
import io.throughputoptimizer.core.kernels.CalibratedDeployment;
import io.throughputoptimizer.core.kernels.Speculation;
import org.jspecify.annotations.Nullable;

/// Draft tokens of decode steps of a row and the duration of such a step; `tpot_ms` is that of one user.
@Schema(name = "SpeculationOfRow")
public record SpeculationResponse(
        int numDraftTokens,
        double acceptanceLength,
        double stepMs,
        double verifyMs,
        double draftMs,
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

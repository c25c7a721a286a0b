package io.throughputoptimizer.api.result.figure;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.core.measured.MeasuredRow;
import io.throughputoptimizer.core.silicon.SiliconDeployment;
import io.throughputoptimizer.core.silicon.Speculation;
import org.jspecify.annotations.Nullable;

/// What decode steps of a row draft, and what such a step takes: `tpot_ms` is that of one user.
@Schema(
        name = "SpeculationOfRow",
        description = "What decode steps draft and take. A step yields `accepted` tokens of each request, so that"
                + " `decode_ms` is `step_ms` over `accepted`.")
public record SpeculationResponse(
        @Schema(description = "Tokens drafted in a step.", example = "3")
        int tokens,

        @Schema(description = "Tokens that a step yields in the mean, as asked for.", example = "2.6")
        double accepted,

        @Schema(description = "A decode step in ms.") double stepMs,

        @Schema(description = "Of it the pass that verifies, in ms.")
        double verifyMs,

        @Schema(description = "Of it all drafts, in ms.") double draftMs,

        @Schema(description = "Of it what kernels do not show, in ms: `request_ms` of all that run.")
        double requestsMs) {

    /// Nothing where steps draft nothing.
    public static @Nullable SpeculationResponse of(MeasuredRow row) {
        SiliconDeployment deployment = row.at().instances().decoding();
        Speculation speculation = deployment.speculation();
        Speculation.StepParts parts = row.steps().parts();
        return speculation == null || parts == null
                ? null
                : new SpeculationResponse(
                        speculation.drafts(),
                        speculation.accepted(),
                        row.at().decodeMillis().value() * speculation.accepted(),
                        parts.verifyMillis(),
                        parts.draftMillis(),
                        parts.requestMillis());
    }
}

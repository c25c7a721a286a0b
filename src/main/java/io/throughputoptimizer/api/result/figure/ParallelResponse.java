package io.throughputoptimizer.api.result.figure;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.deployment.ParallelLayout.ExpertLayout;
import io.throughputoptimizer.core.kernels.CalibratedDeployment;
import io.throughputoptimizer.core.kernels.InstanceForm;
import io.throughputoptimizer.core.search.space.Candidate;
import org.jspecify.annotations.Nullable;

/// A parallel layout; the expert members are those of models with routed experts only.
@Schema(name = "ParallelLayout", description = "Parallel layout of one instance.")
public record ParallelResponse(
        @Schema(description = "All sizes in one line, as tables show them.", example = "TP=8 | PP=1 | DP=1")
        String label,

        @Schema(description = "Tensor parallel size.", example = "8")
        int tp,

        @Schema(description = "Pipeline parallel size.", example = "1")
        int pp,

        @Schema(description = "Data parallel size.", example = "1")
        int dp,

        @Schema(description = "Expert parallel size; models with routed experts only.") @Nullable
        Integer ep,

        @Schema(description = "Devices that share each expert; models with routed experts only.") @Nullable
        Integer moeTp,

        @Schema(description = "Replicas of all experts; models with routed experts only.") @Nullable
        Integer moeDp,

        @Schema(description = "Decode context parallel size; absent where it is 1.", example = "4") @Nullable
        Integer dcp,

        @Schema(
                description = "Options that distinguish candidates of the same layout. Absent if the request has"
                        + " one value for each option.")
        @Nullable
        VariantResponse variant) {

    public static ParallelResponse from(Candidate candidate) {
        return of(candidate.layout(), candidate.label(), VariantResponse.from(candidate));
    }

    /// With what its decode steps draft, where that is asked for.
    public static ParallelResponse from(CalibratedDeployment deployment) {
        return from(deployment.form());
    }

    public static ParallelResponse from(InstanceForm form) {
        return of(form.layout(), form.label(), VariantResponse.from(form));
    }

    private static ParallelResponse of(ParallelLayout layout, String label, @Nullable VariantResponse variant) {
        ExpertLayout experts = layout.experts();
        return new ParallelResponse(
                label,
                layout.tp(),
                layout.pp(),
                layout.dp(),
                experts == null ? null : experts.ep(),
                experts == null ? null : experts.moeTp(),
                experts == null ? null : experts.moeDp(),
                layout.dcp() == 1 ? null : layout.dcp(),
                variant);
    }

    /// Devices of the instance.
    public int numDevices() {
        return tp * pp * dp;
    }
}

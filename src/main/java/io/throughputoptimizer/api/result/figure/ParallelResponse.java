package io.throughputoptimizer.api.result.figure;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.deployment.ParallelLayout.ExpertLayout;
import io.throughputoptimizer.core.kernels.CalibratedDeployment;
import io.throughputoptimizer.core.kernels.InstanceForm;
import io.throughputoptimizer.core.search.space.Candidate;
import org.jspecify.annotations.Nullable;

/// A parallel layout; the expert members are those of models with routed experts only.
@Schema(name = "ParallelLayout")
public record ParallelResponse(
        String label,
        int tp,
        int pp,
        int dp,
        @Nullable Integer ep,
        @Nullable Integer moeTp,
        @Nullable Integer moeDp,
        @Nullable Integer dcp,
        @Nullable VariantResponse variant) {

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

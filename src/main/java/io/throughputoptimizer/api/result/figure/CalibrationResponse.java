package io.throughputoptimizer.api.result.figure;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.api.request.CostModelName;
import io.throughputoptimizer.core.kernels.CalibratedDeployment;
import io.throughputoptimizer.core.kernels.CalibratedPass;
import io.throughputoptimizer.core.kernels.Engine;
import io.throughputoptimizer.core.kernels.calibration.Calibration;
import io.throughputoptimizer.core.kernels.calibration.KernelUse;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Measurements behind calibrated figures.
@Schema(name = "CalibrationBasis", description = "Basis of calibrated figures.")
public record CalibrationResponse(
        @Schema(description = "Always `calibrated`.") CostModelName costModel,

        @Schema(
                description =
                        "Version of the laws that the figures are of; absent in results of before there were two.",
                example = "2")
        @Nullable
        Integer laws,

        @Schema(description = "Engine whose kernels are priced.", example = "vllm")
        String backend,

        @Schema(description = "Versions that were measured on the device, by backend or library.")
        Map<String, List<String>> versions,

        @Schema(
                description = "Kernels whose price is based on neither the backend's own nor the joint measurements;"
                        + " empty when there are none.")
        List<KernelBasisResponse> bases) {

    /// Measurements behind the price of a kernel.
    @Schema(name = "KernelBasis", description = "Basis of a kernel's time.")
    public record KernelBasisResponse(
            @Schema(description = "Class of the kernel.", example = "collective") @JsonProperty("class")
            String kernel,

            @Schema(description = "Number format, or kind of collective.", example = "alltoall")
            String dtype,

            @Schema(
                    description = "`special`: another backend, or set aside as unusual; `family`: a device of the same"
                            + " family; `inter-node`: measured within a node and used between nodes; `none`:"
                            + " constants that fit any device.",
                    allowableValues = {"special", "family", "inter-node", "none"})
            String basis) {

        private static KernelBasisResponse from(KernelUse use) {
            return new KernelBasisResponse(use.kernel(), use.type(), use.basis().label());
        }
    }

    public static CalibrationResponse from(CalibratedDeployment deployment, List<KernelUse> unexpected) {
        return from(List.of(deployment.calibration()), deployment.engine(), unexpected);
    }

    /// @param calibrations of the device, or of both where prefill and decode have kinds of their own
    public static CalibrationResponse from(List<Calibration> calibrations, Engine engine, List<KernelUse> unexpected) {
        Map<String, List<String>> versions = new TreeMap<>();
        calibrations.forEach(calibration -> calibration
                .versions()
                .forEach((name, measured) -> versions.merge(name, measured, CalibrationResponse::together)));
        return new CalibrationResponse(
                CostModelName.CALIBRATED,
                CalibratedPass.LAWS,
                engine.backend(),
                versions,
                unexpected.stream().map(KernelBasisResponse::from).toList());
    }

    private static List<String> together(List<String> some, List<String> others) {
        return Stream.concat(some.stream(), others.stream()).distinct().toList();
    }
}

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
@Schema(name = "CalibrationBasis")
public record CalibrationResponse(
        CostModelName costModel,
        @Nullable Integer laws,
        String backend,
        Map<String, List<String>> versions,
        List<KernelBasisResponse> bases) {

    /// Measurements behind the price of a kernel.
    @Schema(name = "KernelBasis")
    public record KernelBasisResponse(
            @JsonProperty("class") String kernel,
            String dtype,

            @Schema(allowableValues = {"special", "family", "inter-node", "none"})
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

package io.throughputoptimizer.catalog;

import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.core.kernels.calibration.Calibration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Calibration of a device in its JSON document. Names carry the units.
///
/// @param laws version of the laws that its figures belong to; default: the latest
/// @param device name of the calibration, which other calibrations can borrow from
/// @param family family of similar devices
/// @param borrowFrom calibration that fills gaps; null for none
/// @param peaks peaks to which efficiencies are relative
/// @param decodeAttentionLaunchOverlapsMemory true if the launch of decode attention overlaps with streaming
///     its cache; default: false
/// @param versions versions of the measured backends
/// @param comparedServers measured servers that predictions were compared with, `all` or `disaggregated`; default: none
/// @param allReduce measured all-reduces by backend and number of ranks; null for none
/// @param classes parameters by kernel class, type and backend, with the reasons `not_pooled` and `assumed`
@Schema(
        name = "Calibration",
        requiredProperties = {"device", "family", "peaks", "classes"})
public record CalibrationDocument(
        @Schema(minimum = "1", maximum = "2") @Nullable Integer laws,

        @Schema(pattern = DeviceDocumentReader.NAME_PATTERN) @Nullable
        String device,

        @Schema(pattern = DeviceDocumentReader.NAME_PATTERN) @Nullable
        String family,

        @Nullable String borrowFrom,
        @Nullable PeaksDocument peaks,
        @Nullable Boolean decodeAttentionLaunchOverlapsMemory,
        @Nullable Map<String, List<String>> versions,

        @Schema(allowableValues = {"all", "disaggregated"}) @Nullable
        String comparedServers,

        @Nullable AllReduceDocument allReduce,
        @Nullable Map<String, Map<String, Map<String, Map<String, Object>>>> classes) {

    /// Peaks of a device. A rate of 0 means unsupported.
    @Schema(
            name = "CalibrationPeaks",
            requiredProperties = {
                "bf16_dense_tflops",
                "fp8_dense_tflops",
                "fp4_dense_tflops",
                "int8_dense_tops",
                "hbm_gib",
                "hbm_bytes_per_second",
                "link_bytes_per_second_per_direction",
                "link_domain_devices",
                "inter_node_bytes_per_second",
                "in_switch_reduction"
            })
    public record PeaksDocument(
            @Schema(minimum = NumberRange.NONE) @Nullable Double bf16DenseTflops,
            @Schema(minimum = NumberRange.NONE) @Nullable Double fp8DenseTflops,
            @Schema(minimum = NumberRange.NONE) @Nullable Double fp4DenseTflops,
            @Schema(minimum = NumberRange.NONE) @Nullable Double int8DenseTops,
            @Nullable Double hbmGib,

            @Schema(minimum = NumberRange.WHOLE, maximum = NumberRange.MOST_BYTES) @Nullable
            Double hbmBytesPerSecond,

            @Schema(minimum = NumberRange.WHOLE, maximum = NumberRange.MOST_BYTES) @Nullable
            Double linkBytesPerSecondPerDirection,

            @Schema(minimum = NumberRange.WHOLE, maximum = NumberRange.MOST) @Nullable
            Integer linkDomainDevices,

            @Schema(minimum = NumberRange.WHOLE, maximum = NumberRange.MOST_BYTES) @Nullable
            Double interNodeBytesPerSecond,

            @Nullable Boolean inSwitchReduction,
            @Nullable String source) {}

    /// Returns the calibration of this document, before borrowing.
    ///
    /// @throws InvalidDocumentException with every missing or invalid field
    Calibration toCalibration() {
        DefectCollector defects = new DefectCollector();
        Calibration calibration = CalibrationDocumentReader.read("", this, defects);
        defects.throwIfAny();
        return calibration;
    }
}

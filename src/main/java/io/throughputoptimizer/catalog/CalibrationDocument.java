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
        description = "Measured kernels of the device, and the peaks that their efficiencies refer to. Required for"
                + " `cost_model: calibrated`. Every name has its unit.",
        requiredProperties = {"device", "family", "peaks", "classes"})
public record CalibrationDocument(
        @Schema(
                description = "Version of the formulas. Version 1 has no `all_reduce`. Default: the latest.",
                minimum = "1",
                maximum = "2")
        @Nullable
        Integer laws,

        @Schema(
                description = "Name of the calibration, under which others borrow from it.",
                example = "h100_sxm",
                pattern = DeviceDocumentReader.NAME_PATTERN)
        @Nullable
        String device,

        @Schema(
                description = "Device family. `ascend` requires the engine `vllm-ascend`.",
                example = "hopper",
                pattern = DeviceDocumentReader.NAME_PATTERN)
        @Nullable
        String family,

        @Schema(description = "Name of the catalog calibration that supplies missing parameters. Default: none.")
        @Nullable
        String borrowFrom,

        @Schema(description = "Peak rates, dense and without sparsity.") @Nullable
        PeaksDocument peaks,

        @Schema(description = "True if decode attention reads its KV cache while the kernel launches. Default: false.")
        @Nullable
        Boolean decodeAttentionLaunchOverlapsMemory,

        @Schema(description = "Measured versions of the backends, by backend.") @Nullable
        Map<String, List<String>> versions,

        @Schema(
                description =
                        "Measured servers that predictions for the device were compared with: `all`, or `disaggregated` alone. Default: none.",
                allowableValues = {"all", "disaggregated"})
        @Nullable
        String comparedServers,

        @Schema(
                description = "Measured all-reduces within the link domain, by engine. Without it, all-reduces are"
                        + " priced like the other collectives under `classes`.")
        @Nullable
        AllReduceDocument allReduce,

        @Schema(
                description = "Parameters by kernel class, data type and backend (or `pooled`), and the reasons"
                        + " `not_pooled` and `assumed`.")
        @Nullable
        Map<String, Map<String, Map<String, Map<String, Object>>>> classes) {

    /// Peaks of a device. A rate of 0 means unsupported.
    @Schema(
            name = "CalibrationPeaks",
            description = "Peak rates of a device, dense and without sparsity.",
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
            @Schema(
                    description = "Peak of bfloat16, in 10^12 operations/s. 0 if the device has none.",
                    minimum = NumberRange.NONE)
            @Nullable
            Double bf16DenseTflops,

            @Schema(
                    description = "Peak of 8-bit floating point, in 10^12 operations/s. 0 if the device has" + " none.",
                    minimum = NumberRange.NONE)
            @Nullable
            Double fp8DenseTflops,

            @Schema(
                    description = "Peak of 4-bit floating point, in 10^12 operations/s. 0 if the device has" + " none.",
                    minimum = NumberRange.NONE)
            @Nullable
            Double fp4DenseTflops,

            @Schema(
                    description = "Peak of 8-bit integers, in 10^12 operations/s. 0 if the device has none.",
                    minimum = NumberRange.NONE)
            @Nullable
            Double int8DenseTops,

            @Schema(description = "Memory, in GiB.") @Nullable
            Double hbmGib,

            @Schema(
                    description = "Memory bandwidth, in bytes/s.",
                    minimum = NumberRange.WHOLE,
                    maximum = NumberRange.MOST_BYTES)
            @Nullable
            Double hbmBytesPerSecond,

            @Schema(
                    description = "Link bandwidth of one device in one direction within a domain, in bytes/s.",
                    minimum = NumberRange.WHOLE,
                    maximum = NumberRange.MOST_BYTES)
            @Nullable
            Double linkBytesPerSecondPerDirection,

            @Schema(description = "Devices of a link domain.", minimum = NumberRange.WHOLE, maximum = NumberRange.MOST)
            @Nullable
            Integer linkDomainDevices,

            @Schema(
                    description = "Bandwidth of one device in one direction beyond the domain, in bytes/s.",
                    minimum = NumberRange.WHOLE,
                    maximum = NumberRange.MOST_BYTES)
            @Nullable
            Double interNodeBytesPerSecond,

            @Schema(description = "True if switches reduce the data that passes through them.") @Nullable
            Boolean inSwitchReduction,

            @Schema(description = "Source of the peaks. Optional.") @Nullable
            String source) {}

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

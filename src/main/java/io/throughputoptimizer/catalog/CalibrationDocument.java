package io.throughputoptimizer.catalog;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
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
/// @param allReduce measured all-reduces by backend and number of ranks; null for none
/// @param classes parameters by kernel class, type and backend, with the reasons `not_pooled` and `assumed`
@Schema(
        name = "Calibration",
        description =
                "Kernels as they were measured on the device, and the peaks that their efficiencies are shares of; needed for `cost_model` `calibrated`. Every unit is in a name.",
        requiredProperties = {"device", "family", "peaks", "classes"})
@JsonInclude(JsonInclude.Include.NON_NULL)
public record CalibrationDocument(
        @JsonProperty("laws")
        @Schema(
                description =
                        "Version of the laws that its figures are of; those of the first have no `all_reduce`. The latest if absent.",
                minimum = "1",
                maximum = "2")
        @Nullable
        Integer laws,

        @JsonProperty("device")
        @Schema(
                description = "Name of the calibration, by which others borrow from it.",
                example = "h100_sxm",
                pattern = DeviceDocumentReader.NAME_PATTERN)
        @Nullable
        String device,

        @JsonProperty("family")
        @Schema(
                description = "Devices alike; `ascend` is served by `vllm-ascend` only.",
                example = "hopper",
                pattern = DeviceDocumentReader.NAME_PATTERN)
        @Nullable
        String family,

        @JsonProperty("borrow_from")
        @Schema(description = "Calibration in the catalogue whose parameters fill the gaps; none if absent.")
        @Nullable
        String borrowFrom,

        @JsonProperty("peaks") @Schema(description = "Peaks, dense and without sparsity.") @Nullable
        PeaksDocument peaks,

        @JsonProperty("decode_attention_launch_overlaps_memory")
        @Schema(
                description =
                        "Whether an attention of decode streams its cache while it is being launched; false if absent.")
        @Nullable
        Boolean decodeAttentionLaunchOverlapsMemory,

        @JsonProperty("versions")
        @Schema(description = "Versions of the backends that were measured, by backend.")
        @Nullable
        Map<String, List<String>> versions,

        @JsonProperty("all_reduce")
        @Schema(
                description =
                        "All-reduces within the domain of the link, by engine; without it they are priced like the other collectives under `classes`.")
        @Nullable
        AllReduceDocument allReduce,

        @JsonProperty("classes")
        @Schema(
                description =
                        "Parameters by class of kernel, type and backend (or `pooled`), and the reasons `not_pooled` and `assumed`.")
        @Nullable
        Map<String, Map<String, Map<String, Map<String, Object>>>> classes) {

    /// Peaks of a device. A rate of 0 means unsupported.
    @Schema(
            name = "CalibrationPeaks",
            description = "Peaks of a device, dense and without sparsity.",
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
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record PeaksDocument(
            @JsonProperty("bf16_dense_tflops")
            @Schema(
                    description = "bfloat16, 10^12 operations per second; 0 where there is no such rate.",
                    minimum = NumberRange.NONE,
                    maximum = NumberRange.MOST)
            @Nullable
            Double bf16DenseTflops,

            @JsonProperty("fp8_dense_tflops")
            @Schema(
                    description = "8-bit floating point, 10^12 operations per second; 0 where there is no such rate.",
                    minimum = NumberRange.NONE,
                    maximum = NumberRange.MOST)
            @Nullable
            Double fp8DenseTflops,

            @JsonProperty("fp4_dense_tflops")
            @Schema(
                    description = "4-bit floating point, 10^12 operations per second; 0 where there is no such rate.",
                    minimum = NumberRange.NONE,
                    maximum = NumberRange.MOST)
            @Nullable
            Double fp4DenseTflops,

            @JsonProperty("int8_dense_tops")
            @Schema(
                    description = "8-bit integers, 10^12 operations per second; 0 where there is no such rate.",
                    minimum = NumberRange.NONE,
                    maximum = NumberRange.MOST)
            @Nullable
            Double int8DenseTops,

            @JsonProperty("hbm_gib")
            @Schema(description = "Memory in 2^30 bytes.", minimum = NumberRange.LEAST, maximum = NumberRange.MOST)
            @Nullable
            Double hbmGib,

            @JsonProperty("hbm_bytes_per_second")
            @Schema(
                    description = "Bandwidth of the memory.",
                    minimum = NumberRange.WHOLE,
                    maximum = NumberRange.MOST_BYTES)
            @Nullable
            Double hbmBytesPerSecond,

            @JsonProperty("link_bytes_per_second_per_direction")
            @Schema(
                    description = "Bandwidth of one device in one direction within a domain.",
                    minimum = NumberRange.WHOLE,
                    maximum = NumberRange.MOST_BYTES)
            @Nullable
            Double linkBytesPerSecondPerDirection,

            @JsonProperty("link_domain_devices")
            @Schema(
                    description = "Devices that reach each other at the rate of the link.",
                    minimum = NumberRange.WHOLE,
                    maximum = NumberRange.MOST)
            @Nullable
            Integer linkDomainDevices,

            @JsonProperty("inter_node_bytes_per_second")
            @Schema(
                    description = "Bandwidth of one device in one direction beyond the domain.",
                    minimum = NumberRange.WHOLE,
                    maximum = NumberRange.MOST_BYTES)
            @Nullable
            Double interNodeBytesPerSecond,

            @JsonProperty("in_switch_reduction")
            @Schema(description = "Whether switches sum up what passes through them.")
            @Nullable
            Boolean inSwitchReduction,

            @JsonProperty("source") @Schema(description = "Where the peaks come from; optional.") @Nullable
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

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
/// @param comparedServers measured servers that predictions were compared with, `all` or `disaggregated`; default: none
/// @param allReduce measured all-reduces by backend and number of ranks; null for none
/// @param classes parameters by kernel class, type and backend, with the reasons `not_pooled` and `assumed`
@Schema(
        name = "Calibration",
        description = "Measured kernels of the device, and the peaks that their efficiencies refer to. Required for"
                + " `cost_model: calibrated`. Every name has its unit.",
        requiredProperties = {"device", "family", "peaks", "classes"})
@JsonInclude(JsonInclude.Include.NON_NULL)
public record CalibrationDocument(
        @JsonProperty("laws")
        @Schema(
                description = "Version of the formulas. Version 1 has no `all_reduce`. Default: the latest.",
                minimum = "1",
                maximum = "2")
        @Nullable
        Integer laws,

        @JsonProperty("device")
        @Schema(
                description = "Name of the calibration, under which others borrow from it.",
                example = "h100_sxm",
                pattern = DeviceDocumentReader.NAME_PATTERN)
        @Nullable
        String device,

        @JsonProperty("family")
        @Schema(
                description = "Device family. `ascend` requires the engine `vllm-ascend`.",
                example = "hopper",
                pattern = DeviceDocumentReader.NAME_PATTERN)
        @Nullable
        String family,

        @JsonProperty("borrow_from")
        @Schema(description = "Name of the catalog calibration that supplies missing parameters. Default: none.")
        @Nullable
        String borrowFrom,

        @JsonProperty("peaks") @Schema(description = "Peak rates, dense and without sparsity.") @Nullable
        PeaksDocument peaks,

        @JsonProperty("decode_attention_launch_overlaps_memory")
        @Schema(description = "True if decode attention reads its KV cache while the kernel launches. Default: false.")
        @Nullable
        Boolean decodeAttentionLaunchOverlapsMemory,

        @JsonProperty("versions") @Schema(description = "Measured versions of the backends, by backend.") @Nullable
        Map<String, List<String>> versions,

        @JsonProperty("compared_servers")
        @Schema(
                description =
                        "Measured servers that predictions for the device were compared with: `all`, or `disaggregated` alone. Default: none.",
                allowableValues = {"all", "disaggregated"})
        @Nullable
        String comparedServers,

        @JsonProperty("all_reduce")
        @Schema(
                description = "Measured all-reduces within the link domain, by engine. Without it, all-reduces are"
                        + " priced like the other collectives under `classes`.")
        @Nullable
        AllReduceDocument allReduce,

        @JsonProperty("classes")
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
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record PeaksDocument(
            @JsonProperty("bf16_dense_tflops")
            @Schema(
                    description = "Peak of bfloat16, in 10^12 operations/s. 0 if the device has none.",
                    minimum = NumberRange.NONE,
                    maximum = NumberRange.MOST)
            @Nullable
            Double bf16DenseTflops,

            @JsonProperty("fp8_dense_tflops")
            @Schema(
                    description = "Peak of 8-bit floating point, in 10^12 operations/s. 0 if the device has" + " none.",
                    minimum = NumberRange.NONE,
                    maximum = NumberRange.MOST)
            @Nullable
            Double fp8DenseTflops,

            @JsonProperty("fp4_dense_tflops")
            @Schema(
                    description = "Peak of 4-bit floating point, in 10^12 operations/s. 0 if the device has" + " none.",
                    minimum = NumberRange.NONE,
                    maximum = NumberRange.MOST)
            @Nullable
            Double fp4DenseTflops,

            @JsonProperty("int8_dense_tops")
            @Schema(
                    description = "Peak of 8-bit integers, in 10^12 operations/s. 0 if the device has none.",
                    minimum = NumberRange.NONE,
                    maximum = NumberRange.MOST)
            @Nullable
            Double int8DenseTops,

            @JsonProperty("hbm_gib")
            @Schema(description = "Memory, in GiB.", minimum = NumberRange.LEAST, maximum = NumberRange.MOST)
            @Nullable
            Double hbmGib,

            @JsonProperty("hbm_bytes_per_second")
            @Schema(
                    description = "Memory bandwidth, in bytes/s.",
                    minimum = NumberRange.WHOLE,
                    maximum = NumberRange.MOST_BYTES)
            @Nullable
            Double hbmBytesPerSecond,

            @JsonProperty("link_bytes_per_second_per_direction")
            @Schema(
                    description = "Link bandwidth of one device in one direction within a domain, in bytes/s.",
                    minimum = NumberRange.WHOLE,
                    maximum = NumberRange.MOST_BYTES)
            @Nullable
            Double linkBytesPerSecondPerDirection,

            @JsonProperty("link_domain_devices")
            @Schema(description = "Devices of a link domain.", minimum = NumberRange.WHOLE, maximum = NumberRange.MOST)
            @Nullable
            Integer linkDomainDevices,

            @JsonProperty("inter_node_bytes_per_second")
            @Schema(
                    description = "Bandwidth of one device in one direction beyond the domain, in bytes/s.",
                    minimum = NumberRange.WHOLE,
                    maximum = NumberRange.MOST_BYTES)
            @Nullable
            Double interNodeBytesPerSecond,

            @JsonProperty("in_switch_reduction")
            @Schema(description = "True if switches reduce the data that passes through them.")
            @Nullable
            Boolean inSwitchReduction,

            @JsonProperty("source") @Schema(description = "Source of the peaks. Optional.") @Nullable
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

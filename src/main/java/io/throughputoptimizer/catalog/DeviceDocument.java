package io.throughputoptimizer.catalog;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import io.throughputoptimizer.core.hardware.DeviceProfile;
import io.throughputoptimizer.core.hardware.Interconnect;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A device profile as it travels: in catalogue files, in requests and in answers. Every unit is in a name.
///
/// Members may be absent while a document is being read; [#toProfile()] then says so. Peaks and
/// efficiencies are kept apart: what a device reaches is their product, shown as `effective`.
///
/// @param name under which requests mean the device
/// @param vendor who makes it
/// @param source where the figures come from and what they are worth; optional
/// @param effective derived from the rest: may be left out, and must not contradict it
@JsonInclude(JsonInclude.Include.NON_NULL)
public record DeviceDocument(
        @JsonProperty("name") @Nullable String name,
        @JsonProperty("vendor") @Nullable String vendor,
        @JsonProperty("source") @Nullable String source,
        @JsonProperty("compute") @Nullable DeviceCompute compute,
        @JsonProperty("memory") @Nullable DeviceMemory memory,
        @JsonProperty("static_costs_us") @Nullable DeviceStaticCosts staticCostsUs,
        @JsonProperty("interconnect") @Nullable DeviceInterconnect interconnect,
        @JsonProperty("effective") @Nullable DeviceEffective effective) {

    /// @param matrixTflops peaks of the matrix units
    /// @param generalTflops peaks of the general units
    /// @param efficiency share of either that is reached, at most 1
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record DeviceCompute(
            @JsonProperty("matrix_tflops") @Nullable MatrixTflops matrixTflops,
            @JsonProperty("general_tflops") @Nullable GeneralTflops generalTflops,
            @JsonProperty("efficiency") @Nullable Double efficiency) {}

    /// Peaks in 10^12 operations per second; a multiply-accumulate counts as two. Integer and narrower floating
    /// point types are optional: work in a type without a peak costs no time on the matrix units.
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record MatrixTflops(
            @JsonProperty("fp32") @Nullable Double fp32,
            @JsonProperty("bf16") @Nullable Double bf16,
            @JsonProperty("fp16") @Nullable Double fp16,
            @JsonProperty("int8") @Nullable Double int8,
            @JsonProperty("fp8") @Nullable Double fp8,
            @JsonProperty("fp4") @Nullable Double fp4) {}

    /// Peaks in 10^12 operations per second.
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record GeneralTflops(
            @JsonProperty("fp32") @Nullable Double fp32,
            @JsonProperty("bf16") @Nullable Double bf16,
            @JsonProperty("fp16") @Nullable Double fp16) {}

    /// @param capacityGb 2^30 bytes
    /// @param bandwidthTbPerS peak, 2^40 bytes per second
    /// @param efficiency share of the bandwidth that is reached, at most 1
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record DeviceMemory(
            @JsonProperty("capacity_gb") @Nullable Double capacityGb,
            @JsonProperty("bandwidth_tb_per_s") @Nullable Double bandwidthTbPerS,
            @JsonProperty("efficiency") @Nullable Double efficiency) {}

    /// Launch overheads in microseconds, added to every operator.
    ///
    /// @param matrix of an operator with work on the matrix units
    /// @param general of any other operator
    /// @param communication of a collective
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record DeviceStaticCosts(
            @JsonProperty("matrix") @Nullable Double matrix,
            @JsonProperty("general") @Nullable Double general,
            @JsonProperty("communication") @Nullable Double communication) {}

    /// @param grid devices per dimension, outermost first, each at least 2
    /// @param links one per dimension, in the same order
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record DeviceInterconnect(
            @JsonProperty("grid") @JsonSetter(contentNulls = Nulls.FAIL) @Nullable
            List<Integer> grid,

            @JsonProperty("links") @JsonSetter(contentNulls = Nulls.FAIL) @Nullable
            List<DeviceLink> links) {}

    /// Links of one dimension.
    ///
    /// @param bandwidthGbPerS peak of one device in one direction, 10^9 bytes per second
    /// @param latencyUs microseconds
    /// @param efficiency share of the bandwidth that is reached, at most 1
    /// @param topology how the devices of the dimension are wired
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record DeviceLink(
            @JsonProperty("bandwidth_gb_per_s") @Nullable Double bandwidthGbPerS,
            @JsonProperty("latency_us") @Nullable Double latencyUs,
            @JsonProperty("efficiency") @Nullable Double efficiency,
            @JsonProperty("topology") Interconnect.@Nullable Topology topology) {}

    /// What the device reaches: peaks times efficiencies, compute in the type most models run in.
    ///
    /// @param matrixTflops 10^12 operations per second
    /// @param generalTflops 10^12 operations per second
    /// @param memoryTbPerS 2^40 bytes per second
    /// @param linkGbPerS per dimension, outermost first, 10^9 bytes per second
    /// @param matrixTypesWithoutRate work in these types costs no time on the matrix units, so figures that
    ///     need it are too low
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record DeviceEffective(
            @JsonProperty("matrix_tflops") @Nullable Double matrixTflops,
            @JsonProperty("general_tflops") @Nullable Double generalTflops,
            @JsonProperty("memory_tb_per_s") @Nullable Double memoryTbPerS,

            @JsonProperty("link_gb_per_s") @JsonSetter(contentNulls = Nulls.FAIL) @Nullable
            List<Double> linkGbPerS,

            @JsonProperty("matrix_types_without_rate") @JsonSetter(contentNulls = Nulls.FAIL) @Nullable
            List<String> matrixTypesWithoutRate) {}

    /// The document of a profile, with its effective figures. Numbers that were given with up to 15 digits
    /// come back as they were.
    public static DeviceDocument from(DeviceProfile profile, @Nullable String source) {
        return DeviceDocumentWriter.write(profile, source);
    }

    /// The profile that this document describes.
    ///
    /// @throws InvalidDocumentException naming every member that is missing or makes no sense
    public DeviceProfile toProfile() {
        return DeviceDocumentReader.read(this);
    }
}

package io.throughputoptimizer.catalog;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import io.swagger.v3.oas.annotations.media.ArraySchema;
import io.swagger.v3.oas.annotations.media.Schema;
import io.throughputoptimizer.core.hardware.DeviceProfile;
import io.throughputoptimizer.core.hardware.Interconnect;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A device profile in JSON: in catalog files, requests and responses. Names carry the units.
///
/// Fields can be missing while a document is read; [#toProfile()] then reports them. Peaks and efficiencies are
/// separate; their product is shown as `effective`.
///
/// @param name name of the device in requests
/// @param vendor manufacturer
/// @param source origin and reliability of the figures; optional
/// @param effective effective rates, derived from the rest; optional, and must be consistent
/// @param calibration measurements of the device; optional
/// @param comparedWithSilicon false if its figures were never compared with the device; optional
/// @param aliases other names of a catalog device; optional
@Schema(requiredProperties = {"name", "vendor", "compute", "memory", "static_costs_us", "interconnect"})
public record DeviceDocument(
        @Schema(pattern = DeviceDocumentReader.NAME_PATTERN) @Nullable
        String name,

        @Schema(minLength = 1) @Nullable String vendor,
        @Nullable String source,
        @Nullable DeviceCompute compute,
        @Nullable DeviceMemory memory,
        @Nullable DeviceStaticCosts staticCostsUs,
        @Nullable DeviceInterconnect interconnect,
        @Nullable DeviceEffective effective,
        @Nullable CalibrationDocument calibration,
        @Nullable Boolean comparedWithSilicon,
        @JsonSetter(contentNulls = Nulls.FAIL) @Nullable List<DeviceAlias> aliases) {

    /// @param name common name of the chip
    /// @param means meaning of the name, as a clause
    @Schema(requiredProperties = {"name", "means"})
    public record DeviceAlias(
            @Schema(pattern = DeviceDocumentReader.NAME_PATTERN) @Nullable
            String name,

            @Schema(minLength = 1) @Nullable String means) {}

    /// @param matrixTflops peaks of the matrix units
    /// @param generalTflops peaks of the general units
    /// @param efficiency achievable fraction of either peak, at most 1
    @Schema(requiredProperties = {"matrix_tflops", "general_tflops", "efficiency"})
    public record DeviceCompute(
            @Nullable MatrixTflops matrixTflops,
            @Nullable GeneralTflops generalTflops,
            @Schema(maximum = NumberRange.WHOLE) @Nullable Double efficiency) {}

    /// Peaks in 10^12 operations per second; a multiply-accumulate counts as two. Integer and narrower floating
    /// point types are optional: work in a type without a peak takes no time on the matrix units.
    @Schema(requiredProperties = {"fp32", "bf16", "fp16"})
    public record MatrixTflops(
            @Nullable Double fp32,
            @Nullable Double bf16,
            @Nullable Double fp16,
            @Nullable Double int8,
            @Nullable Double fp8,
            @Nullable Double fp4) {}

    /// Peaks in 10^12 operations per second.
    @Schema(requiredProperties = {"fp32", "bf16", "fp16"})
    public record GeneralTflops(
            @Nullable Double fp32,
            @Nullable Double bf16,
            @Nullable Double fp16) {}

    /// @param capacityGb 2^30 bytes
    /// @param bandwidthTbPerS peak, 2^40 bytes per second
    /// @param efficiency achievable fraction of the bandwidth, at most 1
    @Schema(requiredProperties = {"capacity_gb", "bandwidth_tb_per_s", "efficiency"})
    public record DeviceMemory(
            @Nullable Double capacityGb,
            @Nullable Double bandwidthTbPerS,
            @Schema(maximum = NumberRange.WHOLE) @Nullable Double efficiency) {}

    /// Launch overheads in microseconds, added to every operator.
    ///
    /// @param matrix overhead of an operator with work on the matrix units
    /// @param general overhead of any other operator
    /// @param communication overhead of a collective
    @Schema(requiredProperties = {"matrix", "general", "communication"})
    public record DeviceStaticCosts(
            @Schema(minimum = NumberRange.NONE) @Nullable Double matrix,
            @Schema(minimum = NumberRange.NONE) @Nullable Double general,
            @Schema(minimum = NumberRange.NONE) @Nullable Double communication) {}

    /// @param grid devices per dimension, outermost first, each at least 2
    /// @param links one per dimension, in the same order
    @Schema(requiredProperties = {"grid", "links"})
    public record DeviceInterconnect(
            @ArraySchema(
                    arraySchema =
                            @Schema(
                                    description = "Devices per dimension, outermost first, each at least 2. Their"
                                            + " product is the largest `num_devices`.",
                                    example = "[256, 8]"),
                    schema = @Schema(minimum = "2", maximum = NumberRange.MOST),
                    minItems = 1)
            @JsonSetter(contentNulls = Nulls.FAIL)
            @Nullable
            List<Integer> grid,

            @ArraySchema(
                    arraySchema = @Schema(description = "Links, one per dimension, in the same order."),
                    minItems = 1)
            @JsonSetter(contentNulls = Nulls.FAIL)
            @Nullable
            List<DeviceLink> links) {}

    /// Links of one dimension.
    ///
    /// @param bandwidthGbPerS peak bandwidth of one device in one direction, 10^9 bytes per second
    /// @param latencyUs latency in microseconds
    /// @param efficiency achievable fraction of the bandwidth, at most 1
    /// @param topology topology of the dimension
    @Schema(requiredProperties = {"bandwidth_gb_per_s", "latency_us", "efficiency", "topology"})
    public record DeviceLink(
            @Nullable Double bandwidthGbPerS,
            @Schema(minimum = NumberRange.NONE) @Nullable Double latencyUs,
            @Schema(maximum = NumberRange.WHOLE) @Nullable Double efficiency,
            Interconnect.@Nullable Topology topology) {}

    /// Effective rates: peak times efficiency, compute in the type most models run in.
    ///
    /// @param matrixTflops 10^12 operations per second
    /// @param generalTflops 10^12 operations per second
    /// @param memoryTbPerS 2^40 bytes per second
    /// @param linkGbPerS per dimension, outermost first, 10^9 bytes per second
    /// @param matrixTypesWithoutRate types without a rate: work in them takes no time on the matrix units, so
    ///     figures that need it are underestimated
    public record DeviceEffective(
            @Nullable Double matrixTflops,
            @Nullable Double generalTflops,
            @Nullable Double memoryTbPerS,
            @JsonSetter(contentNulls = Nulls.FAIL) @Nullable List<Double> linkGbPerS,
            @JsonSetter(contentNulls = Nulls.FAIL) @Nullable List<String> matrixTypesWithoutRate) {}

    /// Returns the document of a profile, with its effective rates. Numbers with up to 15 digits are preserved.
    ///
    /// @param read original document of the profile
    static DeviceDocument from(DeviceProfile profile, DeviceDocument read) {
        return DeviceDocumentWriter.write(profile, read);
    }

    /// Returns a copy without the calibration.
    public DeviceDocument withoutCalibration() {
        return new DeviceDocument(
                name,
                vendor,
                source,
                compute,
                memory,
                staticCostsUs,
                interconnect,
                effective,
                null,
                comparedWithSilicon,
                aliases);
    }

    /// Returns the profile of this document.
    ///
    /// @throws InvalidDocumentException with every missing or invalid field, calibration included
    public DeviceProfile toProfile() {
        return DeviceDocumentReader.read(this);
    }
}

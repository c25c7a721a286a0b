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
@Schema(
        description = "A device: peaks, efficiencies, links and overheads. Every name has its unit. Requests can omit"
                + " `source`, `effective`, `calibration`, `compared_with_silicon` and `aliases`.",
        requiredProperties = {"name", "vendor", "compute", "memory", "static_costs_us", "interconnect"})
public record DeviceDocument(
        @Schema(
                description = "Name of the device in requests.",
                example = "H100_SXM",
                pattern = DeviceDocumentReader.NAME_PATTERN)
        @Nullable
        String name,

        @Schema(description = "Vendor of the device.", minLength = 1) @Nullable
        String vendor,

        @Schema(description = "Source of the values and their quality.") @Nullable
        String source,

        @Schema(description = "Rates of the matrix and general units.") @Nullable
        DeviceCompute compute,

        @Schema(description = "Memory size and bandwidth.") @Nullable
        DeviceMemory memory,

        @Schema(description = "Launch overheads in microseconds, added to every operator.") @Nullable
        DeviceStaticCosts staticCostsUs,

        @Schema(description = "Links between devices.") @Nullable
        DeviceInterconnect interconnect,

        @Schema(description = "Effective rates, derived from the other fields. Must not contradict them.") @Nullable
        DeviceEffective effective,

        @Schema(description = "Measured kernels. Required for cost model `calibrated`.") @Nullable
        CalibrationDocument calibration,

        @Schema(
                description = "False if no one compared the values, from data sheets or estimates, with the device."
                        + " Results on it carry a warning. Otherwise absent.")
        @Nullable
        Boolean comparedWithSilicon,

        @Schema(description = "Other names of the device in requests. Absent without aliases.")
        @JsonSetter(contentNulls = Nulls.FAIL)
        @Nullable
        List<DeviceAlias> aliases) {

    /// @param name common name of the chip
    /// @param means meaning of the name, as a clause
    @Schema(
            description = "Another name of a catalog device in requests.",
            requiredProperties = {"name", "means"})
    public record DeviceAlias(
            @Schema(description = "Alias.", example = "910B2", pattern = DeviceDocumentReader.NAME_PATTERN) @Nullable
            String name,

            @Schema(description = "Hardware that the alias stands for.", minLength = 1) @Nullable
            String means) {}

    /// @param matrixTflops peaks of the matrix units
    /// @param generalTflops peaks of the general units
    /// @param efficiency achievable fraction of either peak, at most 1
    @Schema(
            description = "Rates of the matrix and general units.",
            requiredProperties = {"matrix_tflops", "general_tflops", "efficiency"})
    public record DeviceCompute(
            @Schema(
                    description = "Peaks of the matrix units by data type, in 10^12 operations/s. A"
                            + " multiply-accumulate counts as two operations.")
            @Nullable
            MatrixTflops matrixTflops,

            @Schema(description = "Peaks of the general (vector) units by data type, in 10^12 operations/s.") @Nullable
            GeneralTflops generalTflops,

            @Schema(
                    description = "Achieved share of either peak, above 0, at most 1.",
                    example = "0.7",
                    maximum = NumberRange.WHOLE)
            @Nullable
            Double efficiency) {}

    /// Peaks in 10^12 operations per second; a multiply-accumulate counts as two. Integer and narrower floating
    /// point types are optional: work in a type without a peak takes no time on the matrix units.
    @Schema(
            description = "Peaks by data type, in 10^12 operations/s. A type without a peak takes no time on the"
                    + " matrix units.",
            requiredProperties = {"fp32", "bf16", "fp16"})
    public record MatrixTflops(
            @Schema(description = "32-bit floating point.", example = "99.5") @Nullable
            Double fp32,

            @Schema(description = "bfloat16.", example = "353.9") @Nullable
            Double bf16,

            @Schema(description = "16-bit floating point.", example = "353.9") @Nullable
            Double fp16,

            @Schema(description = "8-bit integers; optional.", example = "707.8") @Nullable
            Double int8,

            @Schema(description = "8-bit floating point; optional.", example = "707.8") @Nullable
            Double fp8,

            @Schema(description = "4-bit floating point; optional.", example = "1415.6") @Nullable
            Double fp4) {}

    /// Peaks in 10^12 operations per second.
    @Schema(
            description = "Peaks by data type, in 10^12 operations/s.",
            requiredProperties = {"fp32", "bf16", "fp16"})
    public record GeneralTflops(
            @Schema(description = "32-bit floating point.", example = "5.5") @Nullable
            Double fp32,

            @Schema(description = "bfloat16.", example = "11.0") @Nullable
            Double bf16,

            @Schema(description = "16-bit floating point.", example = "11.0") @Nullable
            Double fp16) {}

    /// @param capacityGb 2^30 bytes
    /// @param bandwidthTbPerS peak, 2^40 bytes per second
    /// @param efficiency achievable fraction of the bandwidth, at most 1
    @Schema(
            description = "Memory of one device.",
            requiredProperties = {"capacity_gb", "bandwidth_tb_per_s", "efficiency"})
    public record DeviceMemory(
            @Schema(description = "Capacity in GiB.", example = "64.0") @Nullable
            Double capacityGb,

            @Schema(description = "Peak bandwidth, in TiB/s.", example = "1.6") @Nullable
            Double bandwidthTbPerS,

            @Schema(
                    description = "Achieved share of the bandwidth, above 0, at most 1.",
                    example = "0.6",
                    maximum = NumberRange.WHOLE)
            @Nullable
            Double efficiency) {}

    /// Launch overheads in microseconds, added to every operator.
    ///
    /// @param matrix overhead of an operator with work on the matrix units
    /// @param general overhead of any other operator
    /// @param communication overhead of a collective
    @Schema(
            description = "Launch overheads in microseconds, added to every operator.",
            requiredProperties = {"matrix", "general", "communication"})
    public record DeviceStaticCosts(
            @Schema(
                    description = "Overhead of operators that use the matrix units.",
                    example = "5.0",
                    minimum = NumberRange.NONE)
            @Nullable
            Double matrix,

            @Schema(description = "Overhead of other operators.", example = "2.0", minimum = NumberRange.NONE) @Nullable
            Double general,

            @Schema(description = "Overhead of collectives.", example = "0.0", minimum = NumberRange.NONE) @Nullable
            Double communication) {}

    /// @param grid devices per dimension, outermost first, each at least 2
    /// @param links one per dimension, in the same order
    @Schema(
            description = "Grid of devices. Each dimension has its own links.",
            requiredProperties = {"grid", "links"})
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
    @Schema(
            description = "Links of one dimension.",
            requiredProperties = {"bandwidth_gb_per_s", "latency_us", "efficiency", "topology"})
    public record DeviceLink(
            @Schema(
                    description = "Peak bandwidth of one device in one direction, in GB/s (10^9 bytes).",
                    example = "50.0")
            @Nullable
            Double bandwidthGbPerS,

            @Schema(description = "Latency, in microseconds.", example = "10.0", minimum = NumberRange.NONE) @Nullable
            Double latencyUs,

            @Schema(
                    description = "Achieved share of the bandwidth, above 0, at most 1.",
                    example = "0.7",
                    maximum = NumberRange.WHOLE)
            @Nullable
            Double efficiency,

            @Schema(description = "Topology of the links.", example = "CLOS")
            Interconnect.@Nullable Topology topology) {}

    /// Effective rates: peak times efficiency, compute in the type most models run in.
    ///
    /// @param matrixTflops 10^12 operations per second
    /// @param generalTflops 10^12 operations per second
    /// @param memoryTbPerS 2^40 bytes per second
    /// @param linkGbPerS per dimension, outermost first, 10^9 bytes per second
    /// @param matrixTypesWithoutRate types without a rate: work in them takes no time on the matrix units, so
    ///     figures that need it are underestimated
    @Schema(description = "Effective rates: peaks times efficiencies, in the data type of most models.")
    public record DeviceEffective(
            @Schema(description = "Matrix units, 10^12 operations per second.", example = "247.73") @Nullable
            Double matrixTflops,

            @Schema(description = "General units, 10^12 operations per second.", example = "7.7") @Nullable
            Double generalTflops,

            @Schema(description = "Effective memory bandwidth, in TiB/s.", example = "0.96") @Nullable
            Double memoryTbPerS,

            @Schema(
                    description = "Effective link bandwidth per dimension, outermost first, in GB/s (10^9" + " bytes).",
                    example = "[35.0, 137.2]")
            @JsonSetter(contentNulls = Nulls.FAIL)
            @Nullable
            List<Double> linkGbPerS,

            @Schema(
                    description = "Data types without a matrix rate. They cost no time on the matrix units, so"
                            + " predicted times are too short.")
            @JsonSetter(contentNulls = Nulls.FAIL)
            @Nullable
            List<String> matrixTypesWithoutRate) {}

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

package io.throughputoptimizer.catalog;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
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
        description =
                "Peaks, efficiencies, links and overheads of a device; every unit is in a name. A request may leave out `source`, `effective`, `calibration`, `compared_with_silicon` and `aliases`.",
        requiredProperties = {"name", "vendor", "compute", "memory", "static_costs_us", "interconnect"})
@JsonInclude(JsonInclude.Include.NON_NULL)
public record DeviceDocument(
        @JsonProperty("name")
        @Schema(
                description = "Under which requests mean the device.",
                example = "H100_SXM",
                pattern = DeviceDocumentReader.NAME_PATTERN)
        @Nullable
        String name,

        @JsonProperty("vendor") @Schema(description = "Who makes it.", minLength = 1) @Nullable
        String vendor,

        @JsonProperty("source") @Schema(description = "Where the figures come from and what they are worth.") @Nullable
        String source,

        @JsonProperty("compute") @Schema(description = "Rates of its matrix and general units.") @Nullable
        DeviceCompute compute,

        @JsonProperty("memory") @Schema(description = "Its memory and how fast it is.") @Nullable
        DeviceMemory memory,

        @JsonProperty("static_costs_us")
        @Schema(description = "Launch overheads in microseconds, added to every operator.")
        @Nullable
        DeviceStaticCosts staticCostsUs,

        @JsonProperty("interconnect") @Schema(description = "How devices are linked.") @Nullable
        DeviceInterconnect interconnect,

        @JsonProperty("effective")
        @Schema(description = "What is reached in the end; derived from the rest, must not contradict it.")
        @Nullable
        DeviceEffective effective,

        @JsonProperty("calibration")
        @Schema(description = "Kernels as they were measured; without it there is no cost model `calibrated`.")
        @Nullable
        CalibrationDocument calibration,

        @JsonProperty("compared_with_silicon")
        @Schema(
                description =
                        "False where its figures are those of data sheets or of estimates that nobody compared with the device; answers on it say so. Absent elsewhere.")
        @Nullable
        Boolean comparedWithSilicon,

        @JsonProperty("aliases")
        @Schema(description = "Other names under which requests may mean it; absent without any.")
        @JsonSetter(contentNulls = Nulls.FAIL)
        @Nullable
        List<DeviceAlias> aliases) {

    /// @param name common name of the chip
    /// @param means meaning of the name, as a clause
    @Schema(
            description = "Another name under which requests may mean a device of the catalogue.",
            requiredProperties = {"name", "means"})
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record DeviceAlias(
            @JsonProperty("name")
            @Schema(
                    description = "What people call it.",
                    example = "910B2",
                    pattern = DeviceDocumentReader.NAME_PATTERN)
            @Nullable
            String name,

            @JsonProperty("means") @Schema(description = "What that stands for.", minLength = 1) @Nullable
            String means) {}

    /// @param matrixTflops peaks of the matrix units
    /// @param generalTflops peaks of the general units
    /// @param efficiency achievable fraction of either peak, at most 1
    @Schema(
            description = "Rates of the matrix and general units.",
            requiredProperties = {"matrix_tflops", "general_tflops", "efficiency"})
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record DeviceCompute(
            @JsonProperty("matrix_tflops")
            @Schema(
                    description =
                            "Peaks of the matrix units by type, 10^12 operations per second; a multiply-accumulate counts as two.")
            @Nullable
            MatrixTflops matrixTflops,

            @JsonProperty("general_tflops")
            @Schema(description = "Peaks of the general (vector) units by type, 10^12 operations per second.")
            @Nullable
            GeneralTflops generalTflops,

            @JsonProperty("efficiency")
            @Schema(
                    description = "Share of either peak that is reached, above 0, at most 1.",
                    example = "0.7",
                    minimum = NumberRange.LEAST,
                    maximum = NumberRange.WHOLE)
            @Nullable
            Double efficiency) {}

    /// Peaks in 10^12 operations per second; a multiply-accumulate counts as two. Integer and narrower floating
    /// point types are optional: work in a type without a peak takes no time on the matrix units.
    @Schema(
            description =
                    "Peaks by type, 10^12 operations per second. Work in a type without a peak costs no time on the matrix units.",
            requiredProperties = {"fp32", "bf16", "fp16"})
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record MatrixTflops(
            @JsonProperty("fp32")
            @Schema(
                    description = "32-bit floating point.",
                    example = "99.5",
                    minimum = NumberRange.LEAST,
                    maximum = NumberRange.MOST)
            @Nullable
            Double fp32,

            @JsonProperty("bf16")
            @Schema(
                    description = "bfloat16.",
                    example = "353.9",
                    minimum = NumberRange.LEAST,
                    maximum = NumberRange.MOST)
            @Nullable
            Double bf16,

            @JsonProperty("fp16")
            @Schema(
                    description = "16-bit floating point.",
                    example = "353.9",
                    minimum = NumberRange.LEAST,
                    maximum = NumberRange.MOST)
            @Nullable
            Double fp16,

            @JsonProperty("int8")
            @Schema(
                    description = "8-bit integers; optional.",
                    example = "707.8",
                    minimum = NumberRange.LEAST,
                    maximum = NumberRange.MOST)
            @Nullable
            Double int8,

            @JsonProperty("fp8")
            @Schema(
                    description = "8-bit floating point; optional.",
                    example = "707.8",
                    minimum = NumberRange.LEAST,
                    maximum = NumberRange.MOST)
            @Nullable
            Double fp8,

            @JsonProperty("fp4")
            @Schema(
                    description = "4-bit floating point; optional.",
                    example = "1415.6",
                    minimum = NumberRange.LEAST,
                    maximum = NumberRange.MOST)
            @Nullable
            Double fp4) {}

    /// Peaks in 10^12 operations per second.
    @Schema(
            description = "Peaks by type, 10^12 operations per second.",
            requiredProperties = {"fp32", "bf16", "fp16"})
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record GeneralTflops(
            @JsonProperty("fp32")
            @Schema(
                    description = "32-bit floating point.",
                    example = "5.5",
                    minimum = NumberRange.LEAST,
                    maximum = NumberRange.MOST)
            @Nullable
            Double fp32,

            @JsonProperty("bf16")
            @Schema(
                    description = "bfloat16.",
                    example = "11.0",
                    minimum = NumberRange.LEAST,
                    maximum = NumberRange.MOST)
            @Nullable
            Double bf16,

            @JsonProperty("fp16")
            @Schema(
                    description = "16-bit floating point.",
                    example = "11.0",
                    minimum = NumberRange.LEAST,
                    maximum = NumberRange.MOST)
            @Nullable
            Double fp16) {}

    /// @param capacityGb 2^30 bytes
    /// @param bandwidthTbPerS peak, 2^40 bytes per second
    /// @param efficiency achievable fraction of the bandwidth, at most 1
    @Schema(
            description = "Memory of one device.",
            requiredProperties = {"capacity_gb", "bandwidth_tb_per_s", "efficiency"})
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record DeviceMemory(
            @JsonProperty("capacity_gb")
            @Schema(
                    description = "Capacity in GB of 2^30 bytes.",
                    example = "64.0",
                    minimum = NumberRange.LEAST,
                    maximum = NumberRange.MOST)
            @Nullable
            Double capacityGb,

            @JsonProperty("bandwidth_tb_per_s")
            @Schema(
                    description = "Peak bandwidth in TB of 2^40 bytes per second.",
                    example = "1.6",
                    minimum = NumberRange.LEAST,
                    maximum = NumberRange.MOST)
            @Nullable
            Double bandwidthTbPerS,

            @JsonProperty("efficiency")
            @Schema(
                    description = "Share of the bandwidth that is reached, above 0, at most 1.",
                    example = "0.6",
                    minimum = NumberRange.LEAST,
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
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record DeviceStaticCosts(
            @JsonProperty("matrix")
            @Schema(
                    description = "Of an operator with work on the matrix units.",
                    example = "5.0",
                    minimum = NumberRange.NONE,
                    maximum = NumberRange.MOST)
            @Nullable
            Double matrix,

            @JsonProperty("general")
            @Schema(
                    description = "Of any other operator.",
                    example = "2.0",
                    minimum = NumberRange.NONE,
                    maximum = NumberRange.MOST)
            @Nullable
            Double general,

            @JsonProperty("communication")
            @Schema(
                    description = "Of a collective.",
                    example = "0.0",
                    minimum = NumberRange.NONE,
                    maximum = NumberRange.MOST)
            @Nullable
            Double communication) {}

    /// @param grid devices per dimension, outermost first, each at least 2
    /// @param links one per dimension, in the same order
    @Schema(
            description = "Devices stand in a grid; each dimension has links of its own.",
            requiredProperties = {"grid", "links"})
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record DeviceInterconnect(
            @JsonProperty("grid")
            @ArraySchema(
                    arraySchema =
                            @Schema(
                                    description =
                                            "Devices per dimension, outermost first, each at least 2; their product is the largest `num_devices`.",
                                    example = "[256, 8]"),
                    schema = @Schema(minimum = "2", maximum = NumberRange.MOST),
                    minItems = 1)
            @JsonSetter(contentNulls = Nulls.FAIL)
            @Nullable
            List<Integer> grid,

            @JsonProperty("links")
            @ArraySchema(arraySchema = @Schema(description = "One per dimension, in the same order."), minItems = 1)
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
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record DeviceLink(
            @JsonProperty("bandwidth_gb_per_s")
            @Schema(
                    description = "Peak of one device in one direction, GB of 10^9 bytes per second.",
                    example = "50.0",
                    minimum = NumberRange.LEAST,
                    maximum = NumberRange.MOST)
            @Nullable
            Double bandwidthGbPerS,

            @JsonProperty("latency_us")
            @Schema(
                    description = "Latency in microseconds.",
                    example = "10.0",
                    minimum = NumberRange.NONE,
                    maximum = NumberRange.MOST)
            @Nullable
            Double latencyUs,

            @JsonProperty("efficiency")
            @Schema(
                    description = "Share of the bandwidth that is reached, above 0, at most 1.",
                    example = "0.7",
                    minimum = NumberRange.LEAST,
                    maximum = NumberRange.WHOLE)
            @Nullable
            Double efficiency,

            @JsonProperty("topology")
            @Schema(description = "How the devices of the dimension are wired.", example = "CLOS")
            Interconnect.@Nullable Topology topology) {}

    /// Effective rates: peak times efficiency, compute in the type most models run in.
    ///
    /// @param matrixTflops 10^12 operations per second
    /// @param generalTflops 10^12 operations per second
    /// @param memoryTbPerS 2^40 bytes per second
    /// @param linkGbPerS per dimension, outermost first, 10^9 bytes per second
    /// @param matrixTypesWithoutRate types without a rate: work in them takes no time on the matrix units, so
    ///     figures that need it are underestimated
    @Schema(description = "What the device reaches: peaks times efficiencies, compute in the type most models run in.")
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record DeviceEffective(
            @JsonProperty("matrix_tflops")
            @Schema(description = "Matrix units, 10^12 operations per second.", example = "247.73")
            @Nullable
            Double matrixTflops,

            @JsonProperty("general_tflops")
            @Schema(description = "General units, 10^12 operations per second.", example = "7.7")
            @Nullable
            Double generalTflops,

            @JsonProperty("memory_tb_per_s")
            @Schema(description = "Memory, TB of 2^40 bytes per second.", example = "0.96")
            @Nullable
            Double memoryTbPerS,

            @JsonProperty("link_gb_per_s")
            @Schema(
                    description = "Links per dimension, outermost first, GB of 10^9 bytes per second.",
                    example = "[35.0, 137.2]")
            @JsonSetter(contentNulls = Nulls.FAIL)
            @Nullable
            List<Double> linkGbPerS,

            @JsonProperty("matrix_types_without_rate")
            @Schema(
                    description =
                            "Work in these types costs no time on the matrix units, so figures that need it are too low.")
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

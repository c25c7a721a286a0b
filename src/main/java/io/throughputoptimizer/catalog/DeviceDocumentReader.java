package io.throughputoptimizer.catalog;

import static io.throughputoptimizer.catalog.DeviceUnits.GIBI;
import static io.throughputoptimizer.catalog.DeviceUnits.GIGA;
import static io.throughputoptimizer.catalog.DeviceUnits.MICRO;
import static io.throughputoptimizer.catalog.DeviceUnits.TEBI;
import static io.throughputoptimizer.catalog.DeviceUnits.TERA;
import static io.throughputoptimizer.catalog.DeviceUnits.shifted;

import io.throughputoptimizer.catalog.DeviceDocument.DeviceAlias;
import io.throughputoptimizer.catalog.DeviceDocument.DeviceCompute;
import io.throughputoptimizer.catalog.DeviceDocument.DeviceInterconnect;
import io.throughputoptimizer.catalog.DeviceDocument.DeviceLink;
import io.throughputoptimizer.catalog.DeviceDocument.DeviceMemory;
import io.throughputoptimizer.catalog.DeviceDocument.DeviceStaticCosts;
import io.throughputoptimizer.catalog.DeviceDocument.GeneralTflops;
import io.throughputoptimizer.catalog.DeviceDocument.MatrixTflops;
import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.hardware.DeviceProfile;
import io.throughputoptimizer.core.hardware.Interconnect;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Converts a device document into a profile, and reports all its defects together.
final class DeviceDocumentReader {
    /// Pattern of device names, as in the API description.
    static final String NAME_PATTERN = "^[A-Za-z0-9_.-]{1,100}$";

    private static final String NAME_RULE = "1 to 100 letters, digits, '_', '.' or '-'";

    private static final Pattern NAME = Pattern.compile(NAME_PATTERN);

    /// Maximum number of dimensions, with at least two devices in each.
    private static final int MOST_DIMENSIONS = Integer.SIZE - Integer.numberOfLeadingZeros(Interconnect.MAX_DEVICES);

    private static final DeviceCompute NO_COMPUTE = new DeviceCompute(null, null, null);
    private static final MatrixTflops NO_MATRIX = new MatrixTflops(null, null, null, null, null, null);
    private static final GeneralTflops NO_GENERAL = new GeneralTflops(null, null, null);
    private static final DeviceMemory NO_MEMORY = new DeviceMemory(null, null, null);
    private static final DeviceStaticCosts NO_STATIC_COSTS = new DeviceStaticCosts(null, null, null);
    private static final DeviceInterconnect NO_INTERCONNECT = new DeviceInterconnect(null, null);

    private final DefectCollector defects = new DefectCollector();

    private DeviceDocumentReader() {}

    static DeviceProfile read(DeviceDocument document) {
        DeviceProfile profile = new DeviceDocumentReader().profile(document);
        if (document.effective() != null && !document.effective().equals(DeviceDocumentWriter.effective(profile))) {
            throw new InvalidDocumentException(List.of(new Defect(
                    "/effective",
                    "effective contradicts the peaks and efficiencies, from which it follows: it may be left out")));
        }
        return profile;
    }

    private DeviceProfile profile(DeviceDocument document) {
        String name = name(document.name());
        String vendor = vendor(document.vendor());
        DeviceProfile.Compute compute = compute(defects.given("/compute", document.compute(), NO_COMPUTE));
        DeviceProfile.Memory memory = memory(defects.given("/memory", document.memory(), NO_MEMORY));
        DeviceProfile.StaticCosts staticCosts =
                staticCosts(defects.given("/static_costs_us", document.staticCostsUs(), NO_STATIC_COSTS));
        if (document.calibration() != null) {
            CalibrationDocumentReader.read("/calibration", document.calibration(), defects);
        }
        if (Boolean.FALSE.equals(document.comparedWithSilicon()) && document.calibration() != null) {
            defects.refuse("/compared_with_silicon", false, "absent or true for a device with a calibration");
        }
        checkAliases(Objects.requireNonNullElse(document.aliases(), List.of()));
        Interconnect interconnect =
                interconnect(defects.given("/interconnect", document.interconnect(), NO_INTERCONNECT));
        return new DeviceProfile(
                name,
                vendor,
                compute,
                memory,
                staticCosts,
                interconnect,
                caveats(name, document.comparedWithSilicon()));
    }

    private static List<String> caveats(String name, @Nullable Boolean comparedWithSilicon) {
        return Boolean.FALSE.equals(comparedWithSilicon)
                ? List.of(name + " is not compared with silicon: its figures are those of data sheets and estimates")
                : List.of();
    }

    private void checkAliases(List<DeviceAlias> aliases) {
        for (int index = 0; index < aliases.size(); index++) {
            String pointer = "/aliases/" + index;
            DeviceAlias alias = aliases.get(index);
            if (alias.name() == null || !NAME.matcher(alias.name()).matches()) {
                defects.refuse(pointer + "/name", alias.name(), NAME_RULE);
            }
            if (alias.means() == null || alias.means().isBlank()) {
                defects.refuse(pointer + "/means", alias.means(), "a string");
            }
        }
    }

    private String name(@Nullable String name) {
        if (name == null || !NAME.matcher(name).matches()) {
            defects.refuse("/name", name, NAME_RULE);
            return "?";
        }
        return name;
    }

    private String vendor(@Nullable String vendor) {
        if (vendor == null || vendor.isBlank()) {
            defects.refuse("/vendor", vendor, "a string");
            return "?";
        }
        return vendor;
    }

    private DeviceProfile.Compute compute(DeviceCompute compute) {
        return new DeviceProfile.Compute(
                matrixRates(defects.given("/compute/matrix_tflops", compute.matrixTflops(), NO_MATRIX)),
                generalRates(defects.given("/compute/general_tflops", compute.generalTflops(), NO_GENERAL)),
                defects.number("/compute/efficiency", compute.efficiency(), NumberRange.SHARE));
    }

    private Map<DataType, Double> matrixRates(MatrixTflops tflops) {
        String pointer = "/compute/matrix_tflops/";
        Map<DataType, Double> rates = new EnumMap<>(DataType.class);
        rates.put(DataType.FLOAT32, rate(pointer + "fp32", tflops.fp32()));
        rates.put(DataType.BFLOAT16, rate(pointer + "bf16", tflops.bf16()));
        rates.put(DataType.FLOAT16, rate(pointer + "fp16", tflops.fp16()));
        if (tflops.int8() != null) {
            rates.put(DataType.INT8, rate(pointer + "int8", tflops.int8()));
        }
        if (tflops.fp8() != null) {
            rates.put(DataType.FLOAT8_E4M3, rate(pointer + "fp8", tflops.fp8()));
        }
        if (tflops.fp4() != null) {
            rates.put(DataType.INT4, rate(pointer + "fp4", tflops.fp4()));
        }
        return rates;
    }

    private Map<DataType, Double> generalRates(GeneralTflops tflops) {
        String pointer = "/compute/general_tflops/";
        return Map.of(
                DataType.FLOAT32, rate(pointer + "fp32", tflops.fp32()),
                DataType.BFLOAT16, rate(pointer + "bf16", tflops.bf16()),
                DataType.FLOAT16, rate(pointer + "fp16", tflops.fp16()));
    }

    private double rate(String pointer, @Nullable Double tflops) {
        return shifted(defects.number(pointer, tflops, NumberRange.AMOUNT), TERA);
    }

    private DeviceProfile.Memory memory(DeviceMemory memory) {
        return new DeviceProfile.Memory(
                defects.number("/memory/capacity_gb", memory.capacityGb(), NumberRange.AMOUNT) * GIBI,
                defects.number("/memory/bandwidth_tb_per_s", memory.bandwidthTbPerS(), NumberRange.AMOUNT) * TEBI,
                defects.number("/memory/efficiency", memory.efficiency(), NumberRange.SHARE));
    }

    private DeviceProfile.StaticCosts staticCosts(DeviceStaticCosts costs) {
        return new DeviceProfile.StaticCosts(
                seconds("/static_costs_us/matrix", costs.matrix()),
                seconds("/static_costs_us/general", costs.general()),
                seconds("/static_costs_us/communication", costs.communication()));
    }

    private double seconds(String pointer, @Nullable Double microseconds) {
        return shifted(defects.number(pointer, microseconds, NumberRange.TIME), MICRO);
    }

    /// Reads the interconnect last, since stand-ins would not form a grid.
    private Interconnect interconnect(DeviceInterconnect interconnect) {
        List<Integer> grid = grid(defects.given("/interconnect/grid", interconnect.grid(), List.of()));
        List<DeviceLink> given = defects.given("/interconnect/links", interconnect.links(), List.of());
        List<Interconnect.Link> links = new ArrayList<>();
        if (!grid.isEmpty() && given.size() != grid.size()) {
            defects.refuse(
                    "/interconnect/links",
                    given.size() + " links",
                    "one link for each of the " + grid.size() + " grid dimensions");
        } else if (given.size() <= MOST_DIMENSIONS) {
            for (int index = 0; index < given.size(); index++) {
                links.add(link("/interconnect/links/" + index, given.get(index)));
            }
        }
        defects.throwIfAny();
        return new Interconnect(grid, links);
    }

    private List<Integer> grid(List<Integer> sizes) {
        double devices = sizes.size() > MOST_DIMENSIONS ? Double.POSITIVE_INFINITY : 1;
        for (int index = 0; index < sizes.size() && sizes.size() <= MOST_DIMENSIONS; index++) {
            int size = sizes.get(index);
            if (size < 2) {
                defects.refuse("/interconnect/grid/" + index, size, "a whole number of at least 2");
            }
            devices *= size;
        }
        if (sizes.isEmpty() || devices > Interconnect.MAX_DEVICES) {
            defects.refuse(
                    "/interconnect/grid",
                    sizes,
                    "at least one dimension and at most " + Interconnect.MAX_DEVICES + " devices");
        }
        return sizes;
    }

    private Interconnect.Link link(String pointer, DeviceLink link) {
        if (link.topology() == null) {
            defects.refuse(pointer + "/topology", null, "CLOS or FULL_MESH");
        }
        return new Interconnect.Link(
                shifted(
                        defects.number(pointer + "/bandwidth_gb_per_s", link.bandwidthGbPerS(), NumberRange.AMOUNT),
                        GIGA),
                seconds(pointer + "/latency_us", link.latencyUs()),
                defects.number(pointer + "/efficiency", link.efficiency(), NumberRange.SHARE),
                Objects.requireNonNullElse(link.topology(), Interconnect.Topology.CLOS));
    }
}

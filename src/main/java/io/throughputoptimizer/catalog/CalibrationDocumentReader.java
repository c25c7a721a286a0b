package io.throughputoptimizer.catalog;

import static io.throughputoptimizer.catalog.DeviceUnits.GIBI;
import static io.throughputoptimizer.catalog.DeviceUnits.TERA;
import static io.throughputoptimizer.catalog.DeviceUnits.shifted;

import io.throughputoptimizer.catalog.CalibrationDocument.PeaksDocument;
import io.throughputoptimizer.core.kernels.CalibratedPass;
import io.throughputoptimizer.core.kernels.calibration.AllReduces;
import io.throughputoptimizer.core.kernels.calibration.Calibration;
import io.throughputoptimizer.core.kernels.calibration.Calibration.Servers;
import io.throughputoptimizer.core.kernels.calibration.KernelClass;
import io.throughputoptimizer.core.kernels.calibration.MatrixPeak;
import io.throughputoptimizer.core.kernels.calibration.ParameterSet;
import io.throughputoptimizer.core.kernels.calibration.Peaks;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Converts the calibration of a device document and collects all its defects.
final class CalibrationDocumentReader {
    private static final Pattern NAME = Pattern.compile(DeviceDocumentReader.NAME_PATTERN);
    private static final PeaksDocument NO_PEAKS =
            new PeaksDocument(null, null, null, null, null, null, null, null, null, null, null);
    private static final String NOT_POOLED = "not_pooled";
    private static final String ASSUMED = "assumed";
    private static final String EFFICIENCY = "_efficiency";

    /// Backends that can have parameter sets; a misspelled one would never be used.
    private static final List<String> BACKENDS = List.of(
            Calibration.POOLED,
            "nccl",
            "sglang",
            "trtllm",
            Calibration.TRTLLM_NET,
            "vllm",
            "vllm-ascend",
            Calibration.VLLM_MACHETE);

    private final String root;
    private final DefectCollector defects;

    private CalibrationDocumentReader(String root, DefectCollector defects) {
        this.root = root;
        this.defects = defects;
    }

    /// Returns the calibration; a stand-in if defects were added to `defects`.
    ///
    /// @param root JSON pointer to the document
    static Calibration read(String root, CalibrationDocument document, DefectCollector defects) {
        return new CalibrationDocumentReader(root, defects).calibration(document);
    }

    private Calibration calibration(CalibrationDocument document) {
        Integer laws = document.laws();
        if (laws != null && (laws < 1 || laws > CalibratedPass.LAWS)) {
            defects.refuse(root + "/laws", laws, "1 or 2");
        }
        Peaks peaks = peaks(defects.given(root + "/peaks", document.peaks(), NO_PEAKS));
        return new Calibration(
                name("/device", document.device()),
                name("/family", document.family()),
                peaks,
                Boolean.TRUE.equals(document.decodeAttentionLaunchOverlapsMemory()),
                Objects.requireNonNullElse(document.versions(), Map.of()),
                servers(document.comparedServers()),
                classes(defects.given(root + "/classes", document.classes(), Map.of())),
                allReduces(document.allReduce(), peaks.links()),
                null,
                null);
    }

    private Servers servers(@Nullable String compared) {
        return switch (compared) {
            case null -> Servers.NONE;
            case "disaggregated" -> Servers.DISAGGREGATED;
            case "all" -> Servers.ALL;
            default -> {
                defects.refuse(root + "/compared_servers", compared, "all or disaggregated is needed");
                yield Servers.NONE;
            }
        };
    }

    private AllReduces allReduces(@Nullable AllReduceDocument document, Peaks.Links links) {
        return document == null
                ? AllReduces.NONE
                : AllReduceDocumentReader.read(root + "/all_reduce", document, links.bytesPerSecond(), defects);
    }

    private String name(String pointer, @Nullable String name) {
        if (name == null || !NAME.matcher(name).matches()) {
            defects.refuse(root + pointer, name, "1 to 100 letters, digits, '_', '.' or '-'");
            return "?";
        }
        return name;
    }

    private Peaks peaks(PeaksDocument peaks) {
        Map<MatrixPeak, Double> rates = new EnumMap<>(MatrixPeak.class);
        rates.put(MatrixPeak.BF16, rate("bf16_dense_tflops", peaks.bf16DenseTflops()));
        rates.put(MatrixPeak.FP8, rate("fp8_dense_tflops", peaks.fp8DenseTflops()));
        rates.put(MatrixPeak.FP4, rate("fp4_dense_tflops", peaks.fp4DenseTflops()));
        rates.put(MatrixPeak.INT8, rate("int8_dense_tops", peaks.int8DenseTops()));
        return new Peaks(
                rates,
                number("hbm_gib", peaks.hbmGib(), NumberRange.AMOUNT) * GIBI,
                number("hbm_bytes_per_second", peaks.hbmBytesPerSecond(), NumberRange.BYTES_PER_SECOND),
                links(peaks));
    }

    private Peaks.Links links(PeaksDocument peaks) {
        Double domain = peaks.linkDomainDevices() == null ? null : Double.valueOf(peaks.linkDomainDevices());
        if (peaks.inSwitchReduction() == null) {
            defects.refuse(root + "/peaks/in_switch_reduction", null, "true or false");
        }
        return new Peaks.Links(
                number(
                        "link_bytes_per_second_per_direction",
                        peaks.linkBytesPerSecondPerDirection(),
                        NumberRange.BYTES_PER_SECOND),
                (int) number("link_domain_devices", domain, NumberRange.COUNT),
                number("inter_node_bytes_per_second", peaks.interNodeBytesPerSecond(), NumberRange.BYTES_PER_SECOND),
                Boolean.TRUE.equals(peaks.inSwitchReduction()));
    }

    private double rate(String key, @Nullable Double tera) {
        return shifted(number(key, tera, NumberRange.RATE), TERA);
    }

    private double number(String key, @Nullable Double value, NumberRange range) {
        return defects.number(root + "/peaks/" + key, value, range);
    }

    private Map<KernelClass, Map<String, SortedMap<String, ParameterSet>>> classes(
            Map<String, Map<String, Map<String, Map<String, Object>>>> classes) {
        Map<KernelClass, Map<String, SortedMap<String, ParameterSet>>> read = new EnumMap<>(KernelClass.class);
        List<String> known =
                Stream.of(KernelClass.values()).map(KernelClass::label).toList();
        classes.forEach((label, types) -> {
            String pointer = root + "/classes/" + escaped(label);
            KernelClass.of(label)
                    .ifPresentOrElse(
                            kernel -> read.put(kernel, types(pointer, kernel, present(pointer, types))),
                            () -> unknown(pointer, known));
        });
        return read;
    }

    private Map<String, SortedMap<String, ParameterSet>> types(
            String parent, KernelClass kernel, Map<String, Map<String, Map<String, Object>>> types) {
        Map<String, SortedMap<String, ParameterSet>> read = new LinkedHashMap<>();
        types.forEach((type, backends) -> {
            String pointer = parent + "/" + escaped(type);
            if (kernel.types().contains(type)) {
                read.put(type, backends(pointer, kernel, present(pointer, backends)));
            } else {
                unknown(pointer, kernel.types());
            }
        });
        return read;
    }

    private SortedMap<String, ParameterSet> backends(
            String parent, KernelClass kernel, Map<String, Map<String, Object>> backends) {
        SortedMap<String, ParameterSet> read = new TreeMap<>();
        backends.forEach((backend, values) -> {
            String pointer = parent + "/" + escaped(backend);
            if (BACKENDS.contains(backend)) {
                read.put(backend, set(pointer, kernel, present(pointer, values)));
            } else {
                unknown(pointer, BACKENDS);
            }
        });
        return read;
    }

    private ParameterSet set(String parent, KernelClass kernel, Map<String, Object> values) {
        Map<String, Double> parameters = new LinkedHashMap<>();
        for (String parameter : kernel.parameters()) {
            parameters.put(parameter, parameter(parent + "/" + parameter, values.get(parameter)));
        }
        kernel.optionalParameters().stream()
                .filter(values::containsKey)
                .forEach(parameter ->
                        parameters.put(parameter, parameter(parent + "/" + parameter, values.get(parameter))));
        values.keySet().stream()
                .filter(key -> !parameters.containsKey(key) && !key.equals(NOT_POOLED) && !key.equals(ASSUMED))
                .forEach(key -> unknown(parent + "/" + escaped(key), kernel.parameters()));
        return new ParameterSet(parameters, reason(parent, values, NOT_POOLED), reason(parent, values, ASSUMED));
    }

    private double parameter(String pointer, @Nullable Object value) {
        NumberRange range = rangeOf(pointer);
        if (value == null || value instanceof Number) {
            Number number = (Number) value;
            return defects.number(pointer, number == null ? null : Double.valueOf(number.doubleValue()), range);
        }
        defects.refuse(pointer, value, range.rule());
        return range.min();
    }

    /// Returns the allowed values of a parameter.
    static NumberRange rangeOf(String parameter) {
        return parameter.endsWith(EFFICIENCY) ? NumberRange.EFFICIENCY : NumberRange.TIME;
    }

    private @Nullable String reason(String parent, Map<String, Object> values, String key) {
        Object value = values.get(key);
        if (value == null || value instanceof String) {
            return (String) value;
        }
        defects.refuse(parent + "/" + key, value, "a string");
        return null;
    }

    private <V> Map<String, V> present(String pointer, @Nullable Map<String, V> members) {
        return defects.given(pointer, members, Map.of());
    }

    private void unknown(String pointer, List<String> known) {
        defects.unknown(pointer, known);
    }

    /// Escapes a key for a JSON pointer.
    static String escaped(String key) {
        return key.replace("~", "~0").replace("/", "~1");
    }
}

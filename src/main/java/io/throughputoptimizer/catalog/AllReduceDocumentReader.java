package io.throughputoptimizer.catalog;

import static java.util.Objects.requireNonNullElse;

import io.throughputoptimizer.core.kernels.calibration.AllReduces;
import io.throughputoptimizer.core.kernels.calibration.AllReduces.Point;
import io.throughputoptimizer.core.kernels.calibration.Calibration;
import io.throughputoptimizer.core.kernels.calibration.ParameterSet;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Converts the all-reduces of a device document and collects all their defects.
final class AllReduceDocumentReader {
    private static final Pattern RANKS = Pattern.compile("[2-9]|[1-9][0-9]{1,5}");
    private static final String PAIRS = "pairs of bytes and microseconds, smallest tensor first";
    private static final Point STAND_IN = new Point(1, 1);
    private static final NumberRange BYTES = NumberRange.BYTES_PER_SECOND;

    /// Engines with their own all-reduces.
    private static final List<String> ENGINES = List.of("sglang", "trtllm", "vllm", "vllm-ascend");

    private static final List<String> ENGINES_OR_ALL =
            List.of(Calibration.POOLED, "sglang", "trtllm", "vllm", "vllm-ascend");

    private final DefectCollector defects;

    private AllReduceDocumentReader(DefectCollector defects) {
        this.defects = defects;
    }

    /// Returns the all-reduces; a stand-in if defects were added to `defects`.
    ///
    /// @param root JSON pointer to the document
    /// @param linkBytesPerSecond link bandwidth of the peaks
    static AllReduces read(
            String root, AllReduceDocument document, double linkBytesPerSecond, DefectCollector defects) {
        AllReduceDocumentReader reader = new AllReduceDocumentReader(defects);
        Map<String, Map<Integer, List<Point>>> tables = new LinkedHashMap<>();
        requireNonNullElse(document.table(), Map.<String, Map<String, List<List<Double>>>>of())
                .forEach((engine, ranks) -> {
                    String pointer = reader.known(root + "/table", engine, ENGINES);
                    tables.put(engine, reader.ranks(pointer, defects.given(pointer, ranks, Map.of())));
                });
        Map<String, ParameterSet> forms = new LinkedHashMap<>();
        requireNonNullElse(document.forms(), Map.<String, Map<String, Double>>of())
                .forEach((engine, values) -> {
                    String pointer = reader.known(root + "/forms", engine, ENGINES_OR_ALL);
                    forms.put(engine, reader.form(pointer, defects.given(pointer, values, Map.of())));
                });
        Double link = document.linkBytesPerSecond();
        return new AllReduces(
                tables,
                forms,
                link == null
                        ? linkBytesPerSecond
                        : defects.number(root + "/link_bytes_per_second", link, NumberRange.BYTES_PER_SECOND));
    }

    private String known(String parent, String engine, List<String> engines) {
        String pointer = parent + "/" + CalibrationDocumentReader.escaped(engine);
        if (!engines.contains(engine)) {
            defects.unknown(pointer, engines);
        }
        return pointer;
    }

    private Map<Integer, List<Point>> ranks(String parent, Map<String, List<List<Double>>> tables) {
        Map<Integer, List<Point>> read = new LinkedHashMap<>();
        tables.forEach((ranks, pairs) -> {
            String pointer = parent + "/" + CalibrationDocumentReader.escaped(ranks);
            if (RANKS.matcher(ranks).matches()) {
                read.put(Integer.valueOf(ranks), points(pointer, defects.given(pointer, pairs, List.of())));
            } else {
                defects.unknown(pointer, List.of("whole numbers of ranks from 2"));
            }
        });
        return read;
    }

    private List<Point> points(String pointer, List<List<Double>> pairs) {
        List<Point> points = new ArrayList<>();
        for (List<Double> pair : pairs) {
            Point point = point(pair);
            if (point == null
                    || (!points.isEmpty() && point.bytes() <= points.getLast().bytes())) {
                defects.refuse(pointer, pair == null ? "null" : pair, PAIRS);
                return List.of(STAND_IN);
            }
            points.add(point);
        }
        if (points.isEmpty()) {
            defects.refuse(pointer, pairs, PAIRS);
            return List.of(STAND_IN);
        }
        return List.copyOf(points);
    }

    private static @Nullable Point point(@Nullable List<Double> pair) {
        if (pair == null || pair.size() != 2) {
            return null;
        }
        Double bytes = pair.getFirst();
        Double micros = pair.getLast();
        return bytes == null || micros == null || !BYTES.contains(bytes) || !NumberRange.AMOUNT.contains(micros)
                ? null
                : new Point(bytes, micros);
    }

    private ParameterSet form(String parent, Map<String, Double> values) {
        Map<String, Double> parameters = new LinkedHashMap<>();
        for (String parameter : AllReduces.PARAMETERS) {
            String pointer = parent + "/" + parameter;
            parameters.put(
                    parameter,
                    defects.number(pointer, values.get(parameter), CalibrationDocumentReader.rangeOf(parameter)));
        }
        values.keySet().stream()
                .filter(key -> !AllReduces.PARAMETERS.contains(key))
                .forEach(key ->
                        defects.unknown(parent + "/" + CalibrationDocumentReader.escaped(key), AllReduces.PARAMETERS));
        return new ParameterSet(parameters, null, null);
    }
}

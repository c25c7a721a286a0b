package io.throughputoptimizer.core.kernels.operator;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.throughputoptimizer.core.kernels.calibration.AllReduces;
import io.throughputoptimizer.core.kernels.calibration.Calibration;
import io.throughputoptimizer.core.kernels.calibration.KernelClass;
import io.throughputoptimizer.core.kernels.calibration.ParameterSet;
import io.throughputoptimizer.core.kernels.calibration.ProductType;
import io.throughputoptimizer.fixture.Silicon;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Prices against 50,147 measured kernels, each under the parameters of its own backend;
/// all-reduces under those that all numbers of ranks share.
class KernelMediansTest {
    private static final double TOLERANCE = 0.5;
    private static final List<String> DEVICES = List.of(
            "h100_sxm",
            "h200_sxm",
            "b200_sxm",
            "gb200",
            "b300_sxm",
            "gb300",
            "a100_sxm",
            "l40s",
            "rtx_pro_6000_server",
            "ascend_910b");

    /// Median errors in percent by class of kernel and device.
    private static Map<String, Double> medians = Map.of();

    /// A measured kernel; columns by name.
    private record Measured(Map<String, String> columns) {
        String text(String column) {
            return Objects.requireNonNull(columns.get(column));
        }

        double number(String column) {
            return Double.parseDouble(text(column));
        }
    }

    @BeforeAll
    static void measure() throws IOException {
        Map<String, Kernels> kernels = Silicon.calibrations().stream()
                .map(KernelMediansTest::withOwnSets)
                .flatMap(calibration -> backends(calibration).stream()
                        .map(backend ->
                                Map.entry(calibration.device() + "/" + backend, new Kernels(calibration, backend))))
                .collect(toMap(Map.Entry::getKey, Map.Entry::getValue));
        Map<String, Map<String, List<Double>>> errors = rows().stream()
                .collect(groupingBy(
                        row -> row.text("class") + "/" + row.text("device"),
                        groupingBy(
                                row -> row.text("dtype") + "/" + row.text("backend"),
                                Collectors.mapping(row -> error(kernels, row), Collectors.toList()))));
        medians = errors.entrySet().stream()
                .collect(toMap(
                        Map.Entry::getKey,
                        group -> median(group.getValue().values().stream().mapToDouble(KernelMediansTest::median))));
    }

    /// The same calibration in which no set is set aside, and none is derived from others.
    private static Calibration withOwnSets(Calibration calibration) {
        Map<KernelClass, Map<String, SortedMap<String, ParameterSet>>> sets = calibration.sets().entrySet().stream()
                .collect(toMap(
                        Map.Entry::getKey,
                        ofClass -> ofClass.getValue().entrySet().stream()
                                .collect(toMap(Map.Entry::getKey, ofType -> own(ofType.getValue())))));
        return new Calibration(
                calibration.device(),
                calibration.family(),
                calibration.peaks(),
                calibration.launchOverlapsMemory(),
                calibration.versions(),
                calibration.servers(),
                sets,
                AllReduces.NONE,
                null,
                null);
    }

    private static SortedMap<String, ParameterSet> own(SortedMap<String, ParameterSet> sets) {
        SortedMap<String, ParameterSet> own = new TreeMap<>();
        sets.forEach((backend, set) -> own.put(backend, new ParameterSet(set.values(), null, null)));
        own.remove(Calibration.TRTLLM_NET);
        return own;
    }

    private static List<String> backends(Calibration calibration) {
        return List.copyOf(calibration.versions().keySet());
    }

    private static List<Measured> rows() throws IOException {
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(
                new GZIPInputStream(Silicon.resource("kernels-train.csv.gz")), StandardCharsets.UTF_8))) {
            String[] names = Objects.requireNonNull(reader.readLine()).split(",", -1);
            return reader.lines()
                    .map(line -> {
                        String[] values = line.split(",", -1);
                        Map<String, String> columns = new HashMap<>();
                        for (int index = 0; index < names.length; index++) {
                            columns.put(names[index], values[index]);
                        }
                        return new Measured(columns);
                    })
                    .toList();
        }
    }

    private static double error(Map<String, Kernels> kernels, Measured row) {
        Kernels own = Objects.requireNonNull(kernels.get(row.text("device") + "/" + row.text("backend")));
        double measured = row.number("us");
        return Math.abs(price(own, row) - measured) / measured * 100;
    }

    private static double price(Kernels kernels, Measured row) {
        String type = row.text("dtype");
        return switch (KernelClass.of(row.text("class")).orElseThrow()) {
            case GEMM ->
                kernels.gemm(product(type)).kernel().microseconds(row.number("m"), row.number("n"), row.number("k"));
            case PREFILL_ATTENTION ->
                kernels.prefillAttention(type).kernel().microseconds(tokens(row), pairs(row), heads(row));
            case DECODE_ATTENTION ->
                kernels.decodeAttention(type).kernel().microseconds(row.number("batch"), tokens(row), heads(row));
            case MLA_PREFILL ->
                kernels.latentPrefill(type).kernel().microseconds(tokens(row), pairs(row), row.number("heads"));
            case MLA_DECODE ->
                kernels.latentDecode(type).kernel().microseconds(row.number("batch"), tokens(row), row.number("heads"));
            case MOE -> experts(kernels.experts(product(type), true).kernel(), row);
            case COLLECTIVE ->
                kernels.collective(Collective.Kind.valueOf(type.toUpperCase(Locale.ROOT)), (int) row.number("ranks"))
                        .kernel()
                        .microseconds(row.number("bytes"));
            case ELEMENTWISE -> kernels.move(type).kernel().microseconds(row.number("bytes"));
            case GDN_CONV_PREFILL,
                    GDN_SCAN,
                    GDN_CONV_DECODE,
                    GDN_UPDATE,
                    KDA_CONV_PREFILL,
                    KDA_SCAN,
                    KDA_CONV_DECODE,
                    KDA_UPDATE,
                    KDA_FUSED_UPDATE,
                    MAMBA2_CONV_PREFILL,
                    MAMBA2_CONV_DECODE,
                    HYPER_PRE,
                    HYPER_POST,
                    DSA_DECODE,
                    DSA_PREFILL,
                    DSA_PREFILL_DENSE,
                    CSA_DECODE,
                    CSA_PREFILL,
                    HCA_DECODE,
                    HCA_PREFILL,
                    MSA_DECODE,
                    MSA_PREFILL,
                    WINDOW_DECODE,
                    WINDOW_PREFILL,
                    MAMBA2_SCAN,
                    MOE_UNGATED -> throw new IllegalArgumentException("no rows of " + row.text("class"));
        };
    }

    private static ProductType product(String type) {
        return ProductType.of(type).orElseThrow();
    }

    private static double tokens(Measured row) {
        return row.number("batch") * row.number("seq");
    }

    private static double pairs(Measured row) {
        return tokens(row) * row.number("seq") / 2;
    }

    private static Heads heads(Measured row) {
        return new Heads(row.number("heads"), row.number("kv_heads"), row.number("head_dim"));
    }

    private static double experts(Experts kernel, Measured row) {
        double tokens = row.number("tokens");
        double ep = row.number("ep");
        double pairs = tokens * row.number("topk") / ep;
        double live = Math.min(row.number("experts") / ep, Math.max(1, pairs));
        var shape = new Experts.Shape(row.number("hidden"), row.number("inter") / row.number("tp"), row.number("topk"));
        return kernel.microseconds(shape, pairs, live, tokens);
    }

    private static double median(List<Double> values) {
        return median(values.stream().mapToDouble(Double::doubleValue));
    }

    private static double median(DoubleStream values) {
        double[] sorted = values.sorted().toArray();
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    @ParameterizedTest
    @CsvSource({
        "collective,        6.8 6.3 5.5 5.2 6.0 3.3  7.5 33.3  8.1 8.1",
        "decode_attention,  7.5 7.9 6.2 6.0 5.3 6.0  9.6 13.4 11.8 7.6",
        "elementwise,       6.4 5.2 6.8 6.3 5.7 5.7    - 13.4 12.8   -",
        "gemm,              6.1 7.4 6.6 5.9 6.1 5.0  6.5 10.9  7.4 9.8",
        "mla_decode,        6.6 5.7 7.2 6.8 8.0 6.8 36.0 22.9 40.2   -",
        "mla_prefill,       4.5 5.5 6.4 7.2 7.1 5.7  4.2 11.9  5.0   -",
        "moe,               7.4 8.4 8.3 8.0 8.1 8.1 18.6 11.2  9.0 7.3",
        "prefill_attention, 6.6 6.5 9.9 8.9 8.4 7.7  5.0 10.5 11.9 4.6"
    })
    void medianErrorsAreThoseOfTheFit(String kernel, String byDevice) {
        String[] expected = byDevice.split(" +", -1);
        assertThat(expected).hasSameSizeAs(DEVICES);
        for (int index = 0; index < expected.length; index++) {
            String group = kernel + "/" + DEVICES.get(index);
            if (expected[index].equals("-")) {
                assertThat(medians).doesNotContainKey(group);
            } else {
                assertThat(medians.get(group))
                        .as(group)
                        .isCloseTo(Double.parseDouble(expected[index]), within(TOLERANCE));
            }
        }
    }
}

package io.throughputoptimizer.core.kernels.operator;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.throughputoptimizer.core.kernels.calibration.HeadWindow;
import io.throughputoptimizer.core.kernels.calibration.KernelClass;
import io.throughputoptimizer.core.kernels.calibration.KernelUse;
import io.throughputoptimizer.core.kernels.calibration.ProductType;
import io.throughputoptimizer.core.kernels.operator.Kernels.Priced;
import io.throughputoptimizer.core.kernels.operator.Kernels.Windowed;
import io.throughputoptimizer.fixture.Silicon;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/// Prices of weight-only products, windows, wide heads, state spaces and experts without gates against vectors that
/// were computed apart from this code,
/// and against the measured kernels behind them.
class WindowVectorsTest {
    record Case(JsonNode json) {
        Kernels kernels() {
            return new Kernels(
                    Silicon.calibration(input("device").stringValue()),
                    input("backend").stringValue(),
                    json.at("/input/symmetric").asBoolean(true));
        }

        private JsonNode input(String member) {
            return json.required("input").required(member);
        }

        String kernel() {
            return input("kernel").stringValue();
        }

        JsonNode arguments() {
            return input("arguments");
        }

        double number(String argument) {
            return arguments().required(argument).doubleValue();
        }

        String text(String argument) {
            return arguments().required(argument).stringValue();
        }

        ProductType product() {
            return ProductType.of(text("dtype")).orElseThrow();
        }

        int window() {
            return arguments().path("window").asInt(0);
        }

        HeadWindow headWindow() {
            return new HeadWindow((int) number("dim"), window());
        }

        Heads heads() {
            return new Heads(number("heads"), number("kv_heads"), number("dim"));
        }

        @Override
        public String toString() {
            return json.required("input").toString();
        }
    }

    private record Price(double microseconds, KernelUse use) {}

    static List<Case> cases() {
        return Silicon.members("vectors-3.json.gz", "kernels").stream()
                .map(Case::new)
                .toList();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void aKernelCostsWhatItsVectorSaysOnTheSameBasis(Case vector) {
        Price price = price(vector);

        assertThat(price.microseconds)
                .isCloseTo(
                        vector.json.at("/expected/microseconds").doubleValue(),
                        withinPercentage(100 * Silicon.RELATIVE));
        assertThat(price.use.basis().label())
                .isEqualTo(vector.json.at("/expected/basis").stringValue());
    }

    @Test
    void mediansOfMeasuredKernelsAreThoseOfTheSpecification() {
        Map<String, List<Double>> errors = cases().stream()
                .filter(vector -> vector.json.has("measured_us"))
                .collect(groupingBy(Case::kernel, mapping(WindowVectorsTest::error, toList())));

        Map.of("gemm", 8.7, "window_decode", 7.5, "window_prefill", 7.0, "moe_ungated", 8.3)
                .forEach((kernel, median) -> assertThat(median(Objects.requireNonNull(errors.get(kernel))))
                        .as(kernel)
                        .isLessThan(1.1 * median));
    }

    private static double error(Case vector) {
        double measured = vector.json.required("measured_us").doubleValue();
        return 100 * Math.abs(price(vector).microseconds / measured - 1);
    }

    private static double median(List<Double> values) {
        return values.stream().sorted().toList().get(values.size() / 2);
    }

    private static Price price(Case vector) {
        Kernels kernels = vector.kernels();
        return switch (vector.kernel()) {
            case "gemm" -> {
                Priced<Gemm> priced = kernels.gemm(vector.product());
                yield new Price(
                        priced.kernel().microseconds(vector.number("m"), vector.number("n"), vector.number("k")),
                        priced.use());
            }
            case "window_decode" -> {
                Windowed<DecodeAttention> priced = kernels.windowDecode(
                        "kv_" + vector.text("kv"),
                        vector.headWindow(),
                        vector.heads().areGrouped());
                double sequences = vector.number("n");
                double length = vector.number("context") / sequences;
                double seen = vector.window() == 0 ? length : Math.min(length, vector.window());
                double read = seen + priced.maskedShare() * (length - seen);
                yield new Price(
                        priced.kernel().microseconds(sequences, sequences * read, vector.heads()), priced.use());
            }
            case "window_prefill" -> {
                Windowed<PrefillAttention> priced = kernels.windowPrefill(vector.text("dtype"), vector.headWindow());
                double tokens = vector.number("tokens");
                double full = vector.number("pairs") / tokens;
                double window = vector.window();
                double seen = window == 0 || 2 * full <= window ? full : window - window * window / (4 * full);
                double read = seen + priced.maskedShare() * (full - seen);
                yield new Price(priced.kernel().microseconds(tokens, tokens * read, vector.heads()), priced.use());
            }
            case "mamba2_scan" -> {
                Priced<StateScan> priced = kernels.scan(KernelClass.MAMBA2_SCAN, (int) vector.number("chunk"));
                var heads = new StateHeads(
                        vector.number("groups"), vector.number("heads"), vector.number("state"), vector.number("dim"));
                yield new Price(
                        priced.kernel().microseconds(vector.number("tokens"), vector.number("prompts"), heads),
                        priced.use());
            }
            case "moe_ungated" -> {
                Priced<Experts> priced = kernels.experts(vector.product(), false);
                var shape = new Experts.Shape(
                        vector.number("width"), vector.number("inter") / vector.number("tp"), vector.number("topk"));
                double pairs = vector.number("tokens") * vector.number("topk") / vector.number("ep");
                yield new Price(
                        priced.kernel().microseconds(shape, pairs, vector.number("live"), vector.number("permuted")),
                        priced.use());
            }
            default -> throw new IllegalArgumentException(vector.kernel());
        };
    }
}

package io.throughputoptimizer.core.kernels.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.throughputoptimizer.core.kernels.calibration.KernelClass;
import io.throughputoptimizer.core.kernels.calibration.KernelUse;
import io.throughputoptimizer.core.kernels.calibration.ModuleType;
import io.throughputoptimizer.core.kernels.operator.Kernels.Priced;
import io.throughputoptimizer.fixture.Silicon;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/// Prices of recurrent kernels, attention modules and mixtures of streams against vectors that
/// were computed apart from this code.
class ModuleVectorsTest {
    record Case(JsonNode json) {
        Kernels kernels() {
            return new Kernels(
                    Silicon.calibration(json.required("device").stringValue()),
                    json.required("backend").stringValue());
        }

        String kernel() {
            return json.required("kernel").stringValue();
        }

        JsonNode arguments() {
            return json.required("arguments");
        }

        double number(String argument) {
            return arguments().required(argument).doubleValue();
        }

        double numberOr(String argument, double other) {
            return arguments().has(argument) ? number(argument) : other;
        }

        boolean is(String argument) {
            return arguments().has(argument) && arguments().required(argument).booleanValue();
        }

        KernelClass kernelClass(String suffix) {
            return KernelClass.of(arguments().required("cls").stringValue() + suffix)
                    .orElseThrow();
        }

        StateHeads heads() {
            return new StateHeads(number("nk"), number("nv"), number("dk"), number("dv"));
        }

        @Override
        public String toString() {
            return json.required("device").stringValue() + " " + kernel() + arguments();
        }
    }

    private record Price(double microseconds, KernelUse use) {}

    static List<Case> cases() {
        return Silicon.cases("vectors-kernels-2.json.gz").stream()
                .map(Case::new)
                .toList();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void aKernelCostsWhatItsVectorSaysOnTheSameBasis(Case vector) {
        Price price = price(vector);

        assertThat(price.microseconds)
                .isCloseTo(
                        vector.json.required("microseconds").doubleValue(), withinPercentage(100 * Silicon.RELATIVE));
        assertThat(price.use.basis().label())
                .isEqualTo(vector.json.required("basis").stringValue());
    }

    private static Price price(Case vector) {
        Kernels kernels = vector.kernels();
        return switch (vector.kernel()) {
            case "conv_prefill" -> {
                Priced<PromptConvolution> priced = kernels.promptConvolution(vector.kernelClass("_conv_prefill"));
                yield new Price(
                        priced.kernel()
                                .microseconds(
                                        vector.number("tokens"), vector.number("prompts"), vector.number("channels")),
                        priced.use());
            }
            case "scan" -> {
                Priced<StateScan> priced = kernels.scan(vector.kernelClass("_scan"), StateScan.USUAL_CHUNK);
                yield new Price(
                        priced.kernel().microseconds(vector.number("tokens"), vector.number("prompts"), vector.heads()),
                        priced.use());
            }
            case "conv_decode" -> {
                Priced<Move> priced = kernels.move(vector.kernelClass("_conv_decode"));
                double bytes = (12 + 4 * vector.numberOr("query", 1)) * vector.number("n") * vector.number("channels");
                yield new Price(priced.kernel().microseconds(bytes), priced.use());
            }
            case "update" -> {
                Priced<StateUpdate> priced = kernels.update(vector.kernelClass("_update"));
                yield new Price(
                        priced.kernel()
                                .microseconds(
                                        vector.number("n"),
                                        vector.numberOr("query", 1),
                                        vector.heads(),
                                        vector.numberOr("state_bytes", 4)),
                        priced.use());
            }
            case "hyper" -> {
                boolean before =
                        vector.arguments().required("which").stringValue().equals("pre");
                Priced<Move> priced = kernels.move(before ? KernelClass.HYPER_PRE : KernelClass.HYPER_POST);
                double bytes = vector.number("tokens") * vector.number("hidden") * (before ? 20 : 36);
                yield new Price(priced.kernel().microseconds(bytes), priced.use());
            }
            case "module" -> module(kernels, vector);
            default -> throw new IllegalArgumentException(vector.kernel());
        };
    }

    private static Price module(Kernels kernels, Case vector) {
        KernelClass kernel = vector.kernelClass("");
        String label = vector.arguments().required("dtype").stringValue();
        var type = new ModuleType(
                label.startsWith("fp8_block/"), label.contains("kv_fp8"), label.endsWith("/shared_index"));
        Priced<AttentionModule> priced;
        if (!vector.is("prefill")) {
            priced = kernels.decodeModule(kernel, type);
        } else if (vector.is("alone")) {
            priced = kernels.prefillModule(kernel, type, Double.POSITIVE_INFINITY);
        } else {
            String decoding = kernel.name().replaceFirst("_PREFILL(_DENSE)?$", "_DECODE");
            priced = kernels.prefillModule(kernel, type, KernelClass.valueOf(decoding));
        }
        JsonNode features = vector.arguments().required("f");
        double tokens = features.required("tokens").doubleValue();
        double weights = features.required("linear_ops").doubleValue() / (2 * tokens);
        double read = type.product().weightBytes() * weights;
        var shape = new AttentionModule.Shape(
                features.required("heads").doubleValue(),
                weights,
                (features.required("linear_bytes").doubleValue() - read) / tokens,
                features.required("ops_per_pair").doubleValue(),
                features.required("entry_bytes").doubleValue(),
                features.required("query_bytes").doubleValue());
        var work = new AttentionModule.Work(
                tokens,
                features.has("length") ? features.required("length").doubleValue() : 0,
                features.required("index_ops").doubleValue(),
                features.required("index_bytes").doubleValue(),
                features.required("pairs").doubleValue(),
                features.required("full_pairs").doubleValue());
        assertThat(priced.use().type()).isEqualTo(label.toLowerCase(Locale.ROOT));
        return new Price(priced.kernel().microseconds(shape, work), priced.use());
    }
}

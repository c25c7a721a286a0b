package io.throughputoptimizer.core.kernels.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.throughputoptimizer.core.kernels.calibration.KernelUse;
import io.throughputoptimizer.core.kernels.calibration.ProductType;
import io.throughputoptimizer.core.kernels.operator.Kernels.Priced;
import io.throughputoptimizer.fixture.Silicon;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/// Prices of kernels against vectors that were computed apart from this code.
class KernelVectorsTest {

    record Case(JsonNode json) {
        static Case of(JsonNode json) {
            return new Case(json);
        }

        Kernels kernels() {
            return new Kernels(
                    Silicon.calibration(json.required("device").stringValue()),
                    json.required("backend").stringValue());
        }

        String kernel() {
            return json.required("kernel").stringValue();
        }

        String type() {
            return json.at("/arguments/0").stringValue();
        }

        ProductType product() {
            return ProductType.of(type()).orElseThrow();
        }

        double number(int index) {
            return json.at("/arguments/" + index).doubleValue();
        }

        boolean has(int index) {
            return json.required("arguments").has(index);
        }

        @Override
        public String toString() {
            return json.required("device").stringValue() + " " + kernel() + json.required("arguments");
        }
    }

    private record Price(double microseconds, KernelUse use) {}

    static List<Case> cases() {
        return Silicon.cases("vectors-kernels.json").stream().map(Case::of).toList();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void aKernelCostsWhatItsVectorSaysOnTheSameBasis(Case vector) {
        Price price = price(vector);

        assertThat(price.microseconds)
                .isCloseTo(
                        vector.json.required("microseconds").doubleValue(), withinPercentage(100 * Silicon.RELATIVE));
        String used = price.use.kernel() + "/" + price.use.type();
        assertThat(vector.json.required("basis").get(used).stringValue())
                .isEqualTo(price.use.basis().label());
    }

    private static Price price(Case vector) {
        Kernels kernels = vector.kernels();
        return switch (vector.kernel()) {
            case "gemm" -> {
                Priced<Gemm> gemm = kernels.gemm(vector.product());
                yield new Price(
                        gemm.kernel().microseconds(vector.number(1), vector.number(2), vector.number(3)), gemm.use());
            }
            case "prefill_attention" -> {
                Priced<PrefillAttention> attention = kernels.prefillAttention(vector.type());
                yield new Price(
                        attention.kernel().microseconds(vector.number(1), vector.number(2), heads(vector)),
                        attention.use());
            }
            case "decode_attention" -> {
                Priced<DecodeAttention> attention = kernels.decodeAttention(vector.type());
                yield new Price(
                        attention.kernel().microseconds(vector.number(1), vector.number(2), heads(vector)),
                        attention.use());
            }
            case "mla_prefill" -> {
                Priced<LatentPrefill> attention = kernels.latentPrefill(vector.type());
                yield new Price(
                        attention.kernel().microseconds(vector.number(1), vector.number(2), vector.number(3)),
                        attention.use());
            }
            case "mla_decode" -> {
                Priced<LatentDecode> attention = kernels.latentDecode(vector.type());
                yield new Price(
                        attention.kernel().microseconds(vector.number(1), vector.number(2), vector.number(3)),
                        attention.use());
            }
            case "moe" -> experts(kernels.experts(vector.product(), true), vector);
            case "collective" -> {
                Collective.Kind kind = Collective.Kind.valueOf(vector.type().toUpperCase(Locale.ROOT));
                Priced<Collective> collective = kernels.collective(kind, (int) vector.number(1));
                yield new Price(collective.kernel().microseconds(vector.number(2)), collective.use());
            }
            case "elementwise" -> {
                Priced<Move> move = kernels.move();
                Move kernel = vector.has(1) ? move.kernel().fused() : move.kernel();
                yield new Price(kernel.microseconds(vector.number(0)), move.use());
            }
            default -> throw new IllegalArgumentException(vector.kernel());
        };
    }

    private static Heads heads(Case vector) {
        return new Heads(vector.number(3), vector.number(4), vector.number(5));
    }

    /// Arguments: type, tokens, hidden, inner, top-k, experts, tp, ep and, where given, a load factor and live experts.
    private static Price experts(Priced<Experts> experts, Case vector) {
        double tokens = vector.number(1);
        double ep = vector.number(7);
        var shape = new Experts.Shape(vector.number(2), vector.number(3) / vector.number(6), vector.number(4));
        double pairs = tokens * vector.number(4) / ep * (vector.has(8) ? vector.number(8) : 1);
        double live = vector.has(9) ? vector.number(9) : Math.min(vector.number(5) / ep, Math.max(1, pairs));
        return new Price(experts.kernel().microseconds(shape, pairs, live, tokens), experts.use());
    }
}

package io.throughputoptimizer.core.kernels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.throughputoptimizer.core.kernels.calibration.KernelUse;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.model.StoredFormat;
import io.throughputoptimizer.core.model.StoredFormat.Activations;
import io.throughputoptimizer.core.model.StoredFormat.WeightType;
import io.throughputoptimizer.core.model.StoredQuantization;
import io.throughputoptimizer.fixture.Silicon;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/// Passes of weight-only checkpoints, windows and hybrids against vectors that were computed apart from this code.
class WindowPassVectorsTest {
    private static final Percentage EXACT = withinPercentage(100 * Silicon.RELATIVE);

    record Case(JsonNode json) {
        private JsonNode input(String member) {
            return json.required("input").required(member);
        }

        private int number(String member) {
            return input(member).intValue();
        }

        CalibratedDeployment deployment() {
            String file = input("config").stringValue();
            ModelArchitecture model = Silicon.model(file.replace("--", "/").replaceFirst("\\.json$", ""));
            boolean symmetric = json.at("/input/symmetric").asBoolean(true);
            return new CalibratedDeployment(
                    symmetric ? model : withZeroPoints(model),
                    Silicon.calibration(input("device").stringValue()),
                    CalibratedDeployment.layout(model, number("tp"), number("attention_dp"), number("moe_ep")),
                    Silicon.engine(input("backend").stringValue()),
                    new Precision(
                            Scheme.valueOf(input("scheme").stringValue()),
                            CacheType.valueOf(input("kv_cache").stringValue().toUpperCase(Locale.ROOT)),
                            json.at("/input/state_bytes").asInt(4) == 4 ? StateType.FLOAT32 : StateType.BFLOAT16,
                            false));
        }

        private static ModelArchitecture withZeroPoints(ModelArchitecture model) {
            var format = new StoredFormat(WeightType.INT4, List.of(128), Activations.NONE, true);
            return model.withStored(new StoredQuantization("awq", null, format, null, List.of(), null, null));
        }

        List<OperatorTime> operators() {
            CalibratedPass pass = CalibratedPass.of(deployment());
            double batch = input("batch").doubleValue();
            double context = input("context").doubleValue();
            double tokens = batch * context;
            return input("phase").stringValue().equals("decode")
                    ? pass.decodeOperators(batch, tokens)
                    : pass.prefillOperators(batch, tokens, tokens * context / 2);
        }

        /// Properties that no kernel was measured with, and kernels on another basis.
        List<String> uses() {
            CalibratedPass pass = CalibratedPass.of(deployment());
            List<KernelUse> uses = input("phase").stringValue().equals("decode")
                    ? pass.unexpectedDecodeUses()
                    : pass.unexpectedPrefillUses();
            return uses.stream().map(KernelUse::toString).toList();
        }

        JsonNode expected() {
            return json.required("expected");
        }

        @Override
        public String toString() {
            return json.required("input").toString();
        }
    }

    static List<Case> cases() {
        return Silicon.members("vectors-3.json.gz", "passes").stream()
                .map(Case::new)
                .toList();
    }

    static List<Case> casesWithOperators() {
        return cases().stream().filter(vector -> vector.json.has("operators")).toList();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void aPassTakesWhatItsVectorSaysByClassOnTheSameBases(Case vector) {
        Map<OperatorClass, Double> split = new EnumMap<>(OperatorClass.class);
        vector.operators()
                .forEach(operator -> split.merge(operator.kind(), operator.totalMicroseconds() / 1000, Double::sum));

        split.forEach((kind, millis) -> assertThat(millis)
                .as(kind.label())
                .isCloseTo(
                        vector.expected()
                                .required("split")
                                .required(kind.label())
                                .doubleValue(),
                        EXACT));
        assertThat(split).hasSameSizeAs(vector.expected().required("split").propertyNames());
        assertThat(split.values().stream().mapToDouble(Double::doubleValue).sum())
                .isCloseTo(vector.expected().required("milliseconds").doubleValue(), EXACT);
        assertThat(vector.uses())
                .containsExactlyInAnyOrderElementsOf(vector.expected()
                        .required("uncalibrated")
                        .valueStream()
                        .map(JsonNode::stringValue)
                        .toList());
    }

    @ParameterizedTest
    @MethodSource("cases")
    void bytesOfARequestAreThoseOfTheVector(Case vector) {
        assertThat(CalibratedMemory.requestBytes(vector.deployment())
                        .of(vector.input("context").doubleValue()))
                .isCloseTo(
                        vector.expected().required("request_bytes_at_context").doubleValue(), EXACT);
    }

    /// Norms before attention and feed-forward part count as one operator in the vectors.
    @ParameterizedTest
    @MethodSource("casesWithOperators")
    void operatorsAreThoseOfTheVector(Case vector) {
        Map<String, Double> times = new TreeMap<>();
        vector.operators()
                .forEach(operator -> times.merge(
                        operator.name().replaceFirst("^(attention|mlp)_norm$", "norm"),
                        operator.totalMicroseconds(),
                        Double::sum));
        Map<String, Double> expected = new TreeMap<>();
        vector.json
                .required("operators")
                .valueStream()
                .forEach(row -> expected.merge(
                        row.required("name").stringValue(),
                        row.required("calls").intValue() * row.required("us").doubleValue(),
                        Double::sum));

        assertThat(times.keySet()).isEqualTo(expected.keySet());
        times.forEach((operator, micros) ->
                assertThat(micros).as(operator).isCloseTo(expected.getOrDefault(operator, 0.0), EXACT));
    }
}

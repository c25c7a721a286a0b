package io.throughputoptimizer.core.kernels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.throughputoptimizer.core.kernels.calibration.KernelUse;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.fixture.Silicon;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/// Passes, weights and caches against vectors that were computed apart from this code.
class PassVectorsTest {
    private static final Percentage EXACT = withinPercentage(100 * Silicon.RELATIVE);

    record Case(JsonNode json) {
        private String text(String member) {
            return json.required("input").required(member).stringValue();
        }

        private int number(String member) {
            return json.required("input").required(member).intValue();
        }

        private double batch() {
            return json.at("/input/batch").doubleValue();
        }

        private double context() {
            return json.at("/input/context").doubleValue();
        }

        private boolean decodes() {
            return text("phase").equals("decode");
        }

        CalibratedDeployment deployment() {
            ModelArchitecture model =
                    Silicon.model(text("config").replace("--", "/").replaceFirst("\\.json$", ""));
            return new CalibratedDeployment(
                    model,
                    Silicon.calibration(text("device")),
                    CalibratedDeployment.layout(model, number("tp"), number("attention_dp"), number("moe_ep")),
                    Silicon.engine(text("backend")),
                    new Precision(
                            Scheme.valueOf(text("scheme")),
                            CacheType.valueOf(text("kv_cache").toUpperCase(Locale.ROOT)),
                            StateType.FLOAT32,
                            false));
        }

        List<OperatorTime> operators() {
            CalibratedPass pass = CalibratedPass.of(deployment());
            double tokens = batch() * context();
            return decodes()
                    ? pass.decodeOperators(batch(), tokens)
                    : pass.prefillOperators(batch(), tokens, tokens * context() / 2);
        }

        List<KernelUse> unexpected() {
            CalibratedPass pass = CalibratedPass.of(deployment());
            return decodes() ? pass.unexpectedDecodeUses() : pass.unexpectedPrefillUses();
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
        return Silicon.cases("vectors-passes.json").stream().map(Case::new).toList();
    }

    static List<Case> casesWithOperators() {
        return cases().stream().filter(vector -> vector.json.has("operators")).toList();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void aPassTakesWhatItsVectorSaysInSumAndByClass(Case vector) {
        Map<OperatorClass, Double> split = new EnumMap<>(OperatorClass.class);
        vector.operators()
                .forEach(operator -> split.merge(operator.kind(), operator.totalMicroseconds() / 1000, Double::sum));

        JsonNode expected = vector.expected();
        assertThat(split.values().stream().mapToDouble(Double::doubleValue).sum())
                .isCloseTo(expected.required("milliseconds").doubleValue(), EXACT);
        assertThat(split).hasSameSizeAs(expected.required("split").propertyNames());
        split.forEach((kind, millis) -> assertThat(millis)
                .as(kind.label())
                .isCloseTo(expected.required("split").required(kind.label()).doubleValue(), EXACT));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void cacheOfATokenAndBasesAreThoseOfTheVector(Case vector) {
        JsonNode expected = vector.expected();
        assertThat(CalibratedMemory.requestBytes(vector.deployment()).perToken())
                .isCloseTo(expected.required("kv_bytes_per_token").doubleValue(), EXACT);
        assertThat(vector.unexpected())
                .extracting(KernelUse::toString)
                .isEqualTo(expected.required("uncalibrated")
                        .valueStream()
                        .map(JsonNode::stringValue)
                        .toList());
    }

    @ParameterizedTest
    @MethodSource("casesWithOperators")
    void operatorsAreThoseOfTheVectorInOrder(Case vector) {
        List<OperatorTime> operators = vector.operators();

        List<JsonNode> expected =
                vector.json.required("operators").valueStream().toList();
        assertThat(operators)
                .extracting(operator -> operator.name() + " " + operator.kind().label() + " " + operator.calls())
                .isEqualTo(expected.stream()
                        .map(row -> row.get(0).stringValue() + " " + row.get(1).stringValue() + " "
                                + row.get(2).intValue())
                        .toList());
        for (int index = 0; index < operators.size(); index++) {
            assertThat(operators.get(index).microseconds())
                    .as(operators.get(index).name())
                    .isCloseTo(expected.get(index).get(3).doubleValue(), EXACT);
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void aPassSplitsIntoCollectivesExpertsAndTheRest(Case vector) {
        CalibratedPass pass = CalibratedPass.of(vector.deployment());
        double tokens = vector.batch() * vector.context();
        PassSplit split = vector.decodes()
                ? pass.decodeSplit(vector.batch(), tokens)
                : pass.prefillSplit(tokens, tokens * vector.context() / 2);
        double whole = vector.decodes()
                ? pass.decode(vector.batch(), tokens)
                : pass.prefill(tokens, tokens * vector.context() / 2);

        JsonNode expected = vector.expected().required("split");
        assertThat(split.millis()).isCloseTo(whole, EXACT);
        assertThat(split.experts()).isCloseTo(expected.path("experts").asDouble(0), EXACT);
        if (vector.decodes() || vector.batch() == 1) {
            assertThat(split.collectives())
                    .isCloseTo(expected.path("communication").asDouble(0), EXACT);
        }
    }

    @Test
    void theStepIsTheSumOfItsOperators() {
        CalibratedPass pass =
                CalibratedPass.of(Silicon.deployment("Qwen/Qwen3-32B", "h100_sxm", "vllm", Scheme.FP8, 2, 1, 1));

        assertThat(pass.decode(7, 9000)).isCloseTo(millis(pass.decodeOperators(7, 9000)), EXACT);
        assertThat(pass.prefill(500, 125_000)).isCloseTo(millis(pass.prefillOperators(1, 500, 125_000)), EXACT);
    }

    private static double millis(List<OperatorTime> operators) {
        return operators.stream().mapToDouble(OperatorTime::totalMicroseconds).sum() / 1000;
    }
}

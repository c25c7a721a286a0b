package io.throughputoptimizer.core.kernels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.throughputoptimizer.core.kernels.calibration.AllReduces;
import io.throughputoptimizer.core.kernels.calibration.Calibration;
import io.throughputoptimizer.core.kernels.calibration.KernelUse;
import io.throughputoptimizer.core.load.EngineSettings.Scheduling;
import io.throughputoptimizer.core.load.MeanRequest;
import io.throughputoptimizer.core.load.ServingRank;
import io.throughputoptimizer.core.load.SteadyFigures;
import io.throughputoptimizer.core.load.SteadyLaw;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.replica.CalibratedRank;
import io.throughputoptimizer.fixture.CacheOfVectors;
import io.throughputoptimizer.fixture.Silicon;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.assertj.core.data.Percentage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/// Passes, weights and memory of recurrent, selecting and compressed attention, steps that verify
/// drafts among them, against vectors that were computed apart from this code.
class NewerPassVectorsTest {
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

        private int drafts() {
            return json.at("/input/query").asInt(1) - 1;
        }

        private @Nullable Speculation speculation() {
            JsonNode given = json.at("/input/speculation");
            return given.isNull()
                    ? null
                    : new Speculation(
                            given.required("tokens").intValue(),
                            given.required("accepted").doubleValue(),
                            given.path("request_ms").asDouble(0));
        }

        private int laws() {
            return json.at("/input/laws").asInt(1);
        }

        CalibratedDeployment deployment() {
            ModelArchitecture model =
                    Silicon.model(text("config").replace("--", "/").replaceFirst("\\.json$", ""));
            return new CalibratedDeployment(
                    model,
                    laws() == 1 ? withoutOwnAllReduces(text("device")) : Silicon.calibration(text("device")),
                    CalibratedDeployment.layout(model, number("tp"), number("attention_dp"), number("moe_ep")),
                    Silicon.engine(text("backend")),
                    new Precision(
                            Scheme.valueOf(text("scheme")),
                            CacheType.valueOf(text("kv_cache").toUpperCase(Locale.ROOT)),
                            number("state_bytes") == 4 ? StateType.FLOAT32 : StateType.BFLOAT16,
                            false));
        }

        List<OperatorTime> operators() {
            CalibratedPass pass = CalibratedPass.verifying(deployment(), drafts());
            double tokens = batch() * context();
            return text("phase").equals("decode")
                    ? pass.decodeOperators(batch(), tokens)
                    : pass.prefillOperators(batch(), tokens, tokens * context() / 2);
        }

        JsonNode expected() {
            return json.required("expected");
        }

        double expected(String member) {
            return expected().required(member).doubleValue();
        }

        @Override
        public String toString() {
            return json.required("input").toString();
        }
    }

    /// Vectors of the first laws price all-reduces of any number of ranks jointly.
    private static Calibration withoutOwnAllReduces(String device) {
        Calibration calibration = Silicon.calibration(device);
        return new Calibration(
                calibration.device(),
                calibration.family(),
                calibration.peaks(),
                calibration.launchOverlapsMemory(),
                calibration.versions(),
                calibration.servers(),
                calibration.sets(),
                AllReduces.NONE,
                calibration.lender(),
                calibration.donor());
    }

    static List<Case> cases() {
        return Silicon.cases("vectors-passes-2.json.gz").stream().map(Case::new).toList();
    }

    static List<Case> casesWithOperators() {
        return cases().stream().filter(vector -> vector.json.has("operators")).toList();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void aPassTakesWhatItsVectorSaysInSumAndByClassOnTheSameBases(Case vector) {
        List<OperatorTime> operators = vector.operators();
        Map<OperatorClass, Double> split = new EnumMap<>(OperatorClass.class);
        operators.forEach(operator -> split.merge(operator.kind(), operator.totalMicroseconds() / 1000, Double::sum));

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
                .isCloseTo(vector.expected("milliseconds"), EXACT);
        assertThat(operators.stream()
                        .map(OperatorTime::use)
                        .filter(use -> !use.basis().isExpected()))
                .extracting(KernelUse::toString)
                .containsOnly(vector.expected()
                        .required("uncalibrated")
                        .valueStream()
                        .map(JsonNode::stringValue)
                        .toArray(String[]::new));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void bytesOfARequestAreThoseOfTheVector(Case vector) {
        assertThat(CalibratedMemory.requestBytes(vector.deployment()).of(vector.context()))
                .isCloseTo(vector.expected("request_bytes_at_context"), EXACT);
    }

    @ParameterizedTest
    @MethodSource("casesWithOperators")
    void operatorsAreThoseOfTheVector(Case vector) {
        Map<String, Double> times = new TreeMap<>();
        vector.operators()
                .forEach(operator -> times.put(
                        operator.name() + " " + operator.kind().label() + " " + operator.calls(),
                        operator.microseconds()));

        Map<String, Double> expected = new TreeMap<>();
        vector.json
                .required("operators")
                .valueStream()
                .forEach(row -> expected.put(
                        row.get(0).stringValue() + " " + row.get(1).stringValue() + " "
                                + row.get(2).intValue(),
                        row.get(3).doubleValue()));
        assertThat(times.keySet()).isEqualTo(expected.keySet());
        times.forEach((operator, micros) ->
                assertThat(micros).as(operator).isCloseTo(Objects.requireNonNull(expected.get(operator)), EXACT));
    }

    /// Steady results, with speculation and without, of one attention data parallel rank.
    static List<Case> steady() {
        return Silicon.members("vectors-passes-2.json.gz", "steady").stream()
                .map(Case::new)
                .toList();
    }

    @ParameterizedTest
    @MethodSource("steady")
    void aRankUnderALastingLoadDoesWhatItsVectorSays(Case vector) {
        CalibratedDeployment deployment = vector.deployment().with(vector.speculation());
        JsonNode input = vector.json.required("input");
        ServingRank rank = CalibratedRank.of(
                deployment,
                CacheOfVectors.limits(
                        deployment, Scheduling.NO_LIMIT, input.required("poll").intValue()));
        MeanRequest request = new MeanRequest(
                input.required("isl").doubleValue(), input.required("osl").doubleValue(), 0, null);
        double concurrency = input.required("concurrency").doubleValue()
                / input.required("attention_dp").doubleValue();

        SteadyFigures figures = (SteadyFigures)
                new SteadyLaw(rank, request, input.required("waves").doubleValue()).at(concurrency);

        assertThat(figures.steps().running()).isCloseTo(vector.expected("running"), EXACT);
        assertThat(figures.steps().decodeMillis()).isCloseTo(vector.expected("decode"), EXACT);
        assertThat(figures.steps().prefillMillis()).isCloseTo(vector.expected("prefill"), EXACT);
        assertThat(figures.tpotMillis()).isCloseTo(vector.expected("tpot"), EXACT);
        assertThat(figures.ttft().benchmarkMillis()).isCloseTo(vector.expected("ttft"), EXACT);
        assertThat(figures.outputTokensPerSecond()
                        * input.required("attention_dp").doubleValue())
                .isCloseTo(vector.expected("outputTokensPerSecond"), EXACT);
    }
}

package io.throughputoptimizer.core.replica;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.throughputoptimizer.core.kernels.CacheType;
import io.throughputoptimizer.core.kernels.CalibratedDeployment;
import io.throughputoptimizer.core.kernels.Engine;
import io.throughputoptimizer.core.kernels.Precision;
import io.throughputoptimizer.core.kernels.Scheme;
import io.throughputoptimizer.core.kernels.StateType;
import io.throughputoptimizer.core.load.CacheUse;
import io.throughputoptimizer.core.load.DisaggregatedLaw;
import io.throughputoptimizer.core.load.DisaggregatedLaw.Workers;
import io.throughputoptimizer.core.load.Distribution;
import io.throughputoptimizer.core.load.EngineSettings.Scheduling;
import io.throughputoptimizer.core.load.MeanRequest;
import io.throughputoptimizer.core.load.RequestLengths;
import io.throughputoptimizer.core.load.ServingRank;
import io.throughputoptimizer.core.load.ServingSimulation;
import io.throughputoptimizer.core.load.SimulationResult;
import io.throughputoptimizer.core.load.SpreadLengths;
import io.throughputoptimizer.core.load.SteadyFigures;
import io.throughputoptimizer.core.load.SteadyLaw;
import io.throughputoptimizer.core.load.Traffic;
import io.throughputoptimizer.core.load.Traffic.SimulatedLoad;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.workload.TtftBasis;
import io.throughputoptimizer.fixture.CacheOfVectors;
import io.throughputoptimizer.fixture.Silicon;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import java.util.stream.Stream;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The steady law, that of instances apart and the simulation on calibrated passes give figures
/// that were computed apart from this code.
class CalibratedServingTest {
    private static final Percentage LAW = withinPercentage(1e-7);
    private static final Percentage SIMULATION = withinPercentage(1e-4);
    private static final double RATIO = 0.8;

    static Stream<Arguments> cases() {
        return vectors("endToEnd");
    }

    static Stream<Arguments> disaggregated() {
        return vectors("disaggregatedEndToEnd");
    }

    private static Stream<Arguments> vectors(String kind) {
        return read().required(kind)
                .valueStream()
                .map(one -> Arguments.argumentSet(one.required("input").toString(), one.required("input"), one));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void steadyLawOnPassesGivesTheRecordedFigures(JsonNode input, JsonNode recorded) {
        MeanRequest request = new MeanRequest(number(input, "mean_isl"), number(input, "mean_osl"), 0, null);
        SteadyFigures figures = (SteadyFigures) new SteadyLaw(rank(input), request, 10).at(rankConcurrency(input));
        JsonNode expected = recorded.required("steady");
        assertThat(figures.steps().running()).isCloseTo(number(expected, "running"), LAW);
        assertThat(figures.steps().decodeMillis()).isCloseTo(number(expected, "decode"), LAW);
        assertThat(figures.steps().prefillMillis()).isCloseTo(number(expected, "prefill"), LAW);
        assertThat(figures.tpotMillis()).isCloseTo(number(expected, "tpot"), LAW);
        assertThat(figures.ttft().benchmarkMillis()).isCloseTo(number(expected, "ttft"), LAW);
        assertThat(figures.ttft().burstMillis()).isCloseTo(number(expected, "ttftBurst"), LAW);
        assertThat(figures.ttft().settledMillis()).isCloseTo(number(expected, "ttftSettled"), LAW);
        assertThat(figures.outputTokensPerSecond()).isCloseTo(number(expected, "outputTokensPerSecond"), LAW);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void simulationOnPassesGivesTheRecordedFigures(JsonNode input, JsonNode recorded) {
        RequestLengths lengths = new SpreadLengths(longest(input, "mean_isl"), longest(input, "mean_osl"), RATIO);
        SimulatedLoad load =
                new Traffic(lengths, 0, 10, 0, null).closedLoop((int) rankConcurrency(input), TtftBasis.BENCHMARK);
        SimulationResult result = ServingSimulation.run(rank(input), load, () -> {});
        JsonNode expected = recorded.required("simulation");
        assertDistribution(result.ttft(), expected.required("ttft"));
        assertDistribution(requireNonNull(result.generation()).tpot(), expected.required("tpot"));
        assertThat(result.span().makespanMillis()).isCloseTo(number(expected, "makespan"), SIMULATION);
        assertThat(result.effort().evaluations())
                .isEqualTo(expected.required("evaluations").longValue());
    }

    @ParameterizedTest
    @MethodSource("disaggregated")
    void theLawOfInstancesApartGivesTheRecordedFigures(JsonNode input, JsonNode recorded) {
        MeanRequest request = new MeanRequest(number(input, "mean_isl"), number(input, "mean_osl"), 0, null);
        DisaggregatedLaw law =
                new DisaggregatedLaw(workers(input, "prefill"), workers(input, "decode"), request, 10, 0);
        SteadyFigures figures =
                (SteadyFigures) law.at(input.required("concurrency").intValue());
        JsonNode expected = recorded.required("expected");
        assertThat(figures.steps().decodeMillis()).isCloseTo(number(expected, "decode"), LAW);
        assertThat(figures.steps().prefillMillis()).isCloseTo(number(expected, "prefill"), LAW);
        assertThat(figures.tpotMillis()).isCloseTo(number(expected, "tpot"), LAW);
        assertThat(figures.ttft().benchmarkMillis()).isCloseTo(number(expected, "ttft"), LAW);
        assertThat(figures.outputTokensPerSecond()).isCloseTo(number(expected, "outputTokensPerSecond"), LAW);
    }

    private static Workers workers(JsonNode input, String side) {
        JsonNode layout = input.required(side);
        int dp = layout.required("dp").intValue();
        CalibratedDeployment deployment = deployment(
                input,
                layout.required("tp").intValue(),
                dp,
                layout.required("ep").intValue(),
                Silicon.engine(text(input, "backend")).apart());
        return new Workers(rank(deployment), input.required(side + "_workers").intValue() * dp);
    }

    private static void assertDistribution(Distribution distribution, JsonNode expected) {
        assertThat(distribution.mean()).isCloseTo(number(expected, "mean"), SIMULATION);
        assertThat(distribution.p50()).isCloseTo(number(expected, "p50"), SIMULATION);
        assertThat(distribution.p90()).isCloseTo(number(expected, "p90"), SIMULATION);
        assertThat(distribution.p99()).isCloseTo(number(expected, "p99"), SIMULATION);
    }

    private static ServingRank rank(JsonNode input) {
        return rank(deployment(
                input,
                input.required("tp").intValue(),
                input.required("attention_dp").intValue(),
                input.required("moe_ep").intValue(),
                Silicon.engine(text(input, "backend"))));
    }

    private static CalibratedDeployment deployment(JsonNode input, int tp, int dp, int ep, Engine engine) {
        ModelArchitecture model =
                Silicon.model(text(input, "config").replace("--", "/").replaceFirst("\\.json$", ""));
        return new CalibratedDeployment(
                model,
                Silicon.calibration(text(input, "device")),
                CalibratedDeployment.layout(model, tp, dp, ep),
                engine,
                new Precision(
                        Scheme.valueOf(text(input, "scheme")),
                        CacheType.valueOf(text(input, "kv_cache").toUpperCase(Locale.ROOT)),
                        StateType.FLOAT32,
                        false));
    }

    private static ServingRank rank(CalibratedDeployment deployment) {
        return CalibratedRank.of(
                deployment,
                new CalibratedRank.Limits(
                        CacheOfVectors.tokens(deployment), Scheduling.NO_LIMIT, 1, CacheUse.TOKENS, null));
    }

    private static double rankConcurrency(JsonNode input) {
        return number(input, "concurrency") / number(input, "attention_dp");
    }

    private static int longest(JsonNode input, String mean) {
        return (int) Math.rint(number(input, mean) / ((1 + RATIO) / 2));
    }

    private static String text(JsonNode parent, String name) {
        return parent.required(name).stringValue();
    }

    private static double number(JsonNode parent, String name) {
        return parent.required(name).doubleValue();
    }

    private static JsonNode read() {
        try (InputStream file = Silicon.resource("vectors-serving.json")) {
            return JsonMapper.shared().readTree(file);
        } catch (IOException e) {
            throw new IllegalStateException("vectors-serving.json", e);
        }
    }
}

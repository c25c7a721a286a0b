package io.throughputoptimizer.core.replica;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.silicon.CacheType;
import io.throughputoptimizer.core.silicon.Precision;
import io.throughputoptimizer.core.silicon.Scheme;
import io.throughputoptimizer.core.silicon.SiliconDeployment;
import io.throughputoptimizer.core.silicon.SiliconMemory;
import io.throughputoptimizer.core.steady.Distribution;
import io.throughputoptimizer.core.steady.EngineSettings.Scheduling;
import io.throughputoptimizer.core.steady.MeanRequest;
import io.throughputoptimizer.core.steady.RequestLengths;
import io.throughputoptimizer.core.steady.ServingRank;
import io.throughputoptimizer.core.steady.ServingSimulation;
import io.throughputoptimizer.core.steady.SimulatedLoad;
import io.throughputoptimizer.core.steady.SimulationResult;
import io.throughputoptimizer.core.steady.SteadyFigures;
import io.throughputoptimizer.core.steady.SteadyLaw;
import io.throughputoptimizer.core.steady.Traffic;
import io.throughputoptimizer.core.workload.TtftBasis;
import io.throughputoptimizer.fixture.Silicon;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The steady law and the simulation on calibrated passes give the figures of `golden/steady-vectors.json`.
class CalibratedServingTest {
    private static final Percentage LAW = withinPercentage(1e-7);
    private static final Percentage SIMULATION = withinPercentage(1e-4);
    private static final double RATIO = 0.8;

    static Stream<Arguments> cases() {
        return read().required("endToEnd")
                .valueStream()
                .map(one -> Arguments.argumentSet(one.required("input").toString(), one.required("input"), one));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void steadyLawOnPassesGivesTheRecordedFigures(JsonNode input, JsonNode recorded) {
        MeanRequest request = new MeanRequest(number(input, "mean_isl"), number(input, "mean_osl"));
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
        RequestLengths lengths = new RequestLengths(longest(input, "mean_isl"), longest(input, "mean_osl"), RATIO);
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

    private static void assertDistribution(Distribution distribution, JsonNode expected) {
        assertThat(distribution.mean()).isCloseTo(number(expected, "mean"), SIMULATION);
        assertThat(distribution.p50()).isCloseTo(number(expected, "p50"), SIMULATION);
        assertThat(distribution.p90()).isCloseTo(number(expected, "p90"), SIMULATION);
        assertThat(distribution.p99()).isCloseTo(number(expected, "p99"), SIMULATION);
    }

    private static ServingRank rank(JsonNode input) {
        ModelArchitecture model =
                Silicon.model(text(input, "config").replace("--", "/").replaceFirst("\\.json$", ""));
        SiliconDeployment deployment = new SiliconDeployment(
                model,
                Silicon.calibration(text(input, "device")),
                SiliconDeployment.layout(
                        model,
                        input.required("tp").intValue(),
                        input.required("attention_dp").intValue(),
                        input.required("moe_ep").intValue()),
                Silicon.engine(text(input, "backend")),
                new Precision(
                        Scheme.valueOf(text(input, "scheme")),
                        CacheType.valueOf(text(input, "kv_cache").toUpperCase(Locale.ROOT))));
        return CalibratedRank.of(
                deployment,
                new CalibratedRank.Limits(SiliconMemory.of(deployment).cacheTokens(), Scheduling.NO_LIMIT, 1));
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
        try (InputStream file = CalibratedServingTest.class.getResourceAsStream("/golden/steady-vectors.json")) {
            return JsonMapper.shared().readTree(Objects.requireNonNull(file, "golden/steady-vectors.json"));
        } catch (IOException e) {
            throw new IllegalStateException("golden/steady-vectors.json", e);
        }
    }
}

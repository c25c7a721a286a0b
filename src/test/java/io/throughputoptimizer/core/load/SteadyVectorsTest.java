package io.throughputoptimizer.core.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.throughputoptimizer.core.load.Arrivals.ClosedLoop;
import io.throughputoptimizer.core.load.Arrivals.OpenLoop;
import io.throughputoptimizer.core.load.DisaggregatedLaw.Workers;
import io.throughputoptimizer.core.load.EngineSettings.Policy;
import io.throughputoptimizer.core.load.EngineSettings.Scheduling;
import io.throughputoptimizer.core.load.Traffic.SimulatedLoad;
import io.throughputoptimizer.fixture.OptimizerVectors;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The laws and simulations on linear steps give the figures of `golden/steady-vectors.json`, recorded with another
/// implementation.
class SteadyVectorsTest {
    private static final JsonNode ROOT = read();
    private static final Percentage TOLERANCE = withinPercentage(1e-7);

    static Stream<Arguments> simulations() {
        return cases("simulation");
    }

    static Stream<Arguments> steady() {
        return cases("steady");
    }

    static Stream<Arguments> disaggregated() {
        return cases("disaggregated");
    }

    @ParameterizedTest
    @MethodSource("simulations")
    void simulationGivesTheRecordedFiguresInAsManyEvaluations(JsonNode input, JsonNode expected) {
        SimulationResult result = ServingSimulation.run(rank(input), load(input), () -> {});
        assertDistribution(result.ttft(), expected.required("ttft"));
        SimulationResult.Generation generation = result.generation();
        if (generation == null) {
            assertThat(expected.required("tpot").isNull()).isTrue();
            assertThat(expected.required("itlMean").isNull()).isTrue();
        } else {
            assertDistribution(generation.tpot(), expected.required("tpot"));
            assertThat(generation.meanGapMillis())
                    .isCloseTo(expected.required("itlMean").doubleValue(), TOLERANCE);
        }
        assertThat(result.span().makespanMillis())
                .isCloseTo(expected.required("makespan").doubleValue(), TOLERANCE);
        assertThat(result.span().outputTokensPerSecond())
                .isCloseTo(expected.required("outputTokensPerSecond").doubleValue(), TOLERANCE);
        assertThat(result.effort().evaluations())
                .isEqualTo(expected.required("evaluations").longValue());
    }

    @ParameterizedTest
    @MethodSource("steady")
    void steadyLawGivesTheRecordedFigures(JsonNode input, JsonNode expected) {
        LawOutcome outcome = new SteadyLaw(
                        rank(input), request(input), input.path("waves").asDouble(10))
                .at(input.required("concurrency").doubleValue());
        if (!(outcome instanceof SteadyFigures figures)) {
            assertThat(expected.isNull()).isTrue();
            return;
        }
        assertFigures(
                expected,
                new Figure("running", figures.steps().running()),
                new Figure("decode", figures.steps().decodeMillis()),
                new Figure("prefill", figures.steps().prefillMillis()),
                new Figure("utilisation", figures.steps().utilisation()),
                new Figure("queue", figures.steps().queueMillis()),
                new Figure("tpot", figures.tpotMillis()),
                new Figure("ttft", figures.ttft().benchmarkMillis()),
                new Figure("ttftBurst", figures.ttft().burstMillis()),
                new Figure("ttftSettled", figures.ttft().settledMillis()),
                new Figure("latency", figures.cycleMillis()),
                new Figure("requestsPerSecond", figures.requestsPerSecond()),
                new Figure("outputTokensPerSecond", figures.outputTokensPerSecond()));
    }

    @ParameterizedTest
    @MethodSource("disaggregated")
    void disaggregatedLawGivesTheRecordedFigures(JsonNode input, JsonNode expected) {
        DisaggregatedLaw law = new DisaggregatedLaw(
                new Workers(rank(input), input.required("prefill_servers").intValue()),
                new Workers(rank(input), input.required("decode_ranks").intValue()),
                request(input),
                10,
                0);
        LawOutcome outcome = law.at(input.required("concurrency").doubleValue());
        assertThat(outcome).isInstanceOf(SteadyFigures.class);
        SteadyFigures figures = (SteadyFigures) outcome;
        assertFigures(
                expected,
                new Figure("decode", figures.steps().decodeMillis()),
                new Figure("prefill", figures.steps().prefillMillis()),
                new Figure("tpot", figures.tpotMillis()),
                new Figure("ttft", figures.ttft().benchmarkMillis()),
                new Figure("outputTokensPerSecond", figures.outputTokensPerSecond()));
    }

    @Test
    void lengthsAreThoseRecorded() {
        JsonNode input = ROOT.required("lengths").required("input");
        RequestLengths lengths = lengths(input);
        assertThat(IntStream.range(0, input.required("count").intValue())
                        .mapToObj(request -> "[%d,%d]".formatted(lengths.input(request), lengths.output(request))))
                .containsExactlyElementsOf(
                        OptimizerVectors.stream(ROOT.required("lengths").required("expected"))
                                .map(JsonNode::toString)
                                .toList());
    }

    @Test
    void arrivalsOfAnOpenLoopAreThoseRecorded() {
        JsonNode recorded = ROOT.required("poissonTimes").required("expected");
        assertTimes(new OpenLoop(2, 1).times(5), recorded.required("first"));
        assertTimes(new OpenLoop(2, 7).times(5), recorded.required("seed7"));
    }

    private static void assertTimes(double[] times, JsonNode recorded) {
        assertThat(times).hasSize(recorded.size());
        for (int index = 0; index < times.length; index++) {
            assertThat(times[index]).isCloseTo(recorded.required(index).doubleValue(), TOLERANCE);
        }
    }

    private static void assertDistribution(Distribution distribution, JsonNode expected) {
        assertFigures(
                expected,
                new Figure("mean", distribution.mean()),
                new Figure("p50", distribution.p50()),
                new Figure("p90", distribution.p90()),
                new Figure("p99", distribution.p99()));
    }

    private record Figure(String name, double value) {}

    private static void assertFigures(JsonNode expected, Figure... figures) {
        assertThat(figures).extracting(Figure::name).containsExactlyInAnyOrderElementsOf(expected.propertyNames());
        for (Figure figure : figures) {
            assertThat(figure.value())
                    .as(figure.name())
                    .isCloseTo(expected.required(figure.name()).doubleValue(), TOLERANCE);
        }
    }

    private static ServingRank rank(JsonNode input) {
        JsonNode step = input.required("step");
        LinearSteps steps = new LinearSteps(
                new LinearSteps.Decode(number(step, "a", 0), number(step, "c", 0), number(step, "d", 0)),
                new LinearSteps.Prefill(number(step, "b0", 0), number(step, "b", 0), number(step, "e", 0)));
        Scheduling scheduling = new Scheduling(
                Policy.valueOf(input.path("policy").asString("mixed").toUpperCase(Locale.ROOT)),
                input.path("budget").asInt(8192),
                input.path("max_running").asInt(Scheduling.NO_LIMIT),
                input.path("max_prompts").asInt(Scheduling.NO_LIMIT));
        EngineSettings engine =
                new EngineSettings(scheduling, input.path("poll").asInt(1), number(input, "frontend", 0), 0);
        return new ServingRank(steps, number(input, "kv_tokens", Double.POSITIVE_INFINITY), engine, CacheUse.TOKENS);
    }

    private static SimulatedLoad load(JsonNode input) {
        int concurrency = input.path("concurrency").asInt(0);
        Arrivals arrivals = input.has("rate")
                ? new OpenLoop(number(input, "rate", 0), input.path("seed").asLong(1))
                : new ClosedLoop(concurrency, number(input, "think", 0), 0);
        int count = input.path("count").asInt(input.path("waves").asInt(10) * concurrency);
        return new SimulatedLoad(lengths(input), count, input.path("drop").asInt(0), arrivals);
    }

    private static RequestLengths lengths(JsonNode input) {
        return new SpreadLengths(
                input.required("isl").intValue(), input.required("osl").intValue(), number(input, "ratio", 0.8));
    }

    private static MeanRequest request(JsonNode input) {
        return new MeanRequest(number(input, "isl", 0), number(input, "osl", 0), 0, null);
    }

    private static double number(JsonNode parent, String name, double otherwise) {
        return parent.path(name).asDouble(otherwise);
    }

    private static Stream<Arguments> cases(String section) {
        return OptimizerVectors.stream(ROOT.required(section))
                .map(one -> Arguments.argumentSet(
                        section + " " + one.required("name").asString(),
                        one.required("input"),
                        one.required("expected")));
    }

    private static JsonNode read() {
        try (InputStream file = SteadyVectorsTest.class.getResourceAsStream("/golden/steady-vectors.json")) {
            return JsonMapper.shared().readTree(Objects.requireNonNull(file, "golden/steady-vectors.json"));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}

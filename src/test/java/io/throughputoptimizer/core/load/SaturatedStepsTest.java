package io.throughputoptimizer.core.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.throughputoptimizer.core.load.EngineSettings.Policy;
import io.throughputoptimizer.core.load.EngineSettings.Scheduling;
import io.throughputoptimizer.core.workload.TtftBasis;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Random;
import java.util.function.ToDoubleFunction;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Steps whose prompts exceed the token budget.
class SaturatedStepsTest {
    private static final int LOADS = 300;

    static Stream<JsonNode> vectors() {
        try (InputStream file = SaturatedStepsTest.class.getResourceAsStream("/silicon/vectors-saturated.json")) {
            return JsonMapper.shared().readTree(Objects.requireNonNull(file)).valueStream();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void theLawGivesTheFiguresOfItsVectors(JsonNode vector) {
        JsonNode input = vector.required("input");
        JsonNode linear = input.required("linear");
        MeanRequest request = new MeanRequest(number(input, "isl"), number(input, "osl"), 0, null);
        ServingRank rank = new ServingRank(
                new LinearSteps(
                        new LinearSteps.Decode(number(linear, "a"), number(linear, "c"), number(linear, "d")),
                        new LinearSteps.Prefill(number(linear, "b0"), number(linear, "b"), number(linear, "e"))),
                number(input, "capacity") * request.cachedTokens(),
                new EngineSettings(
                        new Scheduling(
                                Policy.valueOf(
                                        input.required("policy").asString().toUpperCase(Locale.ROOT)),
                                input.required("budget").asInt(),
                                input.path("max_running").asInt(Scheduling.NO_LIMIT),
                                Scheduling.NO_LIMIT),
                        input.required("poll").asInt(),
                        number(input, "frontend_ms"),
                        0),
                CacheUse.TOKENS);
        SteadyFigures figures =
                (SteadyFigures) new SteadyLaw(rank, request, number(input, "waves")).at(number(input, "concurrency"));
        JsonNode expected = vector.required("expected");

        assertClose(expected, "running", figures.steps().running());
        assertClose(expected, "decoding", figures.steps().decoding());
        assertClose(expected, "promptsPerStep", figures.promptsPerStep(1));
        assertClose(expected, "decode", figures.steps().decodeMillis());
        assertClose(expected, "prefill", figures.steps().prefillMillis());
        assertClose(expected, "tpot", figures.tpotMillis());
        assertClose(expected, "ttft", figures.ttft().benchmarkMillis());
        assertClose(expected, "ttftSettled", figures.ttft().settledMillis());
        assertClose(expected, "requestsPerSecond", figures.requestsPerSecond());
        assertClose(expected, "outputTokensPerSecond", figures.outputTokensPerSecond());
        assertThat(figures.steps().batch().isSaturated())
                .isEqualTo(expected.required("saturated").booleanValue());
    }

    /// A load of responses of 1 to 64 tokens, by the law and by simulation.
    private record Load(
            RequestLengths lengths,
            int concurrency,
            Scheduling scheduling,
            SteadyFigures law,
            SimulationResult simulated) {
        static Load of(long seed) {
            Random random = new Random(seed * 0x9E3779B97F4A7C15L);
            int input = (int) Math.exp(Ranks.between(random, Math.log(100), Math.log(20_000)));
            RequestLengths lengths = new SpreadLengths(input, 1 + random.nextInt(64), 0.8);
            int concurrency = (int) Math.exp(Ranks.between(random, 0, Math.log(512)));
            Scheduling scheduling =
                    new Scheduling(random.nextBoolean() ? Policy.MIXED : Policy.ALTERNATE, 2048 << random.nextInt(4));
            ServingRank rank = Ranks.rank(Ranks.random(random), Ranks.engine(scheduling));
            Traffic traffic = new Traffic(lengths, 10, 0, null, false);
            SteadyFigures law =
                    (SteadyFigures) new CrowdedLaw(rank, traffic, rank, new TtftSimulations(_ -> {})).at(concurrency);
            SimulationResult simulated =
                    ServingSimulation.run(rank, traffic.closedLoop(concurrency, TtftBasis.SETTLED, law), () -> {});
            return new Load(lengths, concurrency, scheduling, law, simulated);
        }

        boolean isCrowded() {
            return law.simulated() != null;
        }

        boolean hasTpot() {
            return simulated.generation() != null;
        }

        double tpotRatio() {
            return law.tpotMillis()
                    / Objects.requireNonNull(simulated.generation()).tpot().mean();
        }

        double throughputRatio() {
            return law.outputTokensPerSecond() / simulated.span().outputTokensPerSecond();
        }

        double ttftRatio() {
            return law.ttft().settledMillis() / simulated.ttft().mean();
        }
    }

    /// The worst load of each figure is named.
    @Test
    void theLawIsNearTheSimulation() {
        List<Load> loads = LongStream.range(0, LOADS).mapToObj(Load::of).toList();
        List<Load> crowded = loads.stream().filter(Load::isCrowded).toList();
        assertThat(crowded).hasSizeGreaterThan(LOADS / 3);
        assertThat(loads).anyMatch(load -> load.law.steps().batch().isSaturated());

        assertNear("TPOT", loads.stream().filter(Load::hasTpot).toList(), Load::tpotRatio, 1.15, 2.25);
        assertNear("throughput of crowded steps", crowded, Load::throughputRatio, 1.15, 2.25);
        assertNear("TTFT of crowded steps", crowded, Load::ttftRatio, 1 + 1e-9, 1 + 1e-9);
    }

    /// @param p95 most of the 95th percentile of the ratio, or its inverse if it is below 1
    private static void assertNear(
            String name, List<Load> loads, ToDoubleFunction<Load> ratio, double p95, double largest) {
        ToDoubleFunction<Load> apart = load -> Math.exp(Math.abs(Math.log(ratio.applyAsDouble(load))));
        List<Load> sorted =
                loads.stream().sorted(Comparator.comparingDouble(apart)).toList();
        Load worst = sorted.getLast();
        String named = "%s of %d loads: median %.3f, p90 %.3f, p95 %.3f, worst %.3f: %s, %d at once, %s"
                .formatted(
                        name,
                        sorted.size(),
                        apart.applyAsDouble(sorted.get(sorted.size() / 2)),
                        apart.applyAsDouble(sorted.get(sorted.size() * 90 / 100)),
                        apart.applyAsDouble(sorted.get(sorted.size() * 95 / 100)),
                        ratio.applyAsDouble(worst),
                        worst.lengths,
                        worst.concurrency,
                        worst.scheduling);
        System.out.println(named);
        assertThat(apart.applyAsDouble(sorted.get(sorted.size() * 95 / 100)))
                .as(named)
                .isLessThan(p95);
        assertThat(apart.applyAsDouble(worst)).as(named).isLessThan(largest);
    }

    private static void assertClose(JsonNode expected, String name, double figure) {
        assertThat(figure).as(name).isCloseTo(number(expected, name), withinPercentage(1e-7));
    }

    private static double number(JsonNode parent, String name) {
        return parent.required(name).doubleValue();
    }
}

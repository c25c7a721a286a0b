package io.throughputoptimizer.core.workload;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.throughputoptimizer.core.workload.DecodeMix.SlotClass;
import io.throughputoptimizer.core.workload.SlotSimulation.Seen;
import io.throughputoptimizer.fixture.Nightly;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class DecodeMixTest {
    private static final int COMPLETIONS = 100_000;

    static Stream<Arguments> workloads() {
        LengthDistribution prompts = bins(new int[][] {{100, 300, 5}, {1500, 2500, 3}, {8000, 12_000, 2}});
        LengthDistribution answers = bins(new int[][] {{0, 100, 4}, {300, 500, 4}, {1000, 2000, 2}});
        return Stream.of(
                Arguments.of("inputs and outputs differ", new Lengths.Mixed(prompts), OutputLengths.of(answers)),
                Arguments.of("outputs differ", new Lengths.Fixed(1000), OutputLengths.of(answers)),
                Arguments.of("inputs differ", new Lengths.Mixed(prompts), OutputLengths.fixed(700)),
                Arguments.of(
                        "short prompts, long answers",
                        new Lengths.Mixed(bins(new int[][] {{0, 20, 1}, {40, 60, 2}})),
                        OutputLengths.of(bins(new int[][] {{0, 2000, 3}, {2000, 3000, 3}, {4000, 6000, 1}}))));
    }

    /// Requests one by one, in slots that are taken again at once.
    @ParameterizedTest(name = "{0}")
    @MethodSource("workloads")
    void contextAndSharesAreThoseOfASimulation(String name, Lengths lengths, OutputLengths outputs) {
        DecodeMix mix = DecodeMix.of(new Workload(lengths, outputs, 0, null), 1);

        Seen seen = new SlotSimulation(lengths, outputs, 64, new Random(17)).run(COMPLETIONS);

        assertThat(seen.completions()).isEqualTo(COMPLETIONS);
        assertThat(mix.meanContextTokens()).isCloseTo(seen.meanContext(), within(0.01 * seen.meanContext()));
        Map<SlotSimulation.Kind, Double> shares = seen.shares();
        assertThat(shares).hasSameSizeAs(mix.classes());
        double differences = 0;
        for (SlotClass one : mix.classes()) {
            double share = requireNonNull(
                    shares.get(new SlotSimulation.Kind((int) one.inputTokens(), (int) one.outputTokens())));
            assertThat(one.slotRatio()).isCloseTo(share, within(0.01));
            differences += Math.abs(one.slotRatio() - share);
        }
        assertThat(differences / 2).isLessThan(0.01);
    }

    /// Of two outputs of 100 and 300 tokens the longer holds its slot three times as long.
    @Test
    void aClassCountsByItsRateAndItsResidence() {
        DecodeMix mix = DecodeMix.of(
                new Workload(
                        new Lengths.Fixed(1000),
                        OutputLengths.of(bins(new int[][] {{100, 101, 1}, {300, 301, 1}})),
                        0.5,
                        null),
                2);

        assertThat(mix.classes())
                .containsExactly(new SlotClass(1000, 100, 1052, 0.25), new SlotClass(1000, 300, 1152, 0.75));
        assertThat(mix.allocate(7))
                .containsExactly(samples(1000, 500, 0.25, 100, 1052, 2), samples(1000, 500, 0.75, 300, 1152, 5));
    }

    @Test
    void aBatchTooSmallForAllClassesJoinsNeighboursAndKeepsTheirMean() {
        DecodeMix mix = DecodeMix.of(
                new Workload(
                        new Lengths.Fixed(1000),
                        OutputLengths.of(bins(new int[][] {{100, 101, 1}, {300, 301, 1}})),
                        0,
                        null),
                1);

        assertThat(mix.allocate(1)).containsExactly(samples(1000, 1000, 1, 250, 1126, 1));
    }

    @Test
    void aSingleBinOnEitherSideIsOneClassWithTheContextOfAFixedLength() {
        Workload workload = new Workload(
                new Lengths.Mixed(bins(new int[][] {{3500, 3501, 9}})),
                OutputLengths.of(bins(new int[][] {{1501, 1502, 7}})),
                0.5,
                null);

        assertThat(DecodeMix.of(workload, 3).classes()).containsExactly(new SlotClass(3500, 1501, 3500 + 750 + 3, 1));
        assertThat(workload.decodeSequenceLength(3)).isLessThan(3500 + 750 + 3);
        assertThat(workload.withoutSoleBin().decodeSequenceLength(3)).isEqualTo(3500 + 750 + 3);
    }

    static LongStream seeds() {
        return Nightly.seeds(4);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void theOrderOfBinsAndTheUnitOfWeightsDoNotMatter(long seed) {
        Random random = new Random(seed);
        List<LengthBin> inputs = randomBins(random, 12);
        List<LengthBin> outputs = randomBins(random, 12);
        DecodeMix mix = mix(inputs, outputs);

        assertThat(mix(shuffled(inputs, random), shuffled(outputs, random))).isEqualTo(mix);
        assertThat(mix(
                        inputs.stream()
                                .map(bin -> new LengthBin(bin.minTokens(), bin.maxTokens(), 8 * bin.weight()))
                                .toList(),
                        outputs))
                .isEqualTo(mix);
    }

    /// Halves of a bin of inputs have the same mean, and all inputs stay as long.
    @ParameterizedTest
    @MethodSource("seeds")
    void halvesOfABinOfInputsLeaveTheMeanContext(long seed) {
        Random random = new Random(seed);
        List<LengthBin> outputs = randomBins(random, 6);
        List<LengthBin> inputs = new ArrayList<>();
        for (int bin = 0; bin < 1 + random.nextInt(6); bin++) {
            inputs.add(new LengthBin(1000 * bin, 1000 * bin + 4 * (1 + random.nextInt(250)), 1 + random.nextInt(9)));
        }
        List<LengthBin> halves = inputs.stream()
                .flatMap(bin -> {
                    int middle = (bin.minTokens() + bin.maxTokens()) / 2;
                    return Stream.of(
                            new LengthBin(bin.minTokens(), middle, bin.weight() / 2),
                            new LengthBin(middle, bin.maxTokens(), bin.weight() / 2));
                })
                .toList();

        assertThat(mix(halves, outputs).meanContextTokens())
                .isCloseTo(mix(inputs, outputs).meanContextTokens(), within(1e-6));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aBatchHoldsAllRequestsAndLeavesNobodyOut(long seed) {
        Random random = new Random(seed);
        DecodeMix mix = mix(randomBins(random, 40), randomBins(random, 40));
        long requests = 1L + random.nextInt(1 << (1 + random.nextInt(14)));

        List<LengthSamples> batch = mix.allocate(requests);

        assertThat(batch.stream().mapToLong(LengthSamples::samples).sum()).isEqualTo(requests);
        assertThat(batch.stream()
                        .mapToDouble(part -> part.length().requestRatio())
                        .sum())
                .isCloseTo(1, within(1e-9));
        assertThat(batch)
                .allSatisfy(part -> assertThat((double) part.samples())
                        .isCloseTo(requests * part.length().requestRatio(), within(1.0)));
        assertThat(batch.stream()
                        .mapToDouble(part -> part.length().requestRatio()
                                * requireNonNull(part.decoding()).contextTokens())
                        .sum())
                .isCloseTo(mix.meanContextTokens(), within(1.0));
        assertThat(mix.classes()).hasSizeLessThanOrEqualTo(256);
    }

    /// More pairs than are told apart: neighbours are joined.
    @Test
    void aThousandBinsOnEitherSideKeepTheirMeans() {
        List<LengthBin> inputs = equalBins(1000, 10);
        List<LengthBin> outputs = equalBins(1000, 4);
        OutputLengths lengths = OutputLengths.of(new LengthDistribution(outputs));
        double squares = lengths.lengths().stream()
                .mapToDouble(one -> one.requestRatio() * one.tokens() * Math.floorDiv(one.tokens(), 2))
                .sum();
        double input = new LengthDistribution(inputs)
                .shares().stream()
                        .mapToDouble(one -> one.requestRatio() * one.tokens())
                        .sum();

        DecodeMix mix = mix(inputs, outputs);

        assertThat(mix.classes()).hasSizeBetween(100, 256);
        assertThat(mix.meanContextTokens()).isCloseTo(input + squares / lengths.mean() + 1, within(1e-6));
    }

    private static DecodeMix mix(List<LengthBin> inputs, List<LengthBin> outputs) {
        return DecodeMix.of(
                new Workload(
                        new Lengths.Mixed(new LengthDistribution(inputs)),
                        OutputLengths.of(new LengthDistribution(outputs)),
                        0,
                        null),
                1);
    }

    private static LengthSamples samples(int input, int query, double ratio, int output, long context, long count) {
        return new LengthSamples(
                new RepresentativeLength(input, query, ratio), new LengthSamples.Decoding(output, context), count);
    }

    private static List<LengthBin> shuffled(List<LengthBin> bins, Random random) {
        List<LengthBin> other = new ArrayList<>(bins);
        Collections.shuffle(other, random);
        return other;
    }

    private static List<LengthBin> randomBins(Random random, int most) {
        List<LengthBin> bins = new ArrayList<>();
        int start = 0;
        for (int bin = 0; bin < 1 + random.nextInt(most); bin++) {
            int end = start + 1 + random.nextInt(2000);
            bins.add(new LengthBin(start, end, random.nextDouble() + 1e-6));
            start = end + random.nextInt(3);
        }
        return bins;
    }

    private static List<LengthBin> equalBins(int count, int width) {
        List<LengthBin> bins = new ArrayList<>();
        for (int bin = 0; bin < count; bin++) {
            bins.add(new LengthBin(width * bin, width * (bin + 1), 1));
        }
        return bins;
    }

    /// @param rows shortest, longest and weight each
    private static LengthDistribution bins(int[][] rows) {
        return new LengthDistribution(Stream.of(rows)
                .map(row -> new LengthBin(row[0], row[1], row[2]))
                .toList());
    }
}

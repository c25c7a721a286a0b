package io.throughputoptimizer.core.forward;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.throughputoptimizer.core.cost.BoundBreakdown;
import io.throughputoptimizer.core.cost.OperatorCost;
import io.throughputoptimizer.fixture.Nightly;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/// Twenty thousand random passes, priced as they were when `frozen-estimates.gz` was written: every latency, part of
/// it, figure of memory and operator with its shapes, calls and cost.
///
/// Equal to the last bit, as long as every count of a pass is below 2^53; passes whose counts are larger, which no
/// device could hold, to 1e-15.
///
/// After a meant change of figures `-Dfrozen.write=FILE` writes the file anew.
class FrozenEstimatesTest {
    private static final long SEED = 11_2026;
    private static final int PASSES = 20_000;
    /// By day one of so many passes is priced.
    private static final int ONE_OF = Nightly.isNow() ? 1 : 10;
    private static final double BEYOND_EXACT = 1e-15;

    private final AnalyticForwardEstimator estimator = new AnalyticForwardEstimator();

    /// What is kept of a pass.
    ///
    /// @param digest of all its figures
    private record Figures(double latencyMillis, double activationBytes, int digest) {
        private static Figures of(PricedPass pass) {
            ForwardEstimate estimate = pass.estimate();
            return new Figures(
                    estimate.latencyMillis(),
                    estimate.memory().activationBytes(),
                    31 * digest(estimate) + digest(pass.operators()));
        }

        private static int digest(ForwardEstimate estimate) {
            BoundBreakdown breakdown = estimate.breakdown();
            MemoryFootprint memory = estimate.memory();
            int figures = DoubleStream.of(
                            estimate.latencyMillis(),
                            breakdown.memorySeconds(),
                            breakdown.communicationSeconds(),
                            breakdown.matrixSeconds(),
                            breakdown.generalSeconds(),
                            memory.capacityBytes(),
                            memory.reservedBytes(),
                            memory.weightBytes(),
                            memory.kvCacheBytes(),
                            memory.kvCacheBytesPerToken(),
                            memory.activationBytes())
                    .boxed()
                    .toList()
                    .hashCode();
            return 31 * figures + (memory.adjusted() ? 2 : 0) + (memory.exact() ? 1 : 0);
        }

        @SuppressWarnings("EnumOrdinal") // as it was written
        private static int digest(List<PricedPass.PricedOperator> operators) {
            int digest = 0;
            for (PricedPass.PricedOperator priced : operators) {
                OperatorCost cost = priced.cost();
                digest = 31 * digest + priced.name().hashCode();
                digest = 31 * digest + priced.inputs().toString().hashCode();
                digest = 31 * digest + Long.hashCode(priced.calls());
                digest = 31 * digest + Double.hashCode(cost.seconds());
                digest = 31 * digest + cost.bound().ordinal();
            }
            return digest;
        }

        private boolean isCloseTo(Figures other) {
            return isClose(latencyMillis, other.latencyMillis) && isClose(activationBytes, other.activationBytes);
        }

        private static boolean isClose(double left, double right) {
            return Math.abs(left - right) <= BEYOND_EXACT * Math.abs(right);
        }
    }

    @Test
    void everyEstimateIsWhatItWas() throws IOException {
        List<RandomPasses.Draw> draws = draws();
        String file = System.getProperty("frozen.write");
        if (file != null) {
            write(draws.stream().map(this::price).toList(), Path.of(file));
            return;
        }
        List<Figures> frozen = read();

        String differences = IntStream.range(0, PASSES)
                .filter(pass -> pass % ONE_OF == 0)
                .filter(pass -> !isEqual(draws.get(pass), price(draws.get(pass)), frozen.get(pass)))
                .mapToObj(pass -> pass + ": " + draws.get(pass) + "\n  was " + frozen.get(pass) + "\n  is "
                        + price(draws.get(pass)))
                .limit(20)
                .collect(Collectors.joining("\n"));

        assertThat(differences).isEmpty();
    }

    @Test
    void nearlyAllPassesAreComparedToTheBit() {
        long beyond = draws().stream().filter(draw -> !isExact(draw.shape())).count();

        assertThat(beyond / (double) PASSES).isCloseTo(0.02, within(0.02));
    }

    private Figures price(RandomPasses.Draw draw) {
        return Figures.of(estimator.price(draw.deployment(), draw.shape()));
    }

    private static boolean isEqual(RandomPasses.Draw draw, Figures is, Figures was) {
        return isExact(draw.shape()) ? is.equals(was) : is.isCloseTo(was);
    }

    /// Whether all counts of the pass are below 2^53: what a token takes is below 2^20, a pair of tokens below 2^16.
    private static boolean isExact(ForwardShape shape) {
        List<ForwardShape.Group> groups = switch (shape) {
            case ForwardShape.Uniform uniform ->
                List.of(new ForwardShape.Group(uniform.concurrency(), uniform.request()));
            case ForwardShape.RequestList list -> list.groups();
        };
        double tokens = 0;
        double longest = 0;
        for (ForwardShape.Group group : groups) {
            tokens += (double) group.count() * group.request().queryLength();
            longest = Math.max(longest, group.request().sequenceLength());
        }
        return tokens * longest < 1L << 37;
    }

    private static List<RandomPasses.Draw> draws() {
        RandomPasses passes = new RandomPasses(SEED);
        List<RandomPasses.Draw> draws = new ArrayList<>();
        for (int pass = 0; pass < PASSES; pass++) {
            draws.add(passes.next());
        }
        return draws;
    }

    private static List<Figures> read() throws IOException {
        InputStream file =
                Objects.requireNonNull(FrozenEstimatesTest.class.getResourceAsStream("/golden/frozen-estimates.gz"));
        try (DataInputStream stream = new DataInputStream(new GZIPInputStream(file))) {
            List<Figures> figures = new ArrayList<>();
            for (int pass = 0; pass < PASSES; pass++) {
                figures.add(new Figures(stream.readDouble(), stream.readDouble(), stream.readInt()));
            }
            return figures;
        }
    }

    private static void write(List<Figures> figures, Path file) throws IOException {
        try (DataOutputStream stream = new DataOutputStream(new GZIPOutputStream(Files.newOutputStream(file)))) {
            for (Figures pass : figures) {
                stream.writeDouble(pass.latencyMillis);
                stream.writeDouble(pass.activationBytes);
                stream.writeInt(pass.digest);
            }
        }
    }
}

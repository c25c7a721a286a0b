package io.throughputoptimizer.core.feedback;

import static org.assertj.core.api.Assertions.assertThat;

import io.throughputoptimizer.catalog.MeasuredServers;
import io.throughputoptimizer.core.accuracy.MeasuredServer;
import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.feedback.CalibrationPosterior.Measured;
import io.throughputoptimizer.core.kernels.BandBasis;
import io.throughputoptimizer.core.kernels.BandBasis.Coverage;
import io.throughputoptimizer.core.kernels.Bands;
import io.throughputoptimizer.core.kernels.Bands.Band;
import io.throughputoptimizer.core.kernels.CalibratedDeployment;
import io.throughputoptimizer.core.kernels.CalibratedPass;
import io.throughputoptimizer.core.kernels.Flag;
import io.throughputoptimizer.core.load.CacheUse;
import io.throughputoptimizer.core.load.Distribution;
import io.throughputoptimizer.core.load.EngineSettings.Scheduling;
import io.throughputoptimizer.core.load.MeanRequest;
import io.throughputoptimizer.core.load.SteadyFigures;
import io.throughputoptimizer.core.replica.CalibratedRank;
import io.throughputoptimizer.fixture.BuiltIn;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Errors of calibrated predictions on the measured servers that ship with the service: some rows of a server
/// are given, the others predicted.
class FeedbackAccuracyTest {
    private static final int DRAWS = 20;
    private static final long SEED = 27;

    /// A row of a server, and what the model says of it.
    private record Row(
            ParallelLayout layout,
            int concurrency,
            Configuration at,
            SteadyFigures figures,
            Bands bands,
            @Nullable Double tpot,
            @Nullable Double ttft) {

        static Row of(MeasuredServer server) {
            CalibratedDeployment deployment = server.deployment();
            CalibratedPass pass = CalibratedPass.of(deployment);
            MeasuredServer.Benchmark benchmark = server.benchmark();
            MeanRequest request = benchmark.lengths().mean(0);
            RankLaw law = new RankLaw(
                    deployment,
                    pass,
                    new CalibratedRank.Limits(
                            benchmark.kvTokens(), Scheduling.NO_LIMIT, benchmark.pollInterval(), CacheUse.TOKENS, null),
                    request,
                    benchmark.waves());
            double concurrency =
                    (double) benchmark.concurrency() / deployment.layout().dp();
            SteadyFigures figures = (SteadyFigures) law.at(concurrency);
            Set<Flag> flags = Flag.of(deployment, pass.unexpectedBases(), false);
            flags.addAll(law.flags(figures));
            return new Row(
                    deployment.layout(),
                    benchmark.concurrency(),
                    law.configuration(concurrency),
                    figures,
                    new Bands(
                            Coverage.NINE_TENTHS,
                            flags,
                            BandBasis.tpot(deployment.model()),
                            BandBasis.ttft(deployment.model())),
                    orAbsent(server.measured().tpotMillis()),
                    orAbsent(server.measured().ttftMillis()));
        }

        private static @Nullable Double orAbsent(java.util.OptionalDouble figure) {
            return figure.isPresent() ? (Double) figure.getAsDouble() : null;
        }

        private Measured measured() {
            return new Measured(at, tpot, ttft);
        }

        boolean isMeasured() {
            return tpot != null || ttft != null;
        }
    }

    /// Relative errors of one metric, and how many bands hold what was measured.
    private static final class Errors {
        private final List<Double> errors = new ArrayList<>();
        private int held;

        void add(double predicted, Band band, @Nullable Double measured) {
            if (measured != null) {
                errors.add(Math.abs(predicted / measured - 1));
                boolean below =
                        band.high().isPresent() && measured > band.high().getAsDouble();
                held += below || measured < band.low() ? 0 : 1;
            }
        }

        double median() {
            return distribution().p50();
        }

        double coverage() {
            return (double) held / errors.size();
        }

        private Distribution distribution() {
            return Distribution.of(
                    errors.stream().mapToDouble(Double::doubleValue).toArray());
        }
    }

    private static final class Trial {
        private final Errors tpot = new Errors();
        private final Errors ttft = new Errors();

        void add(List<Row> given, List<Row> wanted) {
            CalibrationPosterior learnt = CalibrationPosterior.of(
                    Prior.FITTED, given.stream().map(Row::measured).toList());
            for (Row row : wanted) {
                SteadyFigures figures = learnt.correct(row.at, row.figures);
                Prediction prediction = new Prediction(figures, learnt.bands(row.bands, figures, row.layout), 1);
                tpot.add(prediction.tpotMillis(), prediction.tpotBand().orElseThrow(), row.tpot);
                ttft.add(prediction.ttftMillis(), prediction.ttftBand().orElseThrow(), row.ttft);
            }
        }
    }

    @Test
    void threeRowsMakeTheOthersOfAServerMoreExact() {
        Collection<List<Row>> servers = servers();
        Map<String, Trial> trials = new LinkedHashMap<>();
        for (int given : new int[] {0, 1, 2, 3, 5}) {
            trials.put(given + (given == 1 ? " row" : " rows"), anyLayout(servers, given));
        }
        trials.put("lowest, middle and highest concurrency of the layout", ofOneLayout(servers));

        assertThat(anyLayout(servers, 3).tpot.median())
                .isLessThan(0.85 * anyLayout(servers, 0).tpot.median());
        assertThat(trials.values()).allSatisfy(trial -> {
            assertThat(trial.tpot.coverage()).isGreaterThan(0.85);
            assertThat(trial.ttft.coverage()).isGreaterThan(0.85);
        });
    }

    /// Rows of one model, scheme, cache, device, engine and version.
    private static Collection<List<Row>> servers() {
        Map<List<Object>, List<Row>> servers = new LinkedHashMap<>();
        MeasuredServers.read(BuiltIn.CATALOGS)
                .forEach(server -> servers.computeIfAbsent(
                                List.of(
                                        server.model(),
                                        server.device(),
                                        server.deployment().precision(),
                                        server.deployment().engine().backend(),
                                        server.engineVersion(),
                                        server.benchmark().pollInterval()),
                                _ -> new ArrayList<>())
                        .add(Row.of(server)));
        servers.values().forEach(rows -> rows.removeIf(row -> !row.isMeasured()));
        return servers.values();
    }

    private static Trial anyLayout(Collection<List<Row>> servers, int given) {
        Trial trial = new Trial();
        Random random = new Random(SEED);
        for (List<Row> server : servers) {
            for (int draw = 0; draw < DRAWS && server.size() > given; draw++) {
                List<Row> shuffled = new ArrayList<>(server);
                Collections.shuffle(shuffled, random);
                trial.add(shuffled.subList(0, given), shuffled.subList(given, shuffled.size()));
            }
        }
        return trial;
    }

    private static Trial ofOneLayout(Collection<List<Row>> servers) {
        Trial trial = new Trial();
        for (List<Row> server : servers) {
            Map<ParallelLayout, List<Row>> layouts = new LinkedHashMap<>();
            server.forEach(row ->
                    layouts.computeIfAbsent(row.layout, _ -> new ArrayList<>()).add(row));
            layouts.values().stream().filter(rows -> rows.size() > 3).forEach(rows -> {
                List<Row> others = new ArrayList<>(rows);
                others.sort(Comparator.comparingInt(Row::concurrency));
                List<Row> given = List.of(others.getFirst(), others.get(others.size() / 2), others.getLast());
                others.removeAll(given);
                trial.add(given, others);
            });
        }
        return trial;
    }
}

package io.throughputoptimizer.core.feedback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.feedback.CalibrationPosterior.Measured;
import io.throughputoptimizer.core.feedback.FeedbackVectors.Case;
import io.throughputoptimizer.core.feedback.FeedbackVectors.Modelled;
import io.throughputoptimizer.core.kernels.BandBasis;
import io.throughputoptimizer.core.kernels.BandBasis.Coverage;
import io.throughputoptimizer.core.kernels.Bands;
import io.throughputoptimizer.core.kernels.Flag;
import io.throughputoptimizer.core.kernels.PassSplit;
import io.throughputoptimizer.core.load.EngineSettings;
import io.throughputoptimizer.core.load.EngineSettings.Policy;
import io.throughputoptimizer.core.load.EngineSettings.Scheduling;
import io.throughputoptimizer.core.load.SteadyFigures;
import io.throughputoptimizer.core.load.SteadyLaw.Batch;
import io.throughputoptimizer.core.load.SteadyLaw.Times;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CalibrationPosteriorTest {
    private static final double LAST_DIGITS = 1e-12;
    private static final CalibrationPosterior NOTHING = CalibrationPosterior.of(Prior.FITTED, List.of());

    static List<Case> servers() {
        return FeedbackVectors.cases().stream()
                .filter(vector -> !vector.observed().isEmpty())
                .toList();
    }

    /// Only the gap of a step is unknown, and TPOT is a step: 10 ms, of which 11.5 were measured.
    @Test
    void aGapOfAStepIsLearntAsByHand() {
        double[] gapAlone = {0, 0, 1.1489, 0, 0, 0, 0, 0};
        Prior prior =
                new Prior(gapAlone, new double[2], new double[2], new double[][] {{0.056, 0.0146}, {0.0688, 0.0803}});
        CalibrationPosterior learnt = CalibrationPosterior.of(prior, List.of(new Measured(alone(10), 11.5, null)));

        assertThat(learnt.scale()).isCloseTo(1.0392, within(5e-5));
        assertThat(learnt.parameter(Parameter.STEP_GAP)).isCloseTo(1.129, within(5e-4));
        SteadyFigures same = learnt.correct(alone(10), figures(10));
        assertThat(same.tpotMillis()).isCloseTo(11.196, within(5e-4));
        assertThat(same.ofLaw()).isEqualTo(figures(10));
        assertBand(learnt, same, 9.504, 13.251);
        SteadyFigures twiceAsLong = learnt.correct(alone(20), figures(20));
        assertThat(twiceAsLong.tpotMillis()).isCloseTo(21.162, within(5e-4));
        assertBand(learnt, twiceAsLong, 18.516, 24.280);
    }

    private static void assertBand(CalibrationPosterior learnt, SteadyFigures figures, double low, double high) {
        Bands model = new Bands(Coverage.NINE_TENTHS, Set.of(), BandBasis.TPOT_DENSE, BandBasis.TTFT_DENSE);
        Bands.Band band = learnt.bands(model, figures, ParallelLayout.dense(1, 1))
                .ofTpot(figures.tpotMillis())
                .orElseThrow();
        assertThat(band.low()).isCloseTo(low, within(5e-4));
        assertThat(band.high().orElseThrow()).isCloseTo(high, within(5e-4));
        assertThat(band.basis()).isEqualTo("feedback");
    }

    private static final EngineSettings ENGINE = new EngineSettings(new Scheduling(Policy.MIXED, 8192), 1, 35, 0);

    /// One request at a time.
    private static Configuration alone(double decodeMillis) {
        return new Configuration(
                ParallelLayout.dense(1, 1),
                false,
                new Configuration.Load(1, new Batch(1), 1000, 100, 10),
                new PassSplit(decodeMillis, 0, 0),
                new PassSplit(100, 0, 0),
                ENGINE,
                false);
    }

    private static SteadyFigures figures(double decodeMillis) {
        return new Times(100, 1, decodeMillis, 100).figures(1, 1, 10, ENGINE);
    }

    @ParameterizedTest
    @MethodSource("servers")
    void withoutRowsFiguresAndBandsAreThoseOfTheModel(Case server) {
        for (Modelled wanted : server.wanted()) {
            SteadyFigures figures = NOTHING.correct(wanted.configuration(), wanted.figures());

            assertThat(figures.tpotMillis()).isEqualTo(wanted.figures().tpotMillis());
            assertThat(figures.ttft()).isEqualTo(wanted.figures().ttft());
            Bands model = new Bands(Coverage.HALF, Set.of(Flag.DEVICE), BandBasis.TPOT_MOE, BandBasis.TTFT_DENSE);
            assertThat(NOTHING.bands(model, figures, wanted.layout())).isSameAs(model);
        }
    }

    @ParameterizedTest
    @MethodSource("servers")
    void aRowAsPredictedChangesNothingAndMakesSurer(Case server) {
        Modelled row = server.observed().getFirst();
        SteadyFigures predicted = row.figures();
        CalibrationPosterior learnt = CalibrationPosterior.of(
                Prior.FITTED,
                List.of(new Measured(
                        row.configuration(),
                        predicted.tpotMillis(),
                        predicted.ttft().benchmarkMillis())));

        assertThat(learnt.scale()).isEqualTo(1);
        for (Parameter parameter : Parameter.values()) {
            assertThat(learnt.parameter(parameter)).isCloseTo(0, within(LAST_DIGITS));
        }
        for (Modelled wanted : server.wanted()) {
            SteadyFigures corrected = learnt.correct(wanted.configuration(), wanted.figures());
            SteadyFigures before = NOTHING.correct(wanted.configuration(), wanted.figures());
            assertThat(corrected.tpotMillis() / before.tpotMillis()).isCloseTo(1, within(LAST_DIGITS));
            assertThat(corrected.ttft().benchmarkMillis() / before.ttft().benchmarkMillis())
                    .isCloseTo(1, within(LAST_DIGITS));
            assertThat(deviation(corrected, Metric.TPOT)).isLessThan(deviation(before, Metric.TPOT));
            assertThat(deviation(corrected, Metric.TTFT)).isLessThan(deviation(before, Metric.TTFT));
        }
    }

    private static double deviation(SteadyFigures figures, Metric metric) {
        SteadyFigures.Correction correction = figures.correction();
        assertThat(correction).isNotNull();
        return metric == Metric.TPOT ? correction.tpotDeviation() : correction.ttftDeviation();
    }

    @ParameterizedTest
    @MethodSource("servers")
    void theOrderOfRowsDoesNotMatter(Case server) {
        List<Measured> rows = server.observed().stream().map(Modelled::measured).toList();
        CalibrationPosterior forwards = CalibrationPosterior.of(Prior.FITTED, rows);
        CalibrationPosterior backwards = CalibrationPosterior.of(Prior.FITTED, rows.reversed());

        assertThat(backwards.scale()).isCloseTo(forwards.scale(), within(LAST_DIGITS));
        assertThat(backwards.figures()).isEqualTo(forwards.figures());
        for (Modelled wanted : server.wanted()) {
            SteadyFigures one = forwards.correct(wanted.configuration(), wanted.figures());
            SteadyFigures other = backwards.correct(wanted.configuration(), wanted.figures());
            assertThat(other.tpotMillis() / one.tpotMillis()).isCloseTo(1, within(LAST_DIGITS));
            assertThat(other.ttft().benchmarkMillis() / one.ttft().benchmarkMillis())
                    .isCloseTo(1, within(LAST_DIGITS));
        }
    }

    /// A row that is given twice was measured twice.
    @Test
    void aRowThatIsGivenTwiceWeighsMore() {
        Measured row = new Measured(alone(10), 10.5, null);
        SteadyFigures once = CalibrationPosterior.of(Prior.FITTED, List.of(row)).correct(alone(10), figures(10));
        SteadyFigures twice =
                CalibrationPosterior.of(Prior.FITTED, List.of(row, row)).correct(alone(10), figures(10));

        assertThat(once.tpotMillis()).isBetween(10.0, twice.tpotMillis());
        assertThat(twice.tpotMillis()).isBetween(once.tpotMillis(), 10.5);
        assertThat(deviation(twice, Metric.TPOT)).isLessThan(deviation(once, Metric.TPOT));
    }

    @Test
    void aFigureThatFitsNothingIsLeftOutAndTheOtherOfItsRowStays() {
        Measured row = new Measured(alone(10), 10.5, 5 * figures(10).ttft().benchmarkMillis());
        CalibrationPosterior learnt = CalibrationPosterior.of(Prior.FITTED, List.of(row));

        assertThat(learnt.figures()).isEqualTo(1);
        assertThat(learnt.rejected()).singleElement().satisfies(one -> {
            assertThat(one.row()).isZero();
            assertThat(one.metric()).isEqualTo(Metric.TTFT);
            assertThat(one.ratio()).isCloseTo(5, within(1e-9));
        });
    }

    @Test
    void rowsThatContradictEachOtherMakeEverythingLessCertainAndTheStrangestIsNamed() {
        List<Measured> rows = new ArrayList<>();
        for (double factor : new double[] {1.02, 1.03, 1.01, 3.5}) {
            rows.add(new Measured(alone(10), 10 * factor, null));
        }
        CalibrationPosterior learnt = CalibrationPosterior.of(Prior.FITTED, rows);

        assertThat(learnt.scale()).isGreaterThan(2);
        assertThat(learnt.standings().getFirst().row()).isEqualTo(3);
        assertThat(learnt.standings().getFirst().ratio()).isCloseTo(3.5, within(1e-9));
        assertThat(learnt.correct(alone(10), figures(10)).tpotMillis()).isLessThan(13);
    }

    /// From three figures of the layout on the narrower band counts; before it is that of what was learnt.
    @Test
    void threeFiguresOfALayoutLetTheErrorsOfTheModelCountToo() {
        List<Measured> rows = new ArrayList<>();
        for (double factor : new double[] {0.7, 1.4, 0.6, 1.5, 0.65}) {
            rows.add(new Measured(alone(10), 10 * factor, null));
            CalibrationPosterior learnt = CalibrationPosterior.of(Prior.FITTED, rows);
            SteadyFigures figures = learnt.correct(alone(10), figures(10));
            Bands model = new Bands(Coverage.NINE_TENTHS, Set.of(), BandBasis.TPOT_DENSE, BandBasis.TTFT_DENSE);
            Bands bands = learnt.bands(model, figures, ParallelLayout.dense(1, 1));
            String basis = bands.ofTpot(figures.tpotMillis()).orElseThrow().basis();
            assertThat(basis).isEqualTo(rows.size() < 3 ? "feedback" : "tpot/dense");
            assertThat(learnt.bands(model, figures, ParallelLayout.dense(2, 1))
                            .ofTpot(10)
                            .orElseThrow()
                            .basis())
                    .isEqualTo("feedback");
        }
    }
}

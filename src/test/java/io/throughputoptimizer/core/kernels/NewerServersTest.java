package io.throughputoptimizer.core.kernels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.throughputoptimizer.core.kernels.BandBasis.Coverage;
import io.throughputoptimizer.core.kernels.BandBasis.Factors;
import io.throughputoptimizer.core.kernels.calibration.AllReduces;
import io.throughputoptimizer.core.kernels.calibration.Calibration;
import io.throughputoptimizer.core.load.EngineSettings.Scheduling;
import io.throughputoptimizer.core.load.MeanRequest;
import io.throughputoptimizer.core.load.SteadyFigures;
import io.throughputoptimizer.core.load.SteadyLaw;
import io.throughputoptimizer.core.model.ModelArchitecture;
import io.throughputoptimizer.core.replica.CalibratedRank;
import io.throughputoptimizer.fixture.CacheOfVectors;
import io.throughputoptimizer.fixture.Silicon;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.zip.GZIPInputStream;
import org.assertj.core.data.Percentage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Measured servers of Qwen3.5-397B and GLM-5, none of which anything was fitted to, and of Qwen3.5-397B with drafts,
/// whose accepted tokens and time of a request were fitted on some of such rows.
class NewerServersTest {
    private static final Percentage EXACT = withinPercentage(3e-3);
    private static final List<Row> ROWS = rows("rows-newer.csv.gz");
    private static final List<Row> DRAFTING = rows("rows-speculative.csv.gz");

    private record Row(List<String> names, List<String> values) {
        private String text(String column) {
            return values.get(names.indexOf(column));
        }

        double number(String column) {
            return Double.parseDouble(text(column));
        }

        private int whole(String column) {
            return Integer.parseInt(text(column));
        }

        private @Nullable Speculation speculation() {
            int drafts = whole("spec_tokens");
            return drafts == 0 ? null : new Speculation(drafts, number("accepted"), Speculation.USUAL_REQUEST_MILLIS);
        }

        private int mostRunning() {
            return text("max_running").isEmpty() ? Scheduling.NO_LIMIT : whole("max_running");
        }

        private CalibratedDeployment deployment(boolean ownAllReduces) {
            ModelArchitecture model =
                    Silicon.model(text("config").replace("--", "/").replaceFirst("\\.json$", ""));
            Calibration own = Silicon.calibration(text("device"));
            Calibration joint = new Calibration(
                    own.device(),
                    own.family(),
                    own.peaks(),
                    own.launchOverlapsMemory(),
                    own.versions(),
                    own.servers(),
                    own.sets(),
                    AllReduces.NONE,
                    own.lender(),
                    own.donor());
            return new CalibratedDeployment(
                    model,
                    ownAllReduces ? own : joint,
                    CalibratedDeployment.layout(model, whole("tp"), whole("attention_dp"), whole("moe_ep")),
                    Silicon.engine(text("backend")),
                    new Precision(
                            Scheme.valueOf(text("scheme")),
                            text("kv_cache").equals("fp8") ? CacheType.FP8 : CacheType.BF16,
                            text("state_bytes").equals("2") ? StateType.BFLOAT16 : StateType.FLOAT32,
                            false),
                    speculation());
        }

        SteadyFigures figures(boolean ownAllReduces) {
            CalibratedDeployment deployment = deployment(ownAllReduces);
            double mean = (1 + number("length_ratio")) / 2;
            MeanRequest request = new MeanRequest(number("isl") * mean, number("osl") * mean, 0, null);
            return (SteadyFigures) new SteadyLaw(
                            CalibratedRank.of(
                                    deployment, CacheOfVectors.limits(deployment, mostRunning(), whole("poll"))),
                            request,
                            number("waves"))
                    .at(number("concurrency") / number("attention_dp"));
        }
    }

    @Test
    void figuresOfTheFirstLawsAreThoseOfTheRows() {
        assertThat(ROWS).hasSize(95).allSatisfy(row -> {
            SteadyFigures figures = row.figures(false);
            assertThat(figures.steps().decodeMillis()).isCloseTo(row.number("decode_ms"), EXACT);
            assertThat(figures.steps().prefillMillis()).isCloseTo(row.number("prefill_ms"), EXACT);
            assertThat(figures.tpotMillis()).isCloseTo(row.number("steady_tpot_ms"), EXACT);
            assertThat(figures.ttft().benchmarkMillis()).isCloseTo(row.number("steady_ttft_ms"), EXACT);
        });
    }

    @Test
    void mediansOfTheirErrorsAreAsPublished() {
        assertThat(median(row -> error(row.figures(false).tpotMillis(), row.number("tpot_ms"))))
                .isCloseTo(11.1, within(0.3));
        assertThat(median(row -> error(row.figures(false).ttft().benchmarkMillis(), row.number("ttft_ms"))))
                .isCloseTo(18.2, within(0.3));
        assertThat(median(row -> error(row.figures(true).tpotMillis(), row.number("tpot_ms"))))
                .isLessThan(11.4);
        assertThat(median(row -> error(row.figures(true).ttft().benchmarkMillis(), row.number("ttft_ms"))))
                .isLessThan(18.5);
    }

    @Test
    void bandsHoldWhatTheySay() {
        assertThat(share(BandBasis.TPOT_MOE, "tpot_ms", SteadyFigures::tpotMillis))
                .isGreaterThan(0.88);
        assertThat(share(
                        BandBasis.TTFT_MOE_OTHER,
                        "ttft_ms",
                        figures -> figures.ttft().benchmarkMillis()))
                .isGreaterThan(0.95);
    }

    @Test
    void stepsThatDraftTakeWhatTheRowsSay() {
        assertThat(DRAFTING).hasSize(15).allSatisfy(row -> {
            SteadyFigures figures = row.figures(false);
            assertThat(figures.tpotMillis()).isCloseTo(row.number("steady_tpot_ms"), EXACT);
            assertThat(figures.ttft().benchmarkMillis()).isCloseTo(row.number("steady_ttft_ms"), EXACT);
        });
    }

    @Test
    void mediansOfTheErrorsWithDraftsAreAsPublished() {
        ToDoubleFunction<Row> published = row -> error(row.figures(false).tpotMillis(), row.number("tpot_ms"));
        ToDoubleFunction<Row> told = row -> error(row.figures(true).tpotMillis(), row.number("tpot_ms"));

        assertThat(quantile(DRAFTING, published, 0.5)).isCloseTo(4.8, within(0.3));
        assertThat(quantile(DRAFTING, published, 0.9)).isCloseTo(9.1, within(0.3));
        assertThat(quantile(DRAFTING, told, 0.5)).isLessThan(5.1);
        assertThat(quantile(DRAFTING, told, 0.9)).isLessThan(9.4);
        Factors factors = BandBasis.TPOT_MOE.factors(Coverage.NINE_TENTHS);
        assertThat(DRAFTING)
                .allSatisfy(row -> assertThat(
                                row.number("tpot_ms") / row.figures(true).tpotMillis())
                        .isBetween(factors.low(), factors.high()));
    }

    private static double share(BandBasis basis, String column, ToDoubleFunction<SteadyFigures> figure) {
        Factors factors = basis.factors(Coverage.NINE_TENTHS);
        return ROWS.stream()
                .mapToDouble(row -> row.number(column) / figure.applyAsDouble(row.figures(true)))
                .map(quotient -> quotient >= factors.low() && quotient <= factors.high() ? 1 : 0)
                .average()
                .orElseThrow();
    }

    private static double error(double figure, double measured) {
        return 100 * Math.abs(figure / measured - 1);
    }

    private static double median(ToDoubleFunction<Row> value) {
        return quantile(ROWS, value, 0.5);
    }

    /// The value below which that share of the others lies.
    private static double quantile(List<Row> rows, ToDoubleFunction<Row> value, double share) {
        return rows.stream().mapToDouble(value).sorted().toArray()[(int) (share * (rows.size() - 1))];
    }

    private static List<Row> rows(String file) {
        try (BufferedReader reader = new BufferedReader(
                new InputStreamReader(new GZIPInputStream(Silicon.resource(file)), StandardCharsets.UTF_8))) {
            List<List<String>> lines =
                    reader.lines().map(line -> List.of(line.split(",", -1))).toList();
            List<String> names = lines.getFirst();
            return lines.stream().skip(1).map(values -> new Row(names, values)).toList();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}

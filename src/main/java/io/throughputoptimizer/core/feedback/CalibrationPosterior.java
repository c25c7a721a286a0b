package io.throughputoptimizer.core.feedback;

import io.throughputoptimizer.core.deployment.ParallelLayout;
import io.throughputoptimizer.core.feedback.Configuration.Linear;
import io.throughputoptimizer.core.feedback.Prior.Figure;
import io.throughputoptimizer.core.kernels.BandBasis;
import io.throughputoptimizer.core.kernels.BandBasis.Coverage;
import io.throughputoptimizer.core.kernels.BandBasis.Factors;
import io.throughputoptimizer.core.kernels.Bands;
import io.throughputoptimizer.core.kernels.Flag;
import io.throughputoptimizer.core.kernels.Spread;
import io.throughputoptimizer.core.load.SteadyFigures;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Calibration of a server by benchmark rows: the posterior of a [Prior]. Figures that differ from the model by
/// more than a factor of 4.5 are excluded, and outliers weigh less (Huber). If all figures are further apart
/// than expected, uncertainty increases accordingly.
///
///     alpha = (K + N/w)^-1 r, three times with w = 1 / max(1, |N/w alpha| / sqrt(N) / 1.5)
///     f     = max(1, (4 + r alpha) / (4 + figures))
///     mean  = K_q alpha,   sd^2 = f (K_qq - K_q (K + N/w)^-1 K_q' + N_q),   t = S J' alpha
///
/// with `r` the logarithms of measured over predicted. Immutable and thread-safe. Without figures it equals the
/// prior, whose mean is the model.
@SuppressWarnings("EnumOrdinal") // arrays, because every concurrency that is tried reads some
public final class CalibrationPosterior {
    private static final double FURTHEST = 1.5;
    private static final double HUBER = 1.5;
    private static final int ROUNDS = 3;
    private static final double TRUST = 4;
    private static final double LEAST_VARIANCE = 1e-6;
    private static final int ENOUGH = 3;

    private final Prior prior;
    private final int rows;
    private final List<Seen> seen;
    private final List<Rejected> rejected;
    private final double[] alpha;
    private final Cholesky matrix;
    private final double scale;
    private final List<Standing> standings;

    /// A configuration and its benchmark results.
    record Measured(
            Configuration at,
            @Nullable Double tpotMillis,
            @Nullable Double ttftMillis) {
        private @Nullable Double of(Metric metric) {
            return metric == Metric.TPOT ? tpotMillis : ttftMillis;
        }
    }

    /// A figure excluded as implausible.
    ///
    /// @param row row index from 0
    /// @param ratio measured over predicted
    public record Rejected(int row, Metric metric, double ratio) {}

    /// Agreement of a used figure with the others.
    ///
    /// @param row row index from 0
    /// @param ratio measured over predicted by the model
    /// @param deviations residual after calibration, in standard deviations of a benchmark
    public record Standing(int row, Metric metric, double ratio, double deviations) {}

    /// @param noise observation variance
    /// @param residual log(measured / predicted)
    private record Seen(int row, Figure figure, double noise, double residual) {}

    private CalibrationPosterior(Prior prior, List<Measured> measured) {
        this.prior = prior;
        this.rows = measured.size();
        List<Seen> within = new ArrayList<>();
        List<Rejected> beyond = new ArrayList<>();
        for (int row = 0; row < rows; row++) {
            Measured one = measured.get(row);
            Linear linear = one.at.linear();
            for (Metric metric : Metric.values()) {
                Double millis = one.of(metric);
                if (millis == null) {
                    continue;
                }
                double residual = Math.log(millis) - linear.logs()[metric.ordinal()];
                if (Math.abs(residual) > FURTHEST) {
                    beyond.add(new Rejected(row, metric, Math.exp(residual)));
                } else {
                    Figure figure = new Figure(metric, one.at, linear.slopes()[metric.ordinal()]);
                    within.add(new Seen(row, figure, prior.noise(metric, one.at), residual));
                }
            }
        }
        this.seen = List.copyOf(within);
        this.rejected = List.copyOf(beyond);
        double[] residuals = seen.stream().mapToDouble(Seen::residual).toArray();
        double[] weights = seen.stream().mapToDouble(_ -> 1).toArray();
        Cholesky solved = new Cholesky(noisy(weights));
        double[] found = solved.solve(residuals);
        for (int round = 1; round < ROUNDS; round++) {
            weights = weights(weights, found);
            solved = new Cholesky(noisy(weights));
            found = solved.solve(residuals);
        }
        this.matrix = solved;
        this.alpha = found;
        this.scale = Math.max(1, (TRUST + Cholesky.dot(residuals, alpha, alpha.length)) / (TRUST + alpha.length));
        this.standings = standings(weights);
    }

    static CalibrationPosterior of(Prior prior, List<Measured> measured) {
        return new CalibrationPosterior(prior, measured);
    }

    /// Returns the covariance matrix of all measurements, with observation noise on the diagonal.
    private double[][] noisy(double[] weights) {
        double[][] matrix = new double[seen.size()][seen.size()];
        for (int row = 0; row < matrix.length; row++) {
            for (int column = 0; column <= row; column++) {
                matrix[row][column] = prior.covariance(seen.get(row).figure, seen.get(column).figure);
            }
            matrix[row][row] += seen.get(row).noise / weights[row];
        }
        return matrix;
    }

    /// Returns Huber weights: lower for figures far from the predictions by the others.
    private double[] weights(double[] weights, double[] found) {
        double[] lighter = new double[weights.length];
        for (int index = 0; index < weights.length; index++) {
            lighter[index] = 1 / Math.max(1, deviations(index, weights, found) / HUBER);
        }
        return lighter;
    }

    private double deviations(int index, double[] weights, double[] found) {
        double noise = seen.get(index).noise;
        return Math.abs(noise / weights[index] * found[index]) / Math.sqrt(noise);
    }

    private List<Standing> standings(double[] weights) {
        return IntStream.range(0, seen.size())
                .mapToObj(index -> new Standing(
                        seen.get(index).row,
                        seen.get(index).figure.metric(),
                        Math.exp(seen.get(index).residual),
                        deviations(index, weights, alpha)))
                .sorted(Comparator.comparingDouble(Standing::deviations).reversed())
                .toList();
    }

    /// Returns the number of rows given.
    public int rows() {
        return rows;
    }

    /// Returns the number of figures used.
    public int figures() {
        return seen.size();
    }

    /// Returns the number of figures of a metric.
    public int figures(Metric metric) {
        return (int) seen.stream().filter(one -> one.figure.metric() == metric).count();
    }

    /// Returns the number of figures of a metric and a layout.
    public int figures(Metric metric, ParallelLayout layout) {
        return (int) seen.stream()
                .filter(one -> one.figure.metric() == metric
                        && one.figure.at().layout().equals(layout))
                .count();
    }

    /// Returns the excluded figures.
    public List<Rejected> rejected() {
        return rejected;
    }

    /// Returns the figures used, largest disagreement first.
    public List<Standing> standings() {
        return standings;
    }

    /// Returns the ratio of the variance of the figures to that of typical servers; at least 1.
    public double scale() {
        return scale;
    }

    /// Returns the posterior mean of a parameter: the logarithm of a factor, milliseconds or microseconds.
    public double parameter(Parameter parameter) {
        double sum = 0;
        for (int index = 0; index < alpha.length; index++) {
            sum += seen.get(index).figure.slopes()[parameter.ordinal()] * alpha[index];
        }
        double deviation = prior.parameters()[parameter.ordinal()];
        return deviation * deviation * sum;
    }

    /// Corrects figures of the model by the calibration.
    SteadyFigures correct(Configuration at, SteadyFigures figures) {
        Linear linear = at.linear();
        Posterior tpot = posterior(new Figure(Metric.TPOT, at, linear.slopes()[Metric.TPOT.ordinal()]));
        Posterior ttft = posterior(new Figure(Metric.TTFT, at, linear.slopes()[Metric.TTFT.ordinal()]));
        return figures.corrected(tpot.factor(), ttft.factor(), tpot.deviation(), ttft.deviation());
    }

    /// @param factor corrected over predicted
    /// @param deviation standard deviation of log(measured / corrected)
    private record Posterior(double factor, double deviation) {}

    private Posterior posterior(Figure wanted) {
        double[] cross = new double[alpha.length];
        for (int index = 0; index < cross.length; index++) {
            cross[index] = prior.covariance(wanted, seen.get(index).figure);
        }
        double[] half = matrix.half(cross);
        double left = prior.covariance(wanted, wanted) - Cholesky.dot(half, half, half.length);
        double variance = scale * (Math.max(left, 0) + prior.noise(wanted.metric(), wanted.at()));
        return new Posterior(
                Math.exp(Cholesky.dot(cross, alpha, alpha.length)), Math.sqrt(Math.max(variance, LEAST_VARIANCE)));
    }

    /// Returns the prediction intervals of corrected figures.
    ///
    /// @param model prediction intervals without correction
    public Bands bands(Bands model, SteadyFigures figures, ParallelLayout layout) {
        SteadyFigures.Correction correction = figures.correction();
        return correction == null || seen.isEmpty()
                ? model
                : new Bands(
                        model.coverage(),
                        model.flags(),
                        spread(Metric.TPOT, correction.tpotDeviation(), model.tpot(), layout),
                        spread(Metric.TTFT, correction.ttftDeviation(), model.ttft(), layout));
    }

    private Spread spread(Metric metric, double deviation, Spread model, ParallelLayout layout) {
        return new PosteriorInterval(metric, deviation, model.ofModel(), figures(metric, layout) >= ENOUGH);
    }

    /// Distribution of measured over corrected figures. A device or kernels without measured servers widen it as
    /// they widen the model's errors. Other flags do not, since the measured servers include them.
    ///
    /// @param deviation standard deviation of log(measured / corrected)
    /// @param ofModel errors of the model
    /// @param hasEnough true if the layout has enough figures for the narrower of both intervals to be shown
    record PosteriorInterval(Metric metric, double deviation, BandBasis ofModel, boolean hasEnough) implements Spread {
        private static final String LABEL = "feedback";
        private static final Set<Flag> WIDENING = Set.of(Flag.DEVICE, Flag.FAMILY);

        @Override
        public Factors factors(Coverage coverage, Set<Flag> flags) {
            return showsModel(coverage, flags) ? ofModel.factors(coverage, flags) : own(coverage, flags);
        }

        @Override
        public String label(Coverage coverage, Set<Flag> flags) {
            return showsModel(coverage, flags) ? ofModel.label() : LABEL;
        }

        private boolean showsModel(Coverage coverage, Set<Flag> flags) {
            return hasEnough
                    && ofModel.factors(coverage, flags).ratio()
                            < own(coverage, flags).ratio();
        }

        private Factors own(Coverage coverage, Set<Flag> flags) {
            long widening = flags.stream().filter(WIDENING::contains).count();
            return metric.ends(coverage, deviation * (1L << widening));
        }
    }

    /// Cholesky factorization `L L'` of a symmetric positive definite matrix. Systems have at most a hundred
    /// unknowns and a variance on each diagonal element, so a linear algebra library is not needed.
    static final class Cholesky {
        private final double[][] lower;

        Cholesky(double[][] matrix) {
            lower = new double[matrix.length][];
            for (int row = 0; row < matrix.length; row++) {
                lower[row] = new double[row + 1];
                for (int column = 0; column <= row; column++) {
                    double left = matrix[row][column] - dot(lower[row], lower[column], column);
                    lower[row][column] = column == row ? Math.sqrt(left) : left / lower[column][column];
                }
            }
        }

        /// Returns the solution of `L x = right`: `|x|^2` is `right' M^-1 right`.
        double[] half(double[] right) {
            double[] solution = new double[right.length];
            for (int row = 0; row < right.length; row++) {
                solution[row] = (right[row] - dot(lower[row], solution, row)) / lower[row][row];
            }
            return solution;
        }

        /// Returns the solution of `L L' x = right`.
        double[] solve(double[] right) {
            double[] solution = half(right);
            for (int row = right.length - 1; row >= 0; row--) {
                solution[row] /= lower[row][row];
                for (int above = 0; above < row; above++) {
                    solution[above] -= lower[row][above] * solution[row];
                }
            }
            return solution;
        }

        static double dot(double[] one, double[] other, int terms) {
            double sum = 0;
            for (int term = 0; term < terms; term++) {
                sum += one[term] * other[term];
            }
            return sum;
        }
    }
}

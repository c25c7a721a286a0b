package io.throughputoptimizer.core.kernels;

import io.throughputoptimizer.core.model.ModelArchitecture;
import java.util.Locale;
import java.util.Set;

/// Serving figures with a joint error distribution: quantiles of measured over predicted, with equal weight per
/// model. For figures with fitted scalars the quantiles with each model left out of the fit are included, and
/// the wider end is used.
public enum BandBasis implements Spread {
    TPOT_DENSE,
    TPOT_MOE,
    /// Decode instances within the domain of the link.
    TPOT_DISAGGREGATED_ONE_NODE,
    /// Decode instances beyond the domain of the link.
    TPOT_DISAGGREGATED_NODES,
    TTFT_DENSE,
    /// Models of the measured types.
    TTFT_MOE,
    /// Other models with experts: each measured model left out of the fit.
    TTFT_MOE_OTHER,
    TTFT_DISAGGREGATED;

    private static final int MOST_SQUARINGS = 2;

    /// Name in results; cached, since every interval of every probe uses it.
    private final String label = name().toLowerCase(Locale.ROOT).replaceFirst("_", "/");

    /// Measured model families; those of Kimi-K2.5 have a decoder of Kimi-K2 or DeepSeek-V3.
    private static final Set<String> MEASURED_WITH_EXPERTS =
            Set.of("deepseek_v3", "gpt_oss", "kimi_k2", "kimi_k25", "minimax_m2");

    /// Ends of a prediction interval as multiples of the figure.
    ///
    /// @param high upper end; infinite if unbounded
    public record Factors(double low, double high) {
        /// Returns the width of the interval as a ratio of its ends.
        public double ratio() {
            return high / low;
        }

        /// Returns the factors with both ends raised to a power.
        private Factors widened(double power) {
            return new Factors(Math.pow(low, power), Math.pow(high, power));
        }
    }

    /// Share of measured figures within a prediction interval.
    public enum Coverage {
        HALF(0.5),
        NINE_TENTHS(0.9);

        private final double share;

        Coverage(double share) {
            this.share = share;
        }

        public double share() {
            return share;
        }
    }

    /// Returns the number of measured servers behind the quantiles.
    public int servers() {
        return switch (this) {
            case TPOT_DENSE -> 930;
            case TPOT_MOE -> 1113;
            case TPOT_DISAGGREGATED_ONE_NODE -> 195;
            case TPOT_DISAGGREGATED_NODES -> 56;
            case TTFT_DENSE -> 387;
            case TTFT_MOE, TTFT_MOE_OTHER -> 963;
            case TTFT_DISAGGREGATED -> 251;
        };
    }

    /// Returns the interval factors: one flag squares them, two or more square them twice.
    @Override
    public Factors factors(Coverage coverage, Set<Flag> flags) {
        return factors(coverage).widened(1 << Math.min(flags.size(), MOST_SQUARINGS));
    }

    @Override
    public String label(Coverage coverage, Set<Flag> flags) {
        return label();
    }

    @Override
    public BandBasis ofModel() {
        return this;
    }

    public Factors factors(Coverage coverage) {
        return switch (coverage) {
            case HALF -> half();
            case NINE_TENTHS -> nineTenths();
        };
    }

    /// Returns the quartiles.
    private Factors half() {
        return switch (this) {
            case TPOT_DENSE -> new Factors(0.96, 1.10);
            case TPOT_MOE -> new Factors(0.90, 1.11);
            case TPOT_DISAGGREGATED_ONE_NODE -> new Factors(0.89, 1.07);
            case TPOT_DISAGGREGATED_NODES -> new Factors(0.92, 1.15);
            case TTFT_DENSE -> new Factors(0.89, 1.26);
            case TTFT_MOE -> new Factors(0.85, 1.30);
            case TTFT_MOE_OTHER -> new Factors(0.83, 1.34);
            case TTFT_DISAGGREGATED -> new Factors(0.7, 2.0);
        };
    }

    /// Returns the 5% and 95% quantiles.
    private Factors nineTenths() {
        return switch (this) {
            case TPOT_DENSE -> new Factors(0.89, 1.26);
            case TPOT_MOE -> new Factors(0.77, 1.39);
            case TPOT_DISAGGREGATED_ONE_NODE -> new Factors(0.76, 1.30);
            case TPOT_DISAGGREGATED_NODES -> new Factors(0.70, 1.78);
            case TTFT_DENSE -> new Factors(0.77, 1.84);
            case TTFT_MOE -> new Factors(0.67, 2.74);
            case TTFT_MOE_OTHER -> new Factors(0.40, 3.08);
            case TTFT_DISAGGREGATED -> new Factors(0.2, Double.POSITIVE_INFINITY);
        };
    }

    /// Returns the name in results, such as `tpot/dense`.
    public String label() {
        return label;
    }

    /// Returns the basis of the TPOT of aggregated instances.
    public static BandBasis tpot(ModelArchitecture model) {
        return hasBandsOfExperts(model) ? TPOT_MOE : TPOT_DENSE;
    }

    /// Returns the basis of the TTFT of aggregated instances.
    public static BandBasis ttft(ModelArchitecture model) {
        if (!hasBandsOfExperts(model)) {
            return TTFT_DENSE;
        }
        return MEASURED_WITH_EXPERTS.contains(model.family()) ? TTFT_MOE : TTFT_MOE_OTHER;
    }

    /// Returns whether the intervals of models with experts apply; they also cover recurrent and selecting
    /// attention without experts, whose servers were not measured.
    private static boolean hasBandsOfExperts(ModelArchitecture model) {
        return model.experts().isPresent() || Evidence.of(model) != Evidence.ALL_ENGINES;
    }

    /// Returns the basis of the TPOT of disaggregated decode instances.
    public static BandBasis disaggregatedTpot(CalibratedDeployment decode) {
        int ranks = decode.layout().deviceCount();
        return decode.calibration().peaks().links().crossNodes(ranks)
                ? TPOT_DISAGGREGATED_NODES
                : TPOT_DISAGGREGATED_ONE_NODE;
    }
}

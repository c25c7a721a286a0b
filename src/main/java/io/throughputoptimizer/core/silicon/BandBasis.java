package io.throughputoptimizer.core.silicon;

import io.throughputoptimizer.core.model.ModelArchitecture;
import java.util.Locale;
import java.util.Set;

/// Serving figures whose errors were measured together: quantiles of measured over predicted,
/// every model with the same weight. Of figures with fitted scalars behind them those with each
/// model left out of the fit count too, and the outer end holds.
public enum BandBasis implements Spread {
    TPOT_DENSE,
    TPOT_MOE,
    /// Decode instances within the domain of the link.
    TPOT_DISAGGREGATED_ONE_NODE,
    /// Larger ones.
    TPOT_DISAGGREGATED_NODES,
    TTFT_DENSE,
    /// Models of the types that were measured.
    TTFT_MOE,
    /// Other models with experts: each measured one left out of the fit.
    TTFT_MOE_OTHER,
    TTFT_DISAGGREGATED;

    private static final int MOST_SQUARINGS = 2;

    /// Every band of every probe says it.
    private final String label = name().toLowerCase(Locale.ROOT).replaceFirst("_", "/");

    /// Those of Kimi-K2.5 have a decoder of Kimi-K2 or DeepSeek-V3.
    private static final Set<String> MEASURED_WITH_EXPERTS =
            Set.of("deepseek_v3", "gpt_oss", "kimi_k2", "kimi_k25", "minimax_m2");

    /// Ends of a band as multiples of the figure.
    ///
    /// @param high infinite where there is no end
    public record Factors(double low, double high) {
        /// How far apart they are.
        public double ratio() {
            return high / low;
        }

        /// Both ends to that power.
        private Factors widened(double power) {
            return new Factors(Math.pow(low, power), Math.pow(high, power));
        }
    }

    /// Share of measured figures that a band holds.
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

    /// Measured servers behind the quantiles.
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

    /// A flag squares the ends, two or more square them twice.
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

    /// The quartiles.
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

    /// The 5 % and 95 % quantiles.
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

    /// Name in results, such as `tpot/dense`.
    public String label() {
        return label;
    }

    /// TPOT of instances that do both phases.
    public static BandBasis tpot(ModelArchitecture model) {
        return hasBandsOfExperts(model) ? TPOT_MOE : TPOT_DENSE;
    }

    /// TTFT of instances that do both phases.
    public static BandBasis ttft(ModelArchitecture model) {
        if (!hasBandsOfExperts(model)) {
            return TTFT_DENSE;
        }
        return MEASURED_WITH_EXPERTS.contains(model.family()) ? TTFT_MOE : TTFT_MOE_OTHER;
    }

    /// The same bands hold for recurrent and selecting attention without experts, whose servers
    /// were not measured.
    private static boolean hasBandsOfExperts(ModelArchitecture model) {
        return model.experts().isPresent() || Evidence.of(model) != Evidence.ALL_ENGINES;
    }

    /// TPOT of decode instances that do nothing else.
    public static BandBasis disaggregatedTpot(SiliconDeployment decode) {
        int ranks = decode.layout().deviceCount();
        return decode.calibration().peaks().links().crossNodes(ranks)
                ? TPOT_DISAGGREGATED_NODES
                : TPOT_DISAGGREGATED_ONE_NODE;
    }
}

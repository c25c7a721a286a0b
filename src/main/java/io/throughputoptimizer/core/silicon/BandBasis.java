package io.throughputoptimizer.core.silicon;

import io.throughputoptimizer.core.model.ModelArchitecture;
import java.util.Locale;
import java.util.Set;

/// Serving figures whose errors were measured together: quantiles of measured over predicted, on models that were left
/// out of the fit, every model with the same weight.
public enum BandBasis implements Spread {
    TPOT_DENSE,
    TPOT_MOE,
    /// Decode instances within the domain of the link.
    TPOT_DISAGGREGATED_ONE_NODE,
    /// Larger ones.
    TPOT_DISAGGREGATED_NODES,
    TTFT_DENSE,
    TTFT_MOE,
    TTFT_DISAGGREGATED;

    private static final int MOST_SQUARINGS = 2;

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
            case TTFT_MOE -> 963;
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
            case TPOT_DENSE -> new Factors(0.97, 1.12);
            case TPOT_MOE -> new Factors(0.90, 1.12);
            case TPOT_DISAGGREGATED_ONE_NODE -> new Factors(0.89, 1.07);
            case TPOT_DISAGGREGATED_NODES -> new Factors(0.92, 1.15);
            case TTFT_DENSE -> new Factors(0.93, 1.28);
            case TTFT_MOE -> new Factors(0.76, 1.36);
            case TTFT_DISAGGREGATED -> new Factors(0.7, 2.0);
        };
    }

    /// The 5 % and 95 % quantiles.
    private Factors nineTenths() {
        return switch (this) {
            case TPOT_DENSE -> new Factors(0.90, 1.35);
            case TPOT_MOE -> new Factors(0.78, 1.40);
            case TPOT_DISAGGREGATED_ONE_NODE -> new Factors(0.76, 1.30);
            case TPOT_DISAGGREGATED_NODES -> new Factors(0.70, 1.78);
            case TTFT_DENSE -> new Factors(0.81, 1.90);
            case TTFT_MOE -> new Factors(0.54, 4.1);
            case TTFT_DISAGGREGATED -> new Factors(0.2, Double.POSITIVE_INFINITY);
        };
    }

    /// Name in results, such as `tpot/dense`.
    public String label() {
        return name().toLowerCase(Locale.ROOT).replaceFirst("_", "/");
    }

    /// TPOT of instances that do both phases.
    public static BandBasis tpot(ModelArchitecture model) {
        return model.experts().isPresent() ? TPOT_MOE : TPOT_DENSE;
    }

    /// TTFT of instances that do both phases.
    public static BandBasis ttft(ModelArchitecture model) {
        return model.experts().isPresent() ? TTFT_MOE : TTFT_DENSE;
    }

    /// TPOT of decode instances that do nothing else.
    public static BandBasis disaggregatedTpot(SiliconDeployment decode) {
        int ranks = decode.layout().deviceCount();
        return decode.calibration().peaks().links().crossNodes(ranks)
                ? TPOT_DISAGGREGATED_NODES
                : TPOT_DISAGGREGATED_ONE_NODE;
    }
}

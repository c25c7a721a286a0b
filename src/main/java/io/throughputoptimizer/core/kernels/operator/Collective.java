package io.throughputoptimizer.core.kernels.operator;

import static io.throughputoptimizer.core.kernels.operator.Times.us;

import io.throughputoptimizer.core.kernels.calibration.ParameterSet;
import java.util.Locale;

/// A collective of `n` ranks on the full tensor of `M` bytes: the input of an all-reduce or reduce-scatter, the
/// output of an all-gather, or the bytes that one rank sends in an all-to-all. The wire of one rank carries
///
/// ```
/// wire = M 2 (n-1)/n                       all-reduce
///      = M min(2 (n-1)/n, 1 + 1/n)         all-reduce where switches reduce
///      = M (n-1)/n                         the others
/// ```
///
/// at the rate of the link, or between nodes where the group is larger than the domain of the
/// link. An all-reduce within the domain is an [AllReduce] where those of the device were
/// measured apart.
public sealed interface Collective permits Collective.Measured, Collective.Generic, AllReduce.Tabled, AllReduce.Form {
    /// Returns the microseconds of a tensor of that size.
    double microseconds(double bytes);

    /// Operation on the tensor.
    enum Kind {
        ALL_REDUCE,
        ALL_GATHER,
        REDUCE_SCATTER,
        ALLTOALL;

        /// Returns the name in a calibration.
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }

        /// Returns the share of the tensor that passes the wire of one of `ranks`.
        double wireShare(double ranks, boolean inSwitchReduction) {
            double ring = (ranks - 1) / ranks;
            return switch (this) {
                case ALL_REDUCE -> inSwitchReduction ? Math.min(2 * ring, 1 + 1 / ranks) : 2 * ring;
                case ALL_GATHER, REDUCE_SCATTER, ALLTOALL -> ring;
            };
        }
    }

    /// ```
    /// lat  = latency_us + latency_per_rank_us n
    /// time = min(lat + us(wire, link * small_efficiency), lat + switch_us + us(wire, link * large_efficiency))
    /// ```
    ///
    /// @param wireShare bytes on the wire per byte of the tensor
    record Measured(double wireShare, double latencyUs, double smallRate, double switchUs, double largeRate)
            implements Collective {
        static Measured of(double wireShare, double link, ParameterSet set, double ranks) {
            return new Measured(
                    wireShare,
                    set.get("latency_us") + set.get("latency_per_rank_us") * ranks,
                    link * set.get("small_efficiency"),
                    set.get("switch_us"),
                    link * set.get("large_efficiency"));
        }

        @Override
        public double microseconds(double bytes) {
            double wire = bytes * wireShare;
            return latencyUs + Math.min(us(wire, smallRate), switchUs + us(wire, largeRate));
        }
    }

    /// `us(wire, 0.8 link) + 5`
    ///
    /// @param wireShare bytes on the wire per byte of the tensor
    record Generic(double wireShare, double linkRate) implements Collective {
        private static final double LATENCY_US = 5;

        @Override
        public double microseconds(double bytes) {
            return us(bytes * wireShare, linkRate) + LATENCY_US;
        }
    }
}

package io.throughputoptimizer.core.portfolio;

import java.util.List;

/// Solution of a [Portfolio].
///
/// @param outcome whether all needs are served
/// @param assigned units of each service: of the whole day, or for hourly assignment the maximum over the hours
/// @param hours hours of the day, the first from midnight
/// @param cost cost of devices for a day: assigned devices, or for hourly assignment running devices
/// @param served sum of the services' weights times the served shares of their demand
/// @param kinds plans of the kinds of devices, in the order of the stock
/// @param enough cheapest additional devices that would serve all needs; empty if all are served or no devices
///     suffice. For hourly assignment sufficient, but not always the cheapest
public record PortfolioPlan(
        Portfolio portfolio,
        Outcome outcome,
        Counts assigned,
        List<Hour> hours,
        Proven cost,
        Proven served,
        List<KindPlan> kinds,
        List<More> enough) {

    /// Extent to which the stock serves the demand.
    public enum Outcome {
        /// All demand, including its headroom.
        SERVED,
        /// Less than all demand.
        SHORT,
        /// Fewer than the required replicas.
        REPLICAS_MISSING
    }

    /// A figure of a plan, and a bound on that of any plan.
    ///
    /// @param bound proven bound: no plan costs less, or serves more
    public record Proven(double value, double bound) {
        /// Returns `|value - bound| / value`; 0 if both are equal.
        public double gap() {
            double between = Math.abs(value - bound);
            return between == 0 ? 0 : value == 0 ? Double.POSITIVE_INFINITY : between / Math.abs(value);
        }
    }

    /// An hour of the day.
    ///
    /// @param running running units of each service
    /// @param served served share of each service's demand including its headroom; 1 without demand
    public record Hour(Counts running, List<Double> served) {
        public Hour {
            served = List.copyOf(served);
        }
    }

    /// Use of a kind of device.
    ///
    /// @param used assigned devices; for hourly assignment the maximum over the hours
    /// @param worth value of one more device or node, by solving again
    /// @param alone additional devices of this kind alone that would serve all needs
    public record KindPlan(String name, int used, Worth worth, Alone alone) {}

    /// Value per day of one more device or node.
    ///
    /// @param devices devices added
    /// @param saved reduction of the cost
    /// @param gained increase of the served value, in weights
    /// @param isProven whether the value is proven to be the maximum
    public record Worth(int devices, double saved, double gained, boolean isProven) {}

    /// Additional devices of one kind that would serve all needs.
    public sealed interface Alone {}

    /// All needs are served already.
    public record NoneMissing() implements Alone {}

    /// A sufficient number of devices.
    ///
    /// @param devices sufficient number of devices
    /// @param isProven whether fewer devices are proven insufficient
    public record Missing(int devices, boolean isProven) implements Alone {}

    /// No number of devices suffices.
    public record NoHelp() implements Alone {}

    /// Time was up before a solution was found.
    public record Unknown() implements Alone {}

    /// Devices beyond the stock.
    public record More(String name, int devices) {}

    public PortfolioPlan {
        hours = List.copyOf(hours);
        kinds = List.copyOf(kinds);
        enough = List.copyOf(enough);
    }
}

package io.throughputoptimizer.core.portfolio;

import java.util.List;

/// The answer to a [Portfolio].
///
/// @param outcome whether all is served
/// @param assigned units of each service: those that it has all day, or of an assignment by the hour the most of any
///     hour
/// @param hours of the day, the first from midnight
/// @param cost of devices for a day: of those that are assigned, or of an assignment by the hour of those that run
/// @param served weights of services times the shares of their demand that are served
/// @param kinds of the stock, in its order
/// @param enough what of the stock together, at the least price, would serve all; empty where all is served or nothing
///     would do. Of an assignment by the hour it would do, and is not always the least
public record PortfolioPlan(
        Portfolio portfolio,
        Outcome outcome,
        Counts assigned,
        List<Hour> hours,
        Proven cost,
        Proven served,
        List<KindPlan> kinds,
        List<More> enough) {

    /// How far a stock reaches.
    public enum Outcome {
        /// All demand, with its headroom.
        SERVED,
        /// Less than that.
        SHORT,
        /// Not even the replicas that must run.
        REPLICAS_MISSING
    }

    /// A figure of a plan, and the best that any plan may have.
    ///
    /// @param bound no plan has less cost, or serves more
    public record Proven(double value, double bound) {
        /// `|value - bound| / value`; 0 of nothing.
        public double gap() {
            double between = Math.abs(value - bound);
            return between == 0 ? 0 : value == 0 ? Double.POSITIVE_INFINITY : between / Math.abs(value);
        }
    }

    /// An hour of the day.
    ///
    /// @param running units of each service
    /// @param served share of the demand of each service that they serve with its headroom; 1 where there is none
    public record Hour(Counts running, List<Double> served) {
        public Hour {
            served = List.copyOf(served);
        }
    }

    /// A kind of device.
    ///
    /// @param used that are assigned, of an assignment by the hour in the hour that has most
    /// @param worth of one more, by solving again
    /// @param alone how many more of it alone would serve all
    public record KindPlan(String name, int used, Worth worth, Alone alone) {}

    /// What one more device, or node, is worth a day.
    ///
    /// @param devices that were added
    /// @param saved of the cost
    /// @param gained of what is served, in weights
    /// @param isProven whether it is worth no more than that
    public record Worth(int devices, double saved, double gained, boolean isProven) {}

    /// How many more devices of one kind would serve all.
    public sealed interface Alone {}

    /// Nothing is missing.
    public record NoneMissing() implements Alone {}

    /// @param devices so many would do
    /// @param isProven whether fewer would not
    public record Missing(int devices, boolean isProven) implements Alone {}

    /// No number would do.
    public record NoHelp() implements Alone {}

    /// Time was up before anybody knew.
    public record Unknown() implements Alone {}

    /// Devices besides the stock.
    public record More(String name, int devices) {}

    public PortfolioPlan {
        hours = List.copyOf(hours);
        kinds = List.copyOf(kinds);
        enough = List.copyOf(enough);
    }
}

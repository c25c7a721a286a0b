package io.throughputoptimizer.core.search;

import io.throughputoptimizer.core.search.space.Candidate;
import io.throughputoptimizer.core.serving.Figures;
import io.throughputoptimizer.core.workload.Phase;
import java.util.Map;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/// Objective that plans are ranked by. Ties are ordered by tokens per second, or for P:D ratios by balanced
/// requests per second.
public sealed interface Objective {
    /// Returns the default objective, tokens per second.
    static Objective usual() {
        return new TokensPerSecond();
    }

    /// Tokens per second of the plan.
    record TokensPerSecond() implements Objective {}

    /// Tokens per second divided by the busy devices.
    record TokensPerSecondPerDevice() implements Objective {}

    /// Tokens per second of one user, `1000 / TPOT`.
    ///
    /// @param leastConcurrency minimum concurrency of a plan
    record TokensPerSecondPerUser(int leastConcurrency) implements Objective {
        public TokensPerSecondPerUser {
            if (leastConcurrency < 1) {
                throw new IllegalArgumentException(
                        "least concurrency is " + leastConcurrency + ": at least 1 is needed");
            }
        }
    }

    /// Cost per million tokens, `price * 10^6 / 3600 * devices / (tokens/s)`, in the currency of the price;
    /// lower is better.
    ///
    /// @param pricePerDeviceHour price of a device for an hour, by name of the kind of device
    /// @param currency currency of the prices; a label
    record CostPerMillionTokens(
            Map<String, Double> pricePerDeviceHour,
            @Nullable String currency) implements Objective {
        private static final double SECONDS_PER_HOUR = 3600;
        private static final double MILLION = 1e6;

        public CostPerMillionTokens {
            pricePerDeviceHour = Map.copyOf(pricePerDeviceHour);
        }

        private double of(Delivered delivered) {
            double cost = 0;
            for (Map.Entry<String, Double> spent : delivered.deviceSecondsPerToken.entrySet()) {
                cost += price(spent.getKey()) * MILLION / SECONDS_PER_HOUR * spent.getValue();
            }
            return cost;
        }

        /// Returns the price of one device for an hour.
        double price(String device) {
            Double price = pricePerDeviceHour.get(device);
            if (price == null) {
                throw new IllegalArgumentException("no price of " + device);
            }
            return price;
        }
    }

    /// Throughput and latency of a plan.
    ///
    /// @param deviceSecondsPerToken busy devices divided by tokens per second, by kind of device
    /// @param tpotMillis TPOT; absent if no tokens are generated
    record Delivered(
            Map<String, Double> deviceSecondsPerToken,
            double tokensPerSecond,
            double tokensPerSecondPerDevice,
            @Nullable Double tpotMillis) {
        static Delivered of(ResultRow row) {
            Figures figures = row.figures();
            return new Delivered(
                    Map.of(
                            row.candidate().deployment().device().name(),
                            row.layout().deviceCount() / figures.tokensPerSecond()),
                    figures.tokensPerSecond(),
                    figures.tokensPerSecondPerDevice(),
                    figures.tpotMillis());
        }

        static Delivered of(SearchPoint point) {
            Candidate candidate = point.candidate();
            int devices = candidate.layout().deviceCount();
            double rate = point.figures().tokensPerSecond();
            return new Delivered(
                    Map.of(candidate.deployment().device().name(), devices / rate),
                    rate,
                    rate / devices,
                    point.figures().tpotMillis());
        }

        private double tpotOrInfinity() {
            return tpotMillis == null ? Double.POSITIVE_INFINITY : tpotMillis;
        }
    }

    /// Returns the objective of a phase. Prefill generates no tokens for a user, so it is ranked by tokens per
    /// second instead.
    default Objective in(Phase phase) {
        return phase == Phase.PREFILL && this instanceof TokensPerSecondPerUser ? usual() : this;
    }

    /// Returns the minimum concurrency of a plan.
    default int leastConcurrency() {
        return this instanceof TokensPerSecondPerUser(int least) ? least : 1;
    }

    /// Returns whether fewer requests are better within a layout.
    default boolean prefersFewRequests() {
        return this instanceof TokensPerSecondPerUser;
    }

    /// Returns whether the objective is per device, or a cost of devices.
    default boolean countsDevices() {
        return this instanceof TokensPerSecondPerDevice || isCost();
    }

    /// Returns whether the objective is a cost, so that lower is better.
    default boolean isCost() {
        return this instanceof CostPerMillionTokens;
    }

    /// Returns the sort key of a plan; the best plan has the lowest key.
    default double order(Delivered delivered) {
        return switch (this) {
            case TokensPerSecond() -> -delivered.tokensPerSecond;
            case TokensPerSecondPerDevice() -> -delivered.tokensPerSecondPerDevice;
            case TokensPerSecondPerUser(var _) -> delivered.tpotOrInfinity();
            case CostPerMillionTokens cost -> cost.of(delivered);
        };
    }

    /// Returns the objective's value; empty if it is infinite.
    default OptionalDouble value(Delivered delivered) {
        double value = switch (this) {
            case TokensPerSecond() -> delivered.tokensPerSecond;
            case TokensPerSecondPerDevice() -> delivered.tokensPerSecondPerDevice;
            case TokensPerSecondPerUser(var _) ->
                delivered.tpotMillis == null ? Double.NaN : 1000 / delivered.tpotMillis;
            case CostPerMillionTokens cost -> cost.of(delivered);
        };
        return Double.isFinite(value) ? OptionalDouble.of(value) : OptionalDouble.empty();
    }

    /// Returns the objective's value of a point.
    default OptionalDouble value(SearchPoint point) {
        return value(Delivered.of(point));
    }

    /// Returns the objective's value of a row.
    default OptionalDouble value(ResultRow row) {
        return value(Delivered.of(row));
    }
}

package io.throughputoptimizer.core.search;

import io.throughputoptimizer.core.search.space.Candidate;
import io.throughputoptimizer.core.workload.Phase;
import java.util.Map;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/// What plans are ranked by. Of plans that are equal by it the usual order decides: more tokens per second first, or
/// more balanced requests per second.
public sealed interface Objective {
    /// Most tokens per second: the usual one.
    static Objective usual() {
        return new TokensPerSecond();
    }

    /// Tokens per second of the plan.
    record TokensPerSecond() implements Objective {}

    /// Tokens per second divided by the devices that work.
    record TokensPerSecondPerDevice() implements Objective {}

    /// `1000 / TPOT`: tokens a second that one user sees.
    ///
    /// @param leastConcurrency requests that a plan must serve at once
    record TokensPerSecondPerUser(int leastConcurrency) implements Objective {
        public TokensPerSecondPerUser {
            if (leastConcurrency < 1) {
                throw new IllegalArgumentException(
                        "least concurrency is " + leastConcurrency + ": at least 1 is needed");
            }
        }
    }

    /// `price * 10^6 / 3600 * devices / (tokens/s)`, in the currency of the price; the lower the better.
    ///
    /// @param pricePerDeviceHour by name of the kind of device
    /// @param currency what the prices are in; a label
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

        /// Of one device for an hour.
        double price(String device) {
            Double price = pricePerDeviceHour.get(device);
            if (price == null) {
                throw new IllegalArgumentException("no price of " + device);
            }
            return price;
        }
    }

    /// What a plan delivers.
    ///
    /// @param deviceSecondsPerToken by kind of device: those that work divided by tokens per second
    /// @param tpotMillis absent where no tokens are generated
    record Delivered(
            Map<String, Double> deviceSecondsPerToken,
            double tokensPerSecond,
            double tokensPerSecondPerDevice,
            @Nullable Double tpotMillis) {
        /// On devices of one kind.
        public Delivered(
                String device,
                double tokensPerSecond,
                double tokensPerSecondPerDevice,
                double deviceSecondsPerToken,
                @Nullable Double tpotMillis) {
            this(Map.of(device, deviceSecondsPerToken), tokensPerSecond, tokensPerSecondPerDevice, tpotMillis);
        }

        static Delivered of(ResultRow row) {
            ResultRow.Figures figures = row.figures();
            return new Delivered(
                    row.candidate().deployment().device().name(),
                    figures.tokensPerSecond(),
                    figures.tokensPerSecondPerDevice(),
                    row.layout().deviceCount() / figures.tokensPerSecond(),
                    figures.tpotMillis());
        }

        static Delivered of(SearchPoint point) {
            Candidate candidate = point.candidate();
            int devices = candidate.layout().deviceCount();
            double rate = point.tokensPerSecond();
            return new Delivered(
                    candidate.deployment().device().name(), rate, rate / devices, devices / rate, point.tpotMillis());
        }

        private double tpotOrInfinity() {
            return tpotMillis == null ? Double.POSITIVE_INFINITY : tpotMillis;
        }
    }

    /// What it means in a phase: prefill generates nothing that a user waits for token by token, and goes by its
    /// tokens per second there.
    default Objective in(Phase phase) {
        return phase == Phase.PREFILL && this instanceof TokensPerSecondPerUser ? usual() : this;
    }

    /// Requests that a plan must serve at once.
    default int leastConcurrency() {
        return this instanceof TokensPerSecondPerUser(int least) ? least : 1;
    }

    /// Whether within a layout fewer requests at once are better.
    default boolean prefersFewRequests() {
        return this instanceof TokensPerSecondPerUser;
    }

    /// Whether the figure is per device, or the price of some.
    default boolean countsDevices() {
        return this instanceof TokensPerSecondPerDevice || isCost();
    }

    /// Whether the figure counts what is to be spared.
    default boolean isCost() {
        return this instanceof CostPerMillionTokens;
    }

    /// By which plans are sorted, the best first.
    default double order(Delivered delivered) {
        return switch (this) {
            case TokensPerSecond() -> -delivered.tokensPerSecond;
            case TokensPerSecondPerDevice() -> -delivered.tokensPerSecondPerDevice;
            case TokensPerSecondPerUser(var _) -> delivered.tpotOrInfinity();
            case CostPerMillionTokens cost -> cost.of(delivered);
        };
    }

    /// The figure itself; empty where it is infinite.
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

    /// The figure of a point.
    default OptionalDouble value(SearchPoint point) {
        return value(Delivered.of(point));
    }

    /// The figure of a row.
    default OptionalDouble value(ResultRow row) {
        return value(Delivered.of(row));
    }
}

package io.throughputoptimizer.core.capacity;

import java.util.Optional;

/// Latency laws of autoscalers, from two loads of an instance. Times are in milliseconds.
public final class AutoscalerLaws {
    private static final double MILLIS = 1000;

    private AutoscalerLaws() {}

    /// A figure that grows linearly with the concurrency: `y(n) = alpha + beta n`.
    public record Line(double alpha, double beta) {
        /// Returns the line through the figures at two concurrencies; empty if these are equal.
        public static Optional<Line> through(double few, double atFew, double many, double atMany) {
            double beta = (atMany - atFew) / (many - few);
            return many > few ? Optional.of(new Line(atFew - beta * few, beta)) : Optional.empty();
        }

        public double at(double concurrency) {
            return alpha + beta * concurrency;
        }
    }

    /// The queueing model of llm-d's autoscaler, with `i` input and `o` output tokens of a request:
    ///
    ///     T(n)   = alpha + n (beta (i + o) / (o + 1) + gamma (i + o / 2))
    ///     TTFT   = T(n) + (beta + gamma) i + wait
    ///     ITL(n) = T(n) + beta + gamma (i + (o + 1) / 2)
    ///
    /// @param alpha time of a step without requests
    /// @param beta time to compute a token
    /// @param gamma time to read a token of the cache
    public record Queueing(double alpha, double beta, double gamma, double input, double output) {

        /// Returns the model that has a line as its ITL and takes `promptMillis` for a prompt alone; empty if a
        /// parameter is not positive.
        public static Optional<Queueing> of(Line itl, double promptMillis, double input, double output) {
            double both = promptMillis / input;
            double computed = (input + output) / (output + 1);
            double gamma = (itl.beta - computed * both) / (input + output / 2 - computed);
            double beta = both - gamma;
            double alpha = itl.alpha - beta - gamma * (input + (output + 1) / 2);
            return alpha > 0 && beta > 0 && gamma > 0
                    ? Optional.of(new Queueing(alpha, beta, gamma, input, output))
                    : Optional.empty();
        }
    }

    /// ITL by the used share `k` of the cache: `ITL(k) = A k + B` seconds.
    public record Throughput(double a, double b) {
        /// @param heldRequests requests that fill the cache
        public static Throughput of(Line itl, double heldRequests) {
            return new Throughput(itl.beta * heldRequests / MILLIS, itl.alpha / MILLIS);
        }
    }
}

package io.throughputoptimizer.core.capacity;

import java.math.BigDecimal;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// The demand on a deployment.
///
/// @param amount amount in the unit; above 0
/// @param headroom extra capacity as a fraction of the demand: 0.2 plans for 120%
/// @param outputTokens mean number of output tokens per request
public record Requirement(Unit unit, double amount, double headroom, double outputTokens) {

    /// Unit of a demand.
    public enum Unit {
        REQUESTS_PER_S,
        /// Output tokens per second.
        TOKENS_PER_S,
        /// Concurrent requests.
        CONCURRENCY,
        /// Open conversations, including those whose user thinks.
        CONVERSATIONS;

        /// Returns whether it counts concurrent requests or conversations, in whole numbers.
        public boolean isAtOnce() {
            return this == CONCURRENCY || this == CONVERSATIONS;
        }
    }

    public Requirement {
        if (!(amount > 0 && headroom >= 0 && outputTokens > 0)) {
            throw new IllegalArgumentException(
                    "a demand of " + amount + " with headroom " + headroom + " and " + outputTokens + " output tokens");
        }
    }

    /// Returns whether it counts concurrent requests.
    boolean isConcurrency() {
        return unit == Unit.CONCURRENCY;
    }

    /// Returns the demand without headroom: requests per second, which for output tokens is
    /// `amount / output tokens`, or concurrent requests or conversations.
    Ratio asked() {
        return switch (unit) {
            case REQUESTS_PER_S, CONCURRENCY, CONVERSATIONS -> Ratio.of(amount);
            case TOKENS_PER_S -> Ratio.of(amount, outputTokens);
        };
    }

    /// `1 + headroom`
    Ratio reserve() {
        return new Ratio(BigDecimal.ONE.add(BigDecimal.valueOf(headroom)), BigDecimal.ONE);
    }

    /// Returns the demand with headroom: `asked * (1 + headroom)`.
    Ratio planned() {
        return asked().times(reserve());
    }

    /// Returns the largest requirement whose demand with headroom is at most `planned`. Concurrency is rounded
    /// down to a whole number.
    Requirement upTo(Ratio planned) {
        Ratio most = planned.dividedBy(reserve());
        if (unit.isAtOnce()) {
            return with(Math.floor(most.floored()));
        }
        return with(
                unit == Unit.TOKENS_PER_S ? most.times(Ratio.of(outputTokens)).floored() : most.floored());
    }

    /// Returns [#upTo], or empty if that is less than one concurrent request.
    Optional<Requirement> reaching(Ratio planned) {
        return unit.isAtOnce() && planned.compareTo(reserve()) < 0 ? Optional.empty() : Optional.of(upTo(planned));
    }

    /// Returns requirements of equal parts of an amount, smallest first; empty if the amount is 0.
    Stream<Requirement> parts(double last, int count) {
        return IntStream.rangeClosed(1, last > 0 ? count : 0).mapToObj(part -> with(last * part / count));
    }

    /// Returns a copy with another amount.
    public Requirement with(double other) {
        return new Requirement(unit, other, headroom, outputTokens);
    }
}

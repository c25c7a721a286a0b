package io.throughputoptimizer.core.capacity;

import java.math.BigDecimal;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// What a deployment is to serve.
///
/// @param amount in the unit; above 0
/// @param headroom share that is planned for besides: 0.2 plans for 1.2 times as much
/// @param outputTokens tokens generated per request in the mean
public record Requirement(Unit unit, double amount, double headroom, double outputTokens) {

    /// What a demand counts.
    public enum Unit {
        REQUESTS_PER_S,
        /// Output tokens.
        TOKENS_PER_S,
        /// Requests at once.
        CONCURRENCY,
        /// Conversations that are open at once: those whose request is outstanding, and those whose user thinks.
        CONVERSATIONS;

        /// Whether it counts what there is at once, in whole numbers.
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

    /// Whether it counts requests at once.
    boolean isConcurrency() {
        return unit == Unit.CONCURRENCY;
    }

    /// What is asked for: requests a second, where output tokens are counted `amount / output tokens`; or requests or
    /// conversations at once.
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

    /// What is planned for: `asked * (1 + headroom)`.
    Ratio planned() {
        return asked().times(reserve());
    }

    /// The same demand for as much as so many planned requests a second or at once are, rounded down;
    /// requests at once are whole.
    Requirement upTo(Ratio planned) {
        Ratio most = planned.dividedBy(reserve());
        if (unit.isAtOnce()) {
            return with(Math.floor(most.floored()));
        }
        return with(
                unit == Unit.TOKENS_PER_S ? most.times(Ratio.of(outputTokens)).floored() : most.floored());
    }

    /// The same demand for as much as [#upTo]; empty where that is not one request at once.
    Optional<Requirement> reaching(Ratio planned) {
        return unit.isAtOnce() && planned.compareTo(reserve()) < 0 ? Optional.empty() : Optional.of(upTo(planned));
    }

    /// The same demand for equal parts of an amount, the least first; none of nothing.
    Stream<Requirement> parts(double last, int count) {
        return IntStream.rangeClosed(1, last > 0 ? count : 0).mapToObj(part -> with(last * part / count));
    }

    /// The same demand for another amount.
    public Requirement with(double other) {
        return new Requirement(unit, other, headroom, outputTokens);
    }
}

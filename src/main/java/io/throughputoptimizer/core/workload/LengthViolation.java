package io.throughputoptimizer.core.workload;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// A validation rule that bins of a length distribution violate.
///
/// @param rule violated rule
/// @param bin bin at fault; absent if the distribution as a whole is at fault
/// @param message field, value and rule, for people
public record LengthViolation(Rule rule, @Nullable Position bin, String message) {

    /// Rules in the order in which they are checked on each bin.
    public enum Rule {
        NO_BINS("bins"),
        NEGATIVE_LENGTH("min_tokens"),
        EMPTY_OR_INVERTED("max_tokens"),
        WEIGHT_NOT_POSITIVE("weight"),
        OVERLAP("min_tokens");

        private final String field;

        Rule(String field) {
            this.field = field;
        }

        /// Returns the name of the field at fault, as in files and requests.
        public String field() {
            return field;
        }
    }

    /// Position of a bin.
    ///
    /// @param sorted index after a stable sort by shortest input, which messages show
    /// @param given index in the list as given
    public record Position(int sorted, int given) {}

    /// Returns the first violated rule over the bins sorted by their shortest input; empty if the bins are
    /// valid.
    static Optional<LengthViolation> first(List<LengthBin> bins) {
        if (bins.isEmpty()) {
            return Optional.of(
                    new LengthViolation(Rule.NO_BINS, null, "bins is empty: at least one length bin is needed"));
        }
        List<Integer> order = IntStream.range(0, bins.size())
                .boxed()
                .sorted(Comparator.comparingInt(given -> bins.get(given).minTokens()))
                .toList();
        @Nullable LengthBin previous = null;
        for (int sorted = 0; sorted < order.size(); sorted++) {
            Position position = new Position(sorted, order.get(sorted));
            LengthBin bin = bins.get(position.given());
            Optional<LengthViolation> violation = broken(bin, previous, position);
            if (violation.isPresent()) {
                return violation;
            }
            previous = bin;
        }
        return Optional.empty();
    }

    private static Optional<LengthViolation> broken(LengthBin bin, @Nullable LengthBin previous, Position position) {
        if (bin.minTokens() < 0) {
            return at(position, Rule.NEGATIVE_LENGTH, "must be at least 0, got " + bin.minTokens());
        }
        if (bin.maxTokens() <= bin.minTokens()) {
            return at(
                    position,
                    Rule.EMPTY_OR_INVERTED,
                    "must be greater than min_tokens (" + bin.minTokens() + "), got " + bin.maxTokens());
        }
        if (!(bin.weight() > 0) || Double.isInfinite(bin.weight())) {
            return at(position, Rule.WEIGHT_NOT_POSITIVE, "must be greater than 0, got " + bin.weight());
        }
        if (previous != null && bin.minTokens() < previous.maxTokens()) {
            return at(
                    position,
                    Rule.OVERLAP,
                    "is " + bin.minTokens() + ", below max_tokens of the bin before, " + previous.maxTokens()
                            + ": bins must not overlap");
        }
        return Optional.empty();
    }

    private static Optional<LengthViolation> at(Position position, Rule rule, String fault) {
        String message = "bin " + position.sorted() + " by min_tokens: " + rule.field() + " " + fault;
        return Optional.of(new LengthViolation(rule, position, message));
    }
}

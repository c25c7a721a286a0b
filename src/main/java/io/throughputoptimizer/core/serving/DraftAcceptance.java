package io.throughputoptimizer.core.serving;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Acceptance of draft tokens in multi-token prediction.
public sealed interface DraftAcceptance {
    DraftAcceptance NONE = new ByPosition(List.of());

    /// Returns why this acceptance does not cover `draftTokens`, or empty if it does.
    Optional<String> obstacle(int draftTokens);

    /// Tokens `A` that a decode step yields on average.
    double tokensPerStep(int draftTokens);

    /// Acceptance by position of the draft token, as in the reference.
    ///
    /// @param rates share of steps in which the n-th draft token is accepted, each in [0, 1]; tokens beyond
    ///     the list add nothing
    record ByPosition(List<Double> rates) implements DraftAcceptance {
        public ByPosition {
            rates = List.copyOf(rates);
            for (double rate : rates) {
                if (!(rate >= 0 && rate <= 1)) {
                    throw new IllegalArgumentException("acceptance rate is " + rate + ": a share in [0, 1] is needed");
                }
            }
        }

        /// One token more than there are rates may be drafted.
        @Override
        public Optional<String> obstacle(int draftTokens) {
            int most = rates.size() + 1;
            return draftTokens > most
                    ? Optional.of("is " + draftTokens + ": at most " + most + " with " + rates.size()
                            + " values in mtp_acceptance_rate")
                    : Optional.empty();
        }

        /// `A = sum(rates[0 : draftTokens]) + 1`.
        @Override
        public double tokensPerStep(int draftTokens) {
            double accepted = 0;
            for (double rate : rates.subList(0, Math.min(draftTokens, rates.size()))) {
                accepted += rate;
            }
            return accepted + 1;
        }
    }

    /// Measured acceptance by number of draft tokens.
    ///
    /// @param yields tokens per step, by number of draft tokens `n >= 1`; each in [1, n + 1]
    record ByCount(Map<Integer, Double> yields) implements DraftAcceptance {
        public ByCount {
            yields = Map.copyOf(yields);
            yields.forEach((drafts, tokens) -> {
                if (!(drafts > 0 && tokens >= 1 && tokens <= drafts + 1)) {
                    throw new IllegalArgumentException(drafts + " draft tokens yield " + tokens
                            + " tokens a step: from 1 to one more than are drafted is needed");
                }
            });
        }

        @Override
        public Optional<String> obstacle(int draftTokens) {
            return draftTokens == 0 || yields.containsKey(draftTokens)
                    ? Optional.empty()
                    : Optional.of("is " + draftTokens + ": mtp_acceptance says how much is accepted of "
                            + new TreeMap<>(yields)
                                    .keySet().stream().map(String::valueOf).collect(Collectors.joining(", ")));
        }

        @Override
        public double tokensPerStep(int draftTokens) {
            return draftTokens == 0 ? 1 : yields.getOrDefault(draftTokens, 1.0);
        }
    }
}

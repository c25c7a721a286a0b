package io.throughputoptimizer.core.serving;

import java.util.List;
import java.util.Optional;

/// How often the draft tokens of multi-token prediction are accepted.
///
/// @param rates share of steps in which the n-th draft token is accepted, each in [0, 1]; tokens beyond the list add
///     nothing
public record DraftAcceptance(List<Double> rates) {
    public static final DraftAcceptance NONE = new DraftAcceptance(List.of());

    public DraftAcceptance {
        rates = List.copyOf(rates);
        for (double rate : rates) {
            if (!(rate >= 0 && rate <= 1)) {
                throw new IllegalArgumentException("acceptance rate is " + rate + ": a share in [0, 1] is needed");
            }
        }
    }

    /// Why so many draft tokens cannot be judged by these rates; empty when they can. One token more than there are
    /// rates may be drafted.
    public Optional<String> obstacle(int draftTokens) {
        int most = rates.size() + 1;
        return draftTokens > most
                ? Optional.of("is " + draftTokens + ": at most " + most + " with " + rates.size()
                        + " values in mtp_acceptance_rate")
                : Optional.empty();
    }

    /// Tokens a decode step yields on average: `A = sum(rates[0 : draftTokens]) + 1`.
    public double tokensPerStep(int draftTokens) {
        double accepted = 0;
        for (double rate : rates.subList(0, Math.min(draftTokens, rates.size()))) {
            accepted += rate;
        }
        return accepted + 1;
    }
}

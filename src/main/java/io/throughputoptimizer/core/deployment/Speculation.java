package io.throughputoptimizer.core.deployment;

import java.util.List;
import java.util.Optional;

/// Multi-token prediction: draft tokens a decode step and how often each is accepted.
///
/// @param mtpTokens draft tokens, 0 for none
/// @param acceptanceRates share of steps in which the n-th draft token is accepted, each in [0, 1]; tokens
///     beyond the list add nothing
public record Speculation(int mtpTokens, List<Double> acceptanceRates) {
    public static final Speculation NONE = new Speculation(0, List.of());

    public Speculation {
        acceptanceRates = List.copyOf(acceptanceRates);
        if (mtpTokens < 0) {
            throw new IllegalArgumentException("mtp tokens is " + mtpTokens + ": at least 0 is needed");
        }
        for (double rate : acceptanceRates) {
            if (!(rate >= 0 && rate <= 1)) {
                throw new IllegalArgumentException("acceptance rate is " + rate + ": a share in [0, 1] is needed");
            }
        }
    }

    /// Why so many draft tokens cannot be judged by these rates; empty when they can. One token more than there are
    /// rates may be drafted.
    public Optional<String> obstacle() {
        int most = acceptanceRates.size() + 1;
        return mtpTokens > most
                ? Optional.of("is " + mtpTokens + ": at most " + most + " with " + acceptanceRates.size()
                        + " values in mtp_acceptance_rate")
                : Optional.empty();
    }

    /// Tokens a decode step yields on average: `A = sum(rates[0 : mtpTokens]) + 1`.
    public double tokensPerStep() {
        double accepted = 0;
        for (double rate : acceptanceRates.subList(0, Math.min(mtpTokens, acceptanceRates.size()))) {
            accepted += rate;
        }
        return accepted + 1;
    }

    /// Query length of a decode step: the next token and the draft tokens.
    public int decodeQueryLength() {
        return mtpTokens + 1;
    }
}

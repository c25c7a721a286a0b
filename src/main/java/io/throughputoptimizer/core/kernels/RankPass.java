package io.throughputoptimizer.core.kernels;

import io.throughputoptimizer.core.kernels.calibration.KernelUse;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Total work of the requests of one pass on one rank.
///
/// @param requests requests in the pass
/// @param newTokens tokens computed in it
/// @param cachedTokens tokens in the cache after it
/// @param attended cached tokens in decode, visible pairs of query and key in prefill
public record RankPass(Phase phase, double requests, double newTokens, double cachedTokens, double attended) {

    /// Equal requests.
    ///
    /// @param count number of requests
    /// @param newTokens new tokens of each; in decode 1, and one for each draft
    /// @param context tokens of each after the pass, new ones included
    public record Sequences(double count, double newTokens, double context) {
        /// Returns the visible pairs, `x c + x^2/2` for `x` tokens after `c` cached ones.
        private double pairs() {
            return count * newTokens * (context - newTokens / 2);
        }
    }

    /// Returns the pass of the given requests.
    public static RankPass of(Phase phase, List<Sequences> sequences) {
        double requests = 0;
        double newTokens = 0;
        double cached = 0;
        double pairs = 0;
        for (Sequences equal : sequences) {
            requests += equal.count;
            newTokens += equal.count * equal.newTokens;
            cached += equal.count * equal.context;
            pairs += equal.pairs();
        }
        double attended = switch (phase) {
            case DECODE -> cached;
            case PREFILL -> pairs;
        };
        return new RankPass(phase, requests, newTokens, cached, attended);
    }

    /// Returns the mean cached tokens of a request after the pass.
    public double context() {
        return cachedTokens / requests;
    }

    /// Returns whether prompts follow tokens that are already cached.
    boolean continuesPrompts() {
        return phase == Phase.PREFILL && cachedTokens > newTokens;
    }

    List<OperatorTime> operators(CalibratedPass pass) {
        return switch (phase) {
            case DECODE -> pass.decodeOperators(requests, attended);
            case PREFILL -> pass.prefillOperators(requests, newTokens, attended);
        };
    }

    /// Returns the parts of a drafting decode step; absent for other passes.
    Speculation.@Nullable StepParts stepParts(CalibratedPass pass) {
        return switch (phase) {
            case DECODE -> pass.stepParts(requests, attended);
            case PREFILL -> null;
        };
    }

    List<KernelUse> unexpectedUses(CalibratedPass pass) {
        return switch (phase) {
            case DECODE -> pass.unexpectedDecodeUses();
            case PREFILL -> pass.unexpectedPrefillUses();
        };
    }
}

package io.throughputoptimizer.core.search;

import io.throughputoptimizer.core.search.PdRatioRow.Side;
import io.throughputoptimizer.core.search.space.Candidate;
import io.throughputoptimizer.core.search.space.KvTransfer.Handover;
import io.throughputoptimizer.core.serving.LimitBreach;
import io.throughputoptimizer.core.workload.Limits;
import io.throughputoptimizer.core.workload.OutputLengths;
import io.throughputoptimizer.core.workload.Phase;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/// Pairs under a limit on whole answers, which a prefill and a decode instance keep together: `TTFT + transfer +
/// (output - 1) TPOT`, in the mean over outputs.
///
/// Under limits on TTFT and TPOT the best pair of two candidates is that of the best side of each. Here what one side
/// takes the other cannot: any side may be in the best pair that no other one of its candidate beats in rate and
/// latency. Of a prefill side the best partner is the best of those that are fast enough beside it, so that the best
/// of all prefill sides with theirs is the best of all pairs that keep the limit.
///
/// @param limitMillis finite
/// @param decodedTokens that decode instances generate per request in the mean, the first not counted
/// @param handovers what prefill hands over
public record WholeAnswers(double limitMillis, double decodedTokens, HandoverLimit handovers) {

    /// Absent without a limit.
    public static @Nullable WholeAnswers of(Limits limits, OutputLengths outputs, HandoverLimit handovers) {
        Double limit = limits.requestLatencyMillis();
        return limit == null || !limits.boundsAnswers() ? null : new WholeAnswers(limit, decoded(outputs), handovers);
    }

    /// Tokens of an answer after the first, in the mean.
    static double decoded(OutputLengths outputs) {
        return outputs.mean() - 1;
    }

    /// What to say of the time of an answer in one kind of instance.
    static String inPart(Phase phase) {
        return switch (phase) {
            case PREFILL -> " in prefill alone";
            case DECODE -> " in decode alone";
            case AGGREGATION -> "";
        };
    }

    /// Of a whole answer.
    double millis(Side prefill, Side decode) {
        return millis(prefill.latencyMillis(), decode.candidate(), decode.latencyMillis());
    }

    /// Of a whole answer: `ttft + transfer + decodedTokens * tpot`.
    ///
    /// @param ttftMillis of prefill alone
    /// @param decode to which the cache is handed over
    public double millis(double ttftMillis, Candidate decode, double tpotMillis) {
        Handover handover = handovers.of(decode);
        double ttft = handover == null ? ttftMillis : ttftMillis + handover.millis();
        return ttft + decodedTokens * tpotMillis;
    }

    boolean keeps(Side prefill, Side decode) {
        return millis(prefill, decode) <= limitMillis;
    }

    /// A phase without the candidates that no instance of the other phase is fast enough beside: they are rejected for
    /// that. Where the other phase has none at all it says why.
    ///
    /// @param own what each candidate of the phase offers
    /// @param others what those of the other phase offer
    PhaseResult among(PhaseResult phase, Collection<List<Side>> own, Collection<List<Side>> others) {
        Map<String, RejectedCandidate> alone = new LinkedHashMap<>();
        own.forEach(sides -> slowest(phase.phase(), sides.getFirst(), others)
                .ifPresent(rejected -> alone.put(rejected.candidate().label(), rejected)));
        return alone.isEmpty() ? phase : phase.without(alone);
    }

    /// Why the fastest side of a candidate is too slow for the fastest other; empty where it is not.
    private Optional<RejectedCandidate> slowest(Phase phase, Side side, Collection<List<Side>> others) {
        boolean prefills = phase == Phase.PREFILL;
        return others.stream()
                .map(List::getFirst)
                .filter(other -> prefills
                        ? side.candidate().hands(other.candidate())
                        : other.candidate().hands(side.candidate()))
                .min(Comparator.comparingDouble(Side::latencyMillis))
                .filter(other -> !(prefills ? keeps(side, other) : keeps(other, side)))
                .map(other -> RejectedCandidate.of(
                        side.candidate(),
                        side.batchSize(),
                        new LimitBreach.RequestLatencyExceeded(
                                prefills ? millis(side, other) : millis(other, side), limitMillis),
                        besideFastest(phase, other.latencyMillis())));
    }

    /// What to say of an answer that is too long even where the other phase takes least.
    ///
    /// @param phase that is spoken of
    /// @param otherMillis latency of the other one
    public static String besideFastest(Phase phase, double otherMillis) {
        return phase == Phase.PREFILL
                ? " beside the fastest decode, TPOT " + otherMillis + " ms"
                : " beside the fastest prefill, TTFT " + otherMillis + " ms";
    }

    /// Sides of one candidate that no other one of it beats, by rising latency and rate.
    ///
    /// @param order puts the higher rate first, of equal ones the lower latency
    static List<Side> unbeaten(List<Side> sides, Comparator<Side> order) {
        List<Side> unbeaten = new ArrayList<>();
        double least = Double.POSITIVE_INFINITY;
        for (Side side : sides.stream().sorted(order).toList()) {
            if (side.latencyMillis() < least) {
                unbeaten.add(side);
                least = side.latencyMillis();
            }
        }
        return unbeaten.reversed();
    }

    /// The best pair of two candidates that keeps the limit; empty where none does.
    ///
    /// @param prefill unbeaten sides of one
    /// @param decode unbeaten sides of the other
    /// @param fewest whether of decode sides that with the lowest latency is best, instead of the highest rate
    /// @param pair two sides as they go together; empty where they do not
    /// @param order of pairs
    Optional<PdRatioRow> best(
            List<Side> prefill,
            List<Side> decode,
            boolean fewest,
            BiFunction<Side, Side, Optional<PdRatioRow>> pair,
            Comparator<PdRatioRow> order) {
        PdRatioRow best = null;
        int fast = decode.size();
        for (Side one : prefill) {
            while (fast > 0 && !keeps(one, decode.get(fast - 1))) {
                fast--;
            }
            if (fast == 0) {
                break;
            }
            PdRatioRow row = pair.apply(one, decode.get(fewest ? 0 : fast - 1)).orElse(null);
            if (row != null && (best == null || order.compare(row, best) < 0)) {
                best = row;
            }
        }
        return Optional.ofNullable(best).map(row -> bound(row, prefill, decode));
    }

    /// With what keeps the batch size of each side from growing beside the other: the limit where the next one breaks
    /// it.
    private PdRatioRow bound(PdRatioRow row, List<Side> prefill, List<Side> decode) {
        Side more = after(row.prefill(), prefill);
        Side slower = after(row.decode(), decode);
        return row.with(
                more == null ? row.prefill() : row.prefill().withBinds(binds(keeps(more, row.decode()))),
                slower == null || row.decode().binds().contains(BindingLimit.LEAST_CONCURRENCY)
                        ? row.decode()
                        : row.decode().withBinds(binds(keeps(row.prefill(), slower))));
    }

    private static Set<BindingLimit> binds(boolean kept) {
        return EnumSet.of(kept ? BindingLimit.THROUGHPUT : BindingLimit.REQUEST_LATENCY);
    }

    private static @Nullable Side after(Side side, List<Side> unbeaten) {
        int next = unbeaten.indexOf(side) + 1;
        return next < unbeaten.size() ? unbeaten.get(next) : null;
    }
}

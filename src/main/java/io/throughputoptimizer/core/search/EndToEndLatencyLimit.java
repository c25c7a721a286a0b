package io.throughputoptimizer.core.search;

import io.throughputoptimizer.core.search.PdRatioRow.Side;
import io.throughputoptimizer.core.search.space.Candidate;
import io.throughputoptimizer.core.search.space.KvTransferLink.Handover;
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

/// Disaggregated pairs under an end-to-end latency target, which a prefill and a decode instance share: `TTFT +
/// transfer + (output - 1) TPOT`, the mean over outputs.
///
/// Under TTFT and TPOT targets the best pair of two candidates consists of the best side of each. Here both
/// sides share one time budget: any side on the Pareto frontier of its candidate, in rate and latency, may be
/// in the best pair. The best partner of a prefill side is the best of those fast enough to meet the target
/// with it, so the best prefill side with its partner is the best of all feasible pairs.
///
/// @param limitMillis end-to-end latency target, finite
/// @param decodedTokens mean tokens that decode instances generate per request, without the first
/// @param handovers KV transfers of prefill
public record EndToEndLatencyLimit(double limitMillis, double decodedTokens, TransferAdjustedLimits handovers) {

    /// Returns the target; absent without a limit.
    public static @Nullable EndToEndLatencyLimit of(
            Limits limits, OutputLengths outputs, TransferAdjustedLimits handovers) {
        Double limit = limits.requestLatencyMillis();
        return limit == null || !limits.boundsAnswers()
                ? null
                : new EndToEndLatencyLimit(limit, decoded(outputs), handovers);
    }

    /// Returns the mean output tokens after the first.
    static double decoded(OutputLengths outputs) {
        return outputs.mean() - 1;
    }

    /// Returns the message part for the end-to-end latency in one phase.
    static String inPart(Phase phase) {
        return switch (phase) {
            case PREFILL -> " in prefill alone";
            case DECODE -> " in decode alone";
            case AGGREGATION -> "";
        };
    }

    /// Returns the end-to-end latency.
    double millis(Side prefill, Side decode) {
        return millis(prefill.latencyMillis(), decode.candidate(), decode.latencyMillis());
    }

    /// Returns the end-to-end latency: `ttft + transfer + decodedTokens * tpot`.
    ///
    /// @param ttftMillis TTFT of prefill alone
    /// @param decode candidate that receives the KV cache
    /// @param tpotMillis TPOT of decode
    public double millis(double ttftMillis, Candidate decode, double tpotMillis) {
        Handover handover = handovers.of(decode);
        double ttft = handover == null ? ttftMillis : ttftMillis + handover.millis();
        return ttft + decodedTokens * tpotMillis;
    }

    boolean keeps(Side prefill, Side decode) {
        return millis(prefill, decode) <= limitMillis;
    }

    /// Returns a phase without the candidates that miss the target with every instance of the other phase;
    /// these are rejected. If the other phase has no instance, it reports the reason itself.
    ///
    /// @param own sides of each candidate of the phase
    /// @param others sides of the candidates of the other phase
    PhaseResult among(PhaseResult phase, Collection<List<Side>> own, Collection<List<Side>> others) {
        Map<String, RejectedCandidate> alone = new LinkedHashMap<>();
        own.forEach(sides -> slowest(phase.phase(), sides.getFirst(), others)
                .ifPresent(rejected -> alone.put(rejected.candidate().label(), rejected)));
        return alone.isEmpty() ? phase : phase.without(alone);
    }

    /// Returns the rejection of a candidate whose fastest side misses the target with the fastest other side;
    /// empty if it meets it.
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

    /// Returns the message part for an end-to-end latency that exceeds the target even with the fastest
    /// instance of the other phase.
    ///
    /// @param phase phase of the rejected candidate
    /// @param otherMillis latency of the other phase
    public static String besideFastest(Phase phase, double otherMillis) {
        return phase == Phase.PREFILL
                ? " with the fastest decode, TPOT " + otherMillis + " ms"
                : " with the fastest prefill, TTFT " + otherMillis + " ms";
    }

    /// Returns the Pareto frontier of one candidate's sides, by ascending latency and rate.
    ///
    /// @param order higher rate first, then lower latency
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

    /// Returns the best pair of two candidates within the target; empty if there is none.
    ///
    /// @param prefill Pareto frontier of the prefill candidate
    /// @param decode Pareto frontier of the decode candidate
    /// @param fewest whether the decode side with the lowest latency is best, instead of the highest rate
    /// @param pair combines two sides; empty if they do not fit together
    /// @param order order of pairs
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

    /// Returns the pair with the limiting constraint of each side: the end-to-end latency target if the next
    /// batch size misses it.
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
        return EnumSet.of(kept ? BindingLimit.THROUGHPUT : BindingLimit.E2E_LATENCY);
    }

    private static @Nullable Side after(Side side, List<Side> unbeaten) {
        int next = unbeaten.indexOf(side) + 1;
        return next < unbeaten.size() ? unbeaten.get(next) : null;
    }
}

package io.throughputoptimizer.core.calibrated;

import io.throughputoptimizer.core.kernels.BandBasis;
import io.throughputoptimizer.core.kernels.Bands;
import io.throughputoptimizer.core.kernels.Flag;
import io.throughputoptimizer.core.load.BestConcurrency;
import io.throughputoptimizer.core.load.BestConcurrency.Found;
import io.throughputoptimizer.core.load.DisaggregatedLaw;
import io.throughputoptimizer.core.load.LawOutcome;
import io.throughputoptimizer.core.load.PairedTurnsLaw;
import io.throughputoptimizer.core.load.RankBatches;
import io.throughputoptimizer.core.load.SteadyFigures;
import io.throughputoptimizer.core.load.TurnLengths;
import io.throughputoptimizer.core.search.InstanceCounts;
import io.throughputoptimizer.core.search.space.KvTransferLink.Handover;
import io.throughputoptimizer.core.search.space.Pairing;
import io.throughputoptimizer.core.search.space.Pairing.Kinds;
import io.throughputoptimizer.core.workload.Phase;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Calibrated prefill and decode instances that can be priced at any concurrency.
///
/// @param handover KV transfer of a request; absent if it takes no time
public record PricedPair(
        SteadyTerms terms,
        PricedInstance prefill,
        PricedInstance decode,
        InstanceCounts counts,
        @Nullable Handover handover)
        implements CalibratedServing {

    /// Returns all pairs of layouts of all sizes in all counts that a search tries on the only kinds of device
    /// of a problem and that can run and be priced there.
    ///
    /// @param checkpoint called repeatedly; may cancel the work by an exception
    static List<PricedPair> all(CalibratedProblem problem, Runnable checkpoint) {
        Pairing pairing = problem.instances();
        if (pairing == null) {
            return List.of();
        }
        Kinds kinds = problem.kinds().getFirst();
        SteadyTerms terms = problem.terms();
        List<PricedPair> pairs = new ArrayList<>();
        for (int prefillDevices : pairing.prefillSizes(kinds.prefill(), problem.available())) {
            List<PricedInstance> prefill =
                    PricedInstance.all(
                                    problem, problem.device(kinds.prefill()), prefillDevices, Phase.PREFILL, checkpoint)
                            .stream()
                            .filter(one ->
                                    one.lackOfRoomForAPrompt(terms.request()).isEmpty())
                            .toList();
            for (int decodeDevices : pairing.decodeSizes(kinds.decode(), problem.available())) {
                List<PricedInstance> decode = PricedInstance.all(
                        problem, problem.device(kinds.decode()), decodeDevices, Phase.DECODE, checkpoint);
                for (InstanceCounts counts :
                        problem.stock(kinds, prefillDevices, decodeDevices).counts()) {
                    checkpoint.run();
                    prefill.forEach(one -> decode.forEach(other -> pairs.add(
                            new PricedPair(terms, one, other, counts, other.handover(pairing.transfer(), terms)))));
                }
            }
        }
        return List.copyOf(pairs);
    }

    @Override
    public CalibratedInstances.Pair instances() {
        return new CalibratedInstances.Pair(
                new Kinds(prefill.device(), decode.device()),
                prefill.deployment(),
                decode.deployment(),
                counts,
                handover);
    }

    @Override
    public LawOutcome at(int concurrency) {
        return law().apply(concurrency);
    }

    @Override
    public Found search(Runnable checkpoint) {
        return new BestConcurrency(
                        terms.scan(),
                        terms.preference(),
                        law()::apply,
                        BestConcurrency.Check.ofMeans(terms.limits(), checkpoint),
                        this::isReliable)
                .search(leastConcurrency(), mostConcurrency(), true);
    }

    /// Returns the law of these instances, for repeated use.
    public DoubleFunction<LawOutcome> law() {
        return law(prefill.workers(counts.prefill()), decode.workers(counts.decode()));
    }

    private DoubleFunction<LawOutcome> law(DisaggregatedLaw.Workers feeding, DisaggregatedLaw.Workers fed) {
        double waves = terms.traffic().waves();
        double transfer = handover == null ? 0 : handover.millis();
        return terms.traffic().lengths() instanceof TurnLengths turns
                ? new PairedTurnsLaw(feeding, fed, turns, waves, transfer)::at
                : new DisaggregatedLaw(feeding, fed, terms.request(), waves, transfer)::at;
    }

    @Override
    public int leastConcurrency() {
        RankBatches asked = terms.batches();
        int least = asked == null ? 1 : asked.least() * decode.ranks(counts.decode());
        return Math.max(least, terms.leastConcurrency());
    }

    @Override
    public int mostConcurrency() {
        RankBatches asked = terms.batches();
        int ranks = decode.ranks(counts.decode());
        return asked == null
                ? RankBatches.unasked(decode.rank(), terms.request(), ranks, decode.maxSequences())
                        .most()
                : Math.multiplyExact(asked.most(), ranks);
    }

    @Override
    public Function<SteadyFigures, @Nullable SteadyFigures> captured() {
        if (!decode.deployment().calibration().isAscend()) {
            return _ -> null;
        }
        DoubleFunction<LawOutcome> law = law(prefill.captured(counts.prefill()), decode.captured(counts.decode()));
        return figures -> (SteadyFigures) law.apply(figures.concurrency());
    }

    @Override
    public Bands bands(SteadyFigures figures) {
        Set<Flag> flags = Flag.of(decode.deployment(), decode.pass().unexpectedBases(), true);
        flags.addAll(Flag.of(prefill.deployment(), prefill.pass().unexpectedBases(), true));
        double running = figures.steps().running();
        flags.addAll(terms.flags(new Flag.Load(
                running,
                running,
                decode.limits().cacheTokens()
                        / terms.request().cached(decode.limits().use()),
                running * decode.layout().dp(),
                terms.request().inputTokens(),
                terms.traffic().waves())));
        return new Bands(
                terms.coverage(),
                flags,
                BandBasis.disaggregatedTpot(decode.deployment()),
                BandBasis.TTFT_DISAGGREGATED);
    }
}

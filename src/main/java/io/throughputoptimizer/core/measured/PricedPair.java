package io.throughputoptimizer.core.measured;

import io.throughputoptimizer.core.measured.MeasuredProblem.Demand;
import io.throughputoptimizer.core.search.InstanceCounts;
import io.throughputoptimizer.core.search.KvTransfer.Handover;
import io.throughputoptimizer.core.search.Pairing;
import io.throughputoptimizer.core.search.Pairing.Kinds;
import io.throughputoptimizer.core.silicon.BandBasis;
import io.throughputoptimizer.core.silicon.Bands;
import io.throughputoptimizer.core.silicon.Flag;
import io.throughputoptimizer.core.silicon.SiliconDeployment;
import io.throughputoptimizer.core.steady.BestConcurrency;
import io.throughputoptimizer.core.steady.BestConcurrency.Found;
import io.throughputoptimizer.core.steady.DisaggregatedFigures;
import io.throughputoptimizer.core.steady.DisaggregatedLaw;
import io.throughputoptimizer.core.steady.LawOutcome;
import io.throughputoptimizer.core.steady.LawOutcome.Figures;
import io.throughputoptimizer.core.steady.MeanRequest;
import io.throughputoptimizer.core.steady.RankBatches;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Prefill instances that feed decode instances on a measured device, which can be priced at any concurrency.
public record PricedPair(MeasuredProblem problem, PricedInstance prefill, PricedInstance decode, InstanceCounts counts)
        implements MeasuredServing {

    /// All pairs of layouts of all sizes in all numbers that a search tries on the only kinds of device of a problem;
    /// none that cannot be run or priced there.
    ///
    /// @param checkpoint is called again and again, and may end the work by an exception
    static List<PricedPair> all(MeasuredProblem problem, Runnable checkpoint) {
        Pairing pairing = problem.instances();
        if (pairing == null) {
            return List.of();
        }
        Kinds kinds = problem.kinds().getFirst();
        MeanRequest request = problem.demand().traffic().mean();
        List<PricedPair> pairs = new ArrayList<>();
        for (int prefillDevices : pairing.prefillSizes(kinds.prefill(), problem.available())) {
            List<PricedInstance> prefill =
                    PricedInstance.all(problem, problem.device(kinds.prefill()), prefillDevices, checkpoint).stream()
                            .filter(one -> one.lackOfRoomForAPrompt(request).isEmpty())
                            .toList();
            for (int decodeDevices : pairing.decodeSizes(kinds.decode(), problem.available())) {
                List<PricedInstance> decode =
                        PricedInstance.all(problem, problem.device(kinds.decode()), decodeDevices, checkpoint);
                for (InstanceCounts counts :
                        problem.stock(kinds, prefillDevices, decodeDevices).counts()) {
                    checkpoint.run();
                    prefill.forEach(
                            one -> decode.forEach(other -> pairs.add(new PricedPair(problem, one, other, counts))));
                }
            }
        }
        return List.copyOf(pairs);
    }

    @Override
    public Arrangement.Pair arrangement() {
        return new Arrangement.Pair(prefill.layout(), decode.layout(), counts);
    }

    @Override
    public LawOutcome at(int concurrency) {
        return law().at(concurrency);
    }

    @Override
    public Found search(Runnable checkpoint) {
        Demand demand = problem.demand();
        return new BestConcurrency(
                        problem.scan(),
                        demand.preference(),
                        law()::at,
                        BestConcurrency.Check.ofMeans(demand.limits(), checkpoint))
                .search(leastConcurrency(), mostConcurrency(), true);
    }

    /// The law of these instances, to be asked more than once.
    public DisaggregatedLaw law() {
        return law(prefill.workers(counts.prefill()), decode.workers(counts.decode()));
    }

    private DisaggregatedLaw law(DisaggregatedLaw.Workers feeding, DisaggregatedLaw.Workers fed) {
        return new DisaggregatedLaw(
                feeding,
                fed,
                request(),
                problem.demand().traffic().waves(),
                handover().map(Handover::millis).orElse(0.0));
    }

    /// What a request hands over to decode; empty where that takes no time.
    public Optional<Handover> handover() {
        return Optional.ofNullable(problem.instances())
                .flatMap(pairing -> Optional.ofNullable(pairing.transfer()))
                .map(transfer -> transfer.of(decode.handedBytes(request())));
    }

    @Override
    public int leastConcurrency() {
        RankBatches asked = problem.demand().batches();
        int least = asked == null ? 1 : asked.least() * decode.ranks(counts.decode());
        return Math.max(least, problem.demand().leastConcurrency());
    }

    @Override
    public int mostConcurrency() {
        RankBatches asked = problem.demand().batches();
        int ranks = decode.ranks(counts.decode());
        return asked == null
                ? RankBatches.unasked(decode.rank(), request(), ranks).most()
                : Math.multiplyExact(asked.most(), ranks);
    }

    @Override
    public double running(Figures figures) {
        return DisaggregatedLaw.running(figures.concurrency(), decode.ranks(counts.decode()));
    }

    @Override
    public int shares() {
        return 1;
    }

    @Override
    public int devices() {
        return counts.prefill() * prefill.layout().deviceCount()
                + counts.decode() * decode.layout().deviceCount();
    }

    @Override
    public SiliconDeployment decoding() {
        return decode.deployment();
    }

    @Override
    public PairPoint pointAt(int concurrency) {
        return point((DisaggregatedFigures) at(concurrency));
    }

    @Override
    public PairRow rowAt(int concurrency) {
        return row((DisaggregatedFigures) at(concurrency));
    }

    public PairRow row(DisaggregatedFigures figures) {
        PairPoint point = point(figures);
        MeanRequest request = request();
        double context = point.running() * (request.inputTokens() + request.outputTokens() / 2);
        return new PairRow(
                point,
                new MeasuredRow.Steps(
                        decode.pass().decodeOperators(point.running(), context),
                        prefill.pass().prefillOperators(1, request.newTokens(), request.pairs())),
                decode.limits().cacheTokens(),
                Math.max(0, point.kinds().all(problem.available()) - devices()),
                null);
    }

    public PairPoint point(DisaggregatedFigures figures) {
        return new PairPoint(
                new Kinds(prefill.device(), decode.device()),
                prefill.deployment(),
                decode.deployment(),
                counts,
                handover().orElse(null),
                figures,
                captured(figures),
                bands(figures));
    }

    private @Nullable DisaggregatedFigures captured(DisaggregatedFigures figures) {
        return decode.deployment().calibration().isAscend()
                ? (DisaggregatedFigures) law(prefill.captured(counts.prefill()), decode.captured(counts.decode()))
                        .at(figures.concurrency())
                : null;
    }

    private Bands bands(DisaggregatedFigures figures) {
        Set<Flag> flags = Flag.of(decode.deployment(), decode.pass().unexpectedBases(), true);
        flags.addAll(Flag.of(prefill.deployment(), prefill.pass().unexpectedBases(), true));
        double running = running(figures);
        flags.addAll(problem.flags(new Flag.Load(
                running,
                running,
                decode.limits().cacheTokens() / request().cachedTokens(),
                running * decode.layout().dp(),
                request().inputTokens(),
                problem.demand().traffic().waves())));
        return new Bands(
                problem.coverage(),
                flags,
                BandBasis.disaggregatedTpot(decode.deployment()),
                BandBasis.TTFT_DISAGGREGATED);
    }

    private MeanRequest request() {
        return problem.demand().traffic().mean();
    }
}

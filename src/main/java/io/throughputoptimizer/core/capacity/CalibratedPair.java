package io.throughputoptimizer.core.capacity;

import io.throughputoptimizer.core.calibrated.CalibratedBinds;
import io.throughputoptimizer.core.calibrated.CalibratedProblem;
import io.throughputoptimizer.core.calibrated.PricedInstance;
import io.throughputoptimizer.core.calibrated.PricedPair;
import io.throughputoptimizer.core.calibrated.SteadyTerms;
import io.throughputoptimizer.core.load.BestConcurrency;
import io.throughputoptimizer.core.load.BestConcurrency.Beyond;
import io.throughputoptimizer.core.load.BestConcurrency.Preference;
import io.throughputoptimizer.core.load.Breach;
import io.throughputoptimizer.core.load.ConcurrencySampling;
import io.throughputoptimizer.core.load.LawOutcome;
import io.throughputoptimizer.core.load.RankBatches;
import io.throughputoptimizer.core.load.SteadyFigures;
import io.throughputoptimizer.core.load.TurnLengths;
import io.throughputoptimizer.core.search.InstanceCounts;
import io.throughputoptimizer.core.search.space.KvTransferLink.Handover;
import io.throughputoptimizer.core.workload.Limits;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.DoubleFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Prefill and decode instances of one layout each in the calibrated model, in any counts. `R(p, d)` of `p`
/// prefill and `d` decode instances is the peak within the limits over all concurrencies, as in a search of
/// pairs. Not thread-safe, except for figures computed ahead.
public final class CalibratedPair {
    private static final int MOST_DEVICES = 1 << 16;

    private final CalibratedProblem problem;
    private final PricedInstance prefill;
    private final PricedInstance decode;
    private final SteadyTerms terms;
    private final @Nullable Handover handover;
    private final PairSearchBudget ration;
    private final Map<InstanceCounts, Known> mosts = new ConcurrentHashMap<>();
    private final Map<InstanceCounts, Known> worst = new ConcurrentHashMap<>();
    /// Duration of one prompt; 0 until computed.
    private volatile double promptMillis;

    /// Peak of some instance counts.
    ///
    /// @param ability capacity in the unit of the requirement
    /// @param beyond outcome of higher concurrencies
    record Most(SteadyFigures figures, Ratio ability, Beyond beyond) {}

    /// Peak of some instance counts, and the number of concurrencies evaluated for it.
    private static final class Known {
        private final Optional<Most> most;
        private final long looks;
        private boolean counted;

        private Known(Optional<Most> most, long looks) {
            this.most = most;
            this.looks = looks;
        }
    }

    /// Ends of prediction intervals used for figures.
    enum Ends {
        /// The estimates themselves.
        NONE,
        UNFAVOURABLE
    }

    /// @param problem problem of this kind of device only
    /// @param ration budget; can throw to stop the work
    CalibratedPair(CalibratedProblem problem, PricedInstance prefill, PricedInstance decode, PairSearchBudget ration) {
        this.problem = problem;
        this.prefill = prefill;
        this.decode = decode;
        this.terms = problem.terms();
        this.handover = decode.handover(problem.transfer(), terms);
        this.ration = ration;
    }

    public CalibratedProblem problem() {
        return problem;
    }

    /// Returns the devices per prefill instance.
    public int prefillSize() {
        return prefill.layout().deviceCount();
    }

    /// Returns the devices per decode instance.
    public int decodeSize() {
        return decode.layout().deviceCount();
    }

    PricedInstance decode() {
        return decode;
    }

    public PricedInstance prefill() {
        return prefill;
    }

    /// Returns the pair in the given counts.
    public PricedPair in(InstanceCounts counts) {
        return new PricedPair(terms, prefill, decode, counts, handover);
    }

    /// Returns the maximum number of devices, so that the requests of all ranks fit in an int.
    static int mostDevices(CalibratedProblem problem) {
        RankBatches batches = problem.demand().batches();
        return batches == null ? MOST_DEVICES : Math.min(MOST_DEVICES, Integer.MAX_VALUE / batches.most());
    }

    long devices(InstanceCounts counts) {
        return (long) counts.prefill() * prefillSize() + (long) counts.decode() * decodeSize();
    }

    /// Returns the capacity in the unit of the requirement.
    static Ratio ability(Requirement requirement, SteadyFigures figures) {
        return Ratio.of(
                switch (requirement.unit()) {
                    case CONCURRENCY -> figures.concurrency();
                    case CONVERSATIONS -> CalibratedInstance.conversations(figures);
                    case REQUESTS_PER_S, TOKENS_PER_S -> figures.requestsPerSecond();
                });
    }

    /// Returns the peak of the given counts; empty if no concurrency meets the limits. All requirements of a
    /// pair must have the same unit.
    Optional<Most> most(InstanceCounts counts, Requirement requirement, Ends ends) {
        Known known = known(counts, requirement, ends);
        if (!known.counted) {
            known.counted = true;
            ration.askedFor(known.looks);
        }
        return known.most;
    }

    /// Returns whether the prediction intervals of one decode instance at its peak are narrow enough for
    /// ranking.
    boolean isReliable(Requirement requirement) {
        return most(fed(1), requirement, Ends.NONE)
                .filter(most -> in(fed(1)).isReliable(most.figures))
                .isPresent();
    }

    /// Computes a peak ahead on any thread; it counts against the budget when [#most] requests it.
    Optional<Most> mostAhead(InstanceCounts counts, Requirement requirement, Ends ends) {
        return known(counts, requirement, ends).most;
    }

    private Known known(InstanceCounts counts, Requirement requirement, Ends ends) {
        return switch (ends) {
            case NONE -> mosts.computeIfAbsent(counts, one -> search(one, requirement));
            case UNFAVOURABLE -> worst.computeIfAbsent(counts, one -> searchAtWorst(one, requirement));
        };
    }

    /// Returns counts for the given decode instances and the maximum number of prefill instances.
    InstanceCounts fed(int decodeCount) {
        return new InstanceCounts(plenty(), decodeCount);
    }

    /// Returns the maximum number of prefill instances, with which prompts hardly wait.
    private int plenty() {
        return Math.max(1, mostDevices(problem) / prefillSize());
    }

    private Known search(InstanceCounts counts, Requirement requirement) {
        Limits limits = problem.demand().limits();
        Preference most = switch (requirement.unit()) {
            case CONCURRENCY -> new Preference(SteadyFigures::concurrency);
            case CONVERSATIONS -> new Preference(CalibratedInstance::conversations);
            case REQUESTS_PER_S, TOKENS_PER_S -> Preference.MOST_TOKENS;
        };
        Looks looks = new Looks(in(counts));
        return looks.known(looks.best(most, (_, outcome) -> Breach.of(limits, outcome), looks.priced::isReliable)
                .map(best -> new Most(best.figures, ability(requirement, best.figures), best.beyond)));
    }

    private Known searchAtWorst(InstanceCounts counts, Requirement requirement) {
        PricedPair priced = in(counts);
        Limits limits = problem.demand().limits();
        Preference most = requirement.isConcurrency()
                ? new Preference(SteadyFigures::concurrency)
                : new Preference(figures ->
                        atWorst(priced, requirement, figures).map(Ratio::value).orElse(0.0));
        Looks looks = new Looks(priced);
        return looks.known(looks.best(
                        most,
                        (_, outcome) -> outcome instanceof SteadyFigures figures
                                ? WorstCase.breaches(priced.point(figures), limits)
                                : Breach.of(limits, outcome),
                        _ -> true)
                .flatMap(best -> atWorst(priced, requirement, best.figures)
                        .map(ability -> new Most(best.figures, ability, best.beyond))));
    }

    private static Optional<Ratio> atWorst(PricedPair priced, Requirement requirement, SteadyFigures figures) {
        return WorstCase.ability(
                priced.point(figures),
                requirement,
                Ratio.of(figures.concurrency()),
                priced.terms().traffic());
    }

    private record Best(SteadyFigures figures, Beyond beyond) {}

    /// The evaluated concurrencies of one pair of counts.
    private final class Looks {
        private final PricedPair priced;
        private final DoubleFunction<LawOutcome> law;
        private long count;

        private Looks(PricedPair priced) {
            this.priced = priced;
            this.law = priced.law();
        }

        private LawOutcome at(int concurrency) {
            ration.look();
            count++;
            return law.apply(concurrency);
        }

        private Optional<Best> best(
                Preference preference, BestConcurrency.Check check, Predicate<SteadyFigures> reliable) {
            int least = priced.leastConcurrency();
            int most = priced.mostConcurrency();
            if (least > most) {
                return Optional.empty();
            }
            BestConcurrency search =
                    new BestConcurrency(ConcurrencySampling.EVERY_SUMMIT, preference, this::at, check, reliable);
            return search.find(least, most).map(figures -> new Best(figures, search.beyond(figures)));
        }

        private Known known(Optional<Most> most) {
            ration.found();
            return new Known(most, count);
        }
    }

    /// Returns the limits violated at the smallest concurrency although prompts hardly wait; empty if there are
    /// none.
    List<Breach> breaches() {
        PricedPair priced = in(fed(1));
        ration.look();
        ration.count(1);
        return Breach.of(problem.demand().limits(), priced.at(priced.leastConcurrency()));
    }

    /// Returns a lower bound on the prefill instances for the required rate: a rank completes at most one
    /// prompt per prompt duration.
    long leastPrefill(Requirement requirement) {
        if (requirement.unit().isAtOnce()) {
            return 1;
        }
        double prompts = requirement.planned().value() * promptMillis() / 1000;
        // One less, to allow for rounding.
        return Math.max(1, (long) (prompts / prefill.layout().dp()) - 1);
    }

    private double promptMillis() {
        if (promptMillis == 0) {
            promptMillis = leastPromptMillis();
        }
        return promptMillis;
    }

    /// Returns the shortest prompt duration: for conversations that of a turn with its prefix cached, which not
    /// every turn has.
    private double leastPromptMillis() {
        return terms.traffic().lengths() instanceof TurnLengths
                ? prefill.promptMillis(terms.request())
                : ((SteadyFigures) in(new InstanceCounts(1, 1)).at(1)).steps().prefillMillis();
    }

    /// Returns the plan for a demand within capacity, at the smallest concurrency whose rate serves it, by
    /// bisection up to the peak, or at the requested concurrency.
    CalibratedPairPlan plan(InstanceCounts counts, Requirement requirement) {
        Most most = most(counts, requirement, Ends.NONE).orElseThrow();
        return new CalibratedPairPlan(
                this,
                counts,
                requirement,
                load(counts, requirement, most),
                most.figures(),
                CalibratedBinds.ofMore(in(counts), most.figures(), most.beyond()),
                Optional.empty());
    }

    private SteadyFigures load(InstanceCounts counts, Requirement requirement, Most most) {
        Looks looks = new Looks(in(counts));
        int low = looks.priced.leastConcurrency();
        int high = (int) most.figures().concurrency();
        while (low < high) {
            int middle = low + (high - low) / 2;
            if (looks.at(middle) instanceof SteadyFigures figures
                    && ability(requirement, figures).compareTo(requirement.asked()) >= 0) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        LawOutcome least = looks.at(high);
        ration.count(looks.count);
        return least instanceof SteadyFigures figures
                        && Breach.of(problem.demand().limits(), least).isEmpty()
                ? figures
                : most.figures();
    }
}

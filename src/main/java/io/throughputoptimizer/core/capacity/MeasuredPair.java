package io.throughputoptimizer.core.capacity;

import io.throughputoptimizer.core.measured.MeasuredBinds;
import io.throughputoptimizer.core.measured.MeasuredProblem;
import io.throughputoptimizer.core.measured.PricedInstance;
import io.throughputoptimizer.core.measured.PricedPair;
import io.throughputoptimizer.core.measured.SteadyTerms;
import io.throughputoptimizer.core.search.InstanceCounts;
import io.throughputoptimizer.core.search.space.KvTransfer.Handover;
import io.throughputoptimizer.core.steady.BestConcurrency;
import io.throughputoptimizer.core.steady.BestConcurrency.Beyond;
import io.throughputoptimizer.core.steady.Breach;
import io.throughputoptimizer.core.steady.LawOutcome;
import io.throughputoptimizer.core.steady.Preference;
import io.throughputoptimizer.core.steady.RankBatches;
import io.throughputoptimizer.core.steady.Scan;
import io.throughputoptimizer.core.steady.SteadyFigures;
import io.throughputoptimizer.core.steady.TurnLengths;
import io.throughputoptimizer.core.workload.Limits;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.DoubleFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Prefill instances of one layout that feed decode instances of one layout on a measured device, in any numbers. `R(p,
/// d)` of `p` prefill and `d` decode instances is the most that they serve within the limits over all concurrencies, as
/// a search of pairs finds it. Used by one thread, but for what is found ahead.
public final class MeasuredPair {
    private static final int MOST_DEVICES = 1 << 16;

    private final MeasuredProblem problem;
    private final PricedInstance prefill;
    private final PricedInstance decode;
    private final SteadyTerms terms;
    private final @Nullable Handover handover;
    private final Ration ration;
    private final Map<InstanceCounts, Known> mosts = new ConcurrentHashMap<>();
    private final Map<InstanceCounts, Known> worst = new ConcurrentHashMap<>();
    /// Of one prompt; 0 while nobody has asked.
    private volatile double promptMillis;

    /// What instances serve at their most.
    ///
    /// @param ability in what the requirement counts
    /// @param beyond what is known of more requests at once
    record Most(SteadyFigures figures, Ratio ability, Beyond beyond) {}

    /// The most of some numbers of instances, and how many concurrencies were looked at for it.
    private static final class Known {
        private final Optional<Most> most;
        private final long looks;
        private boolean counted;

        private Known(Optional<Most> most, long looks) {
            this.most = most;
            this.looks = looks;
        }
    }

    /// Which ends of the bands count.
    enum Ends {
        /// The figures themselves.
        NONE,
        UNFAVOURABLE
    }

    /// @param problem about the device alone
    /// @param ration may end the work by an exception
    MeasuredPair(MeasuredProblem problem, PricedInstance prefill, PricedInstance decode, Ration ration) {
        this.problem = problem;
        this.prefill = prefill;
        this.decode = decode;
        this.terms = problem.terms();
        this.handover = decode.handover(problem.transfer(), terms);
        this.ration = ration;
    }

    public MeasuredProblem problem() {
        return problem;
    }

    /// Devices of a prefill instance.
    public int prefillSize() {
        return prefill.layout().deviceCount();
    }

    /// Devices of a decode instance.
    public int decodeSize() {
        return decode.layout().deviceCount();
    }

    PricedInstance decode() {
        return decode;
    }

    public PricedInstance prefill() {
        return prefill;
    }

    /// That many instances.
    public PricedPair in(InstanceCounts counts) {
        return new PricedPair(terms, prefill, decode, counts, handover);
    }

    /// More devices are not looked at: so many that requests of all their ranks can be counted.
    static int mostDevices(MeasuredProblem problem) {
        RankBatches batches = problem.demand().batches();
        return batches == null ? MOST_DEVICES : Math.min(MOST_DEVICES, Integer.MAX_VALUE / batches.most());
    }

    long devices(InstanceCounts counts) {
        return (long) counts.prefill() * prefillSize() + (long) counts.decode() * decodeSize();
    }

    /// What they serve, in what the requirement counts.
    static Ratio ability(Requirement requirement, SteadyFigures figures) {
        return Ratio.of(
                switch (requirement.unit()) {
                    case CONCURRENCY -> figures.concurrency();
                    case CONVERSATIONS -> MeasuredInstance.conversations(figures);
                    case REQUESTS_PER_S, TOKENS_PER_S -> figures.requestsPerSecond();
                });
    }

    /// The most of that many instances; empty where no concurrency keeps the limits. Demands of one pair are all
    /// counted in the same.
    Optional<Most> most(InstanceCounts counts, Requirement requirement, Ends ends) {
        Known known = known(counts, requirement, ends);
        if (!known.counted) {
            known.counted = true;
            ration.askedFor(known.looks);
        }
        return known.most;
    }

    /// Returns whether the bands of one decode instance at its peak are narrow enough to rank by it.
    boolean isReliable(Requirement requirement) {
        return most(fed(1), requirement, Ends.NONE)
                .filter(most -> in(fed(1)).isReliable(most.figures))
                .isPresent();
    }

    /// The same for any thread; it counts once [#most] is asked for it.
    Optional<Most> mostAhead(InstanceCounts counts, Requirement requirement, Ends ends) {
        return known(counts, requirement, ends).most;
    }

    private Known known(InstanceCounts counts, Requirement requirement, Ends ends) {
        return switch (ends) {
            case NONE -> mosts.computeIfAbsent(counts, one -> search(one, requirement));
            case UNFAVOURABLE -> worst.computeIfAbsent(counts, one -> searchAtWorst(one, requirement));
        };
    }

    /// So many decode instances with as many prefill instances as there can be.
    InstanceCounts fed(int decodeCount) {
        return new InstanceCounts(plenty(), decodeCount);
    }

    /// As many prefill instances as there can be, so that hardly a prompt waits.
    private int plenty() {
        return Math.max(1, mostDevices(problem) / prefillSize());
    }

    private Known search(InstanceCounts counts, Requirement requirement) {
        Limits limits = problem.demand().limits();
        Preference most = switch (requirement.unit()) {
            case CONCURRENCY -> new Preference(SteadyFigures::concurrency);
            case CONVERSATIONS -> new Preference(MeasuredInstance::conversations);
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

    /// Concurrencies of some numbers of instances that are looked at.
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
            BestConcurrency search = new BestConcurrency(Scan.EVERY_SUMMIT, preference, this::at, check, reliable);
            return search.find(least, most).map(figures -> new Best(figures, search.beyond(figures)));
        }

        private Known known(Optional<Most> most) {
            ration.found();
            return new Known(most, count);
        }
    }

    /// Limits that the least concurrency breaks although hardly a prompt waits; none if it keeps them.
    List<Breach> breaches() {
        PricedPair priced = in(fed(1));
        ration.look();
        ration.count(1);
        return Breach.of(problem.demand().limits(), priced.at(priced.leastConcurrency()));
    }

    /// Fewer prefill instances than these do not serve so many requests a second: one rank ends at most one prompt in
    /// the time of one prompt.
    long leastPrefill(Requirement requirement) {
        if (requirement.unit().isAtOnce()) {
            return 1;
        }
        double prompts = requirement.planned().value() * promptMillis() / 1000;
        // One less, for the last digit.
        return Math.max(1, (long) (prompts / prefill.layout().dp()) - 1);
    }

    private double promptMillis() {
        if (promptMillis == 0) {
            promptMillis = leastPromptMillis();
        }
        return promptMillis;
    }

    /// Of turns those that find what the turn before has left, which not all do.
    private double leastPromptMillis() {
        return terms.traffic().lengths() instanceof TurnLengths
                ? prefill.promptMillis(terms.request())
                : ((SteadyFigures) in(new InstanceCounts(1, 1)).at(1)).steps().prefillMillis();
    }

    /// These instances at a demand that they serve: at the least concurrency whose rate serves it, by bisection up to
    /// that of their most; or at as many requests as are asked for.
    MeasuredPairPlan plan(InstanceCounts counts, Requirement requirement) {
        Most most = most(counts, requirement, Ends.NONE).orElseThrow();
        return new MeasuredPairPlan(
                this,
                counts,
                requirement,
                load(counts, requirement, most),
                most.figures(),
                MeasuredBinds.ofMore(in(counts), most.figures(), most.beyond()),
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

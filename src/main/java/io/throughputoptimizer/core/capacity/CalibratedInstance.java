package io.throughputoptimizer.core.capacity;

import static java.util.Objects.requireNonNull;

import io.throughputoptimizer.core.calibrated.CalibratedBinds;
import io.throughputoptimizer.core.calibrated.CalibratedProblem;
import io.throughputoptimizer.core.calibrated.CalibratedRow;
import io.throughputoptimizer.core.calibrated.PricedReplicas;
import io.throughputoptimizer.core.capacity.EqualInstances.AtMost;
import io.throughputoptimizer.core.capacity.PairSearchBudget.SearchGuard;
import io.throughputoptimizer.core.capacity.Requirement.Unit;
import io.throughputoptimizer.core.load.BestConcurrency;
import io.throughputoptimizer.core.load.BestConcurrency.Beyond;
import io.throughputoptimizer.core.load.BestConcurrency.Found;
import io.throughputoptimizer.core.load.BestConcurrency.Preference;
import io.throughputoptimizer.core.load.Breach;
import io.throughputoptimizer.core.load.LawOutcome;
import io.throughputoptimizer.core.load.SteadyFigures;
import io.throughputoptimizer.core.search.BindingLimit;
import io.throughputoptimizer.core.workload.Limits;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// One calibrated instance. Its peak is the result of a search of mode `aggregation` ([PricedReplicas#search]).
/// With percentile limits and open-loop arrivals, the peak is the highest simulated arrival rate within the
/// limits ([SimulatedArrivals]). Not thread-safe.
public final class CalibratedInstance implements AtMost {

    private final CalibratedProblem problem;
    private final PricedReplicas priced;
    private final IntFunction<LawOutcome> law;
    private final @Nullable SteadyFigures peak;
    private final double most;
    private final @Nullable Beyond beyond;
    private final List<Breach> breaches;
    private final boolean reliable;
    private final long points;

    private CalibratedInstance(
            CalibratedProblem problem,
            PricedReplicas priced,
            IntFunction<LawOutcome> law,
            @Nullable SteadyFigures peak,
            double most,
            @Nullable Beyond beyond,
            List<Breach> breaches,
            long points) {
        this.problem = problem;
        this.priced = priced;
        this.law = law;
        this.peak = peak;
        this.most = most;
        this.beyond = beyond;
        this.breaches = breaches;
        this.reliable = peak != null && priced.isReliable(peak);
        this.points = points;
    }

    /// @param problem problem of one such instance
    /// @param unit unit that the peak maximizes
    /// @param overseer receives each concurrency of the search and can stop the work
    static CalibratedInstance tried(CalibratedProblem problem, PricedReplicas priced, Unit unit, SearchGuard overseer) {
        IntFunction<LawOutcome> outcomes = priced.outcomes();
        IntFunction<LawOutcome> law = concurrency -> {
            overseer.checkpoint();
            return outcomes.apply(concurrency);
        };
        boolean arrivals = priced.terms().limits().percentile() != null && !unit.isAtOnce();
        Found found = (arrivals ? priced.withoutLimits() : priced)
                .search(
                        new Preference(figures -> amount(unit, figures)),
                        concurrency -> {
                            overseer.step();
                            return outcomes.apply(concurrency);
                        },
                        overseer::checkpoint);
        SteadyFigures peak = found.best();
        CalibratedInstance instance = new CalibratedInstance(
                problem,
                priced,
                law,
                peak,
                peak == null ? 0 : amount(unit, peak),
                found.beyond(),
                found.breaches(),
                found.evaluations());
        return arrivals && peak != null ? instance.withinPercentile(overseer) : instance;
    }

    /// Returns this instance at the highest arrival rate within the percentile limits.
    private CalibratedInstance withinPercentile(SearchGuard overseer) {
        SimulatedArrivals.Highest highest = new SimulatedArrivals(priced, overseer::checkpoint).highest(most);
        SteadyFigures at = highest.perSecond() == most ? peak() : atRate(highest.perSecond());
        return new CalibratedInstance(
                problem,
                priced,
                law,
                highest.perSecond() == 0 ? null : at,
                highest.perSecond(),
                highest.breaches().isEmpty() ? beyond : new Beyond(highest.breaches(), false, null),
                highest.perSecond() == 0 ? highest.breaches() : List.of(),
                points);
    }

    private SteadyFigures atRate(double perSecond) {
        return law.apply(least(figures -> lastingRate(figures) >= perSecond)) instanceof SteadyFigures figures
                ? figures
                : peak();
    }

    /// Returns the smallest concurrency that satisfies a monotone predicate, by bisection up to the peak.
    private int least(Predicate<SteadyFigures> enough) {
        int low = priced.leastConcurrency();
        int high = (int) peak().concurrency();
        while (low < high) {
            int middle = low + (high - low) / 2;
            if (law.apply(middle) instanceof SteadyFigures figures && enough.test(figures)) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return high;
    }

    /// Returns simulated percentile latencies at a share of a demand; empty if the simulation does not support
    /// the traffic.
    ///
    /// @param load figures at that share
    Optional<SimulatedArrivals.Percentiles> percentiles(
            Requirement requirement, Ratio share, SteadyFigures load, double percent) {
        SimulatedArrivals arrivals = new SimulatedArrivals(priced, () -> {});
        return requirement.unit().isAtOnce()
                ? arrivals.ofConcurrency(load, percent)
                : arrivals.ofRate(share.dividedBy(Ratio.of(priced.ranks())).value(), percent);
    }

    public CalibratedProblem problem() {
        return problem;
    }

    @Override
    public int size() {
        return priced.instances().devices();
    }

    public PricedReplicas priced() {
        return priced;
    }

    /// Returns the limits violated at the smallest concurrency.
    public List<Breach> breaches() {
        return breaches;
    }

    long points() {
        return points;
    }

    boolean serves() {
        return peak != null;
    }

    /// Returns whether the prediction intervals of the peak are narrow enough for ranking.
    @Override
    public boolean isReliable() {
        return reliable;
    }

    /// Returns the figures of a rank at the peak.
    SteadyFigures peak() {
        return requireNonNull(peak, "an instance that serves nothing");
    }

    /// Returns the smallest concurrency of a rank that meets the limits and serves a share, by bisection up to
    /// the peak; empty if only the peak does.
    Optional<SteadyFigures> load(Requirement requirement, Ratio share) {
        Limits limits = priced.terms().limits();
        int least = least(figures -> ability(requirement, figures).compareTo(share) >= 0);
        for (int concurrency = least; concurrency < peak().concurrency(); concurrency++) {
            LawOutcome outcome = law.apply(concurrency);
            if ((limits.percentile() != null || Breach.of(limits, outcome).isEmpty())
                    && serves(requirement, share, outcome)) {
                return Optional.of((SteadyFigures) outcome);
            }
        }
        return Optional.empty();
    }

    private boolean serves(Requirement requirement, Ratio share, LawOutcome outcome) {
        return outcome instanceof SteadyFigures figures
                && ability(requirement, figures).compareTo(share) >= 0;
    }

    @Override
    public Ratio ability(Requirement requirement) {
        return ofRank(most);
    }

    /// Returns the peak request rate of the instance.
    Ratio mostRate(Requirement requirement) {
        return requirement.unit().isAtOnce() ? rate(peak()) : ofRank(most);
    }

    /// Returns the capacity of the instance in the unit of the requirement.
    Ratio ability(Requirement requirement, SteadyFigures figures) {
        return ofRank(amount(requirement.unit(), figures));
    }

    private static double amount(Unit unit, SteadyFigures figures) {
        return switch (unit) {
            case CONCURRENCY -> figures.concurrency();
            case CONVERSATIONS -> conversations(figures);
            case REQUESTS_PER_S, TOKENS_PER_S -> lastingRate(figures);
        };
    }

    private Ratio ofRank(double figure) {
        return Ratio.of(figure).times(priced.ranks());
    }

    static double conversations(SteadyFigures figures) {
        return requireNonNull(figures.kept(), "requests that are turns of no conversation")
                .conversations();
    }

    /// Returns the sustainable request rate of the instance. If more requests are outstanding than run, a
    /// finite load shows a higher rate than a steady one.
    Ratio rate(SteadyFigures figures) {
        return Ratio.of(lastingRate(figures)).times(priced.ranks());
    }

    private static double lastingRate(SteadyFigures figures) {
        return Math.min(figures.requestsPerSecond(), figures.sustainedPerSecond());
    }

    /// Returns the capacity if every figure, limits included, is at the unfavorable end of its prediction
    /// interval; empty if no concurrency meets the limits or figures have no interval.
    Optional<Ratio> unfavourable(Requirement requirement) {
        if (priced.terms().limits().percentile() != null) {
            return Optional.empty();
        }
        Limits limits = priced.terms().limits();
        return new BestConcurrency(
                        priced.terms().scan(),
                        new Preference(figures ->
                                worst(figures, requirement).map(Ratio::value).orElse(0.0)),
                        law,
                        (_, outcome) -> outcome instanceof SteadyFigures figures
                                ? WorstCase.breaches(priced.point(figures), limits)
                                : Breach.of(limits, outcome),
                        _ -> true)
                .find(priced.leastConcurrency(), priced.mostConcurrency())
                .flatMap(figures -> worst(figures, requirement));
    }

    /// Returns the unfavorable capacity, scaled down to the sustainable rate.
    private Optional<Ratio> worst(SteadyFigures figures, Requirement requirement) {
        Ratio held = ofRank(figures.concurrency());
        double promised = figures.requestsPerSecond();
        double sustained = figures.sustainedPerSecond();
        return WorstCase.ability(
                        priced.point(figures), requirement, held, priced.terms().traffic())
                .map(most -> requirement.unit().isAtOnce() || promised <= sustained
                        ? most
                        : most.times(Ratio.of(sustained, promised)));
    }

    /// Returns the row of one instance at its peak.
    public CalibratedRow peakRow() {
        return priced.row(peak()).withBinds(CalibratedBinds.ofMore(priced, peak(), requireNonNull(beyond)));
    }

    /// Returns the row of one instance at its share of a demand.
    public CalibratedRow loadRow(SteadyFigures load) {
        return load.concurrency() < peak().concurrency()
                ? priced.row(load).withBinds(Set.of(BindingLimit.DEMAND))
                : peakRow();
    }
}

package io.throughputoptimizer.core.capacity;

import static java.util.Objects.requireNonNull;

import io.throughputoptimizer.core.capacity.EqualInstances.AtMost;
import io.throughputoptimizer.core.measured.MeasuredBinds;
import io.throughputoptimizer.core.measured.MeasuredDevice;
import io.throughputoptimizer.core.measured.MeasuredPoint;
import io.throughputoptimizer.core.measured.MeasuredProblem;
import io.throughputoptimizer.core.measured.MeasuredRow;
import io.throughputoptimizer.core.measured.PricedReplicas;
import io.throughputoptimizer.core.search.BindingLimit;
import io.throughputoptimizer.core.steady.BestConcurrency.Beyond;
import io.throughputoptimizer.core.steady.Breach;
import io.throughputoptimizer.core.steady.LawOutcome;
import io.throughputoptimizer.core.steady.SteadyFigures;
import io.throughputoptimizer.core.steady.TurnLengths;
import io.throughputoptimizer.core.workload.Limits;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/// One instance on a measured device, at every concurrency of a rank up to the first that breaks a limit: latencies
/// grow with it, unless measurements correct them, and then all are looked at. Of each that keeps them no more than a
/// rate is kept: the law gives the rest again. Used by one thread.
public final class MeasuredInstance implements AtMost {

    private final MeasuredProblem problem;
    private final PricedReplicas priced;
    /// Requests a second of a rank, as far as there is time for them, from the least concurrency on; NaN where a
    /// limit is broken.
    private final double[] rates;

    /// Conversations open at once of a rank, in the same order; none where requests are turns of none.
    private final double[] conversations;

    private final List<Breach> breaches;
    private final Overseer overseer;

    private MeasuredInstance(
            MeasuredProblem problem,
            PricedReplicas priced,
            double[] rates,
            double[] conversations,
            List<Breach> breaches,
            Overseer overseer) {
        this.problem = problem;
        this.priced = priced;
        this.rates = rates;
        this.conversations = conversations;
        this.breaches = breaches;
        this.overseer = overseer;
    }

    /// @param problem of one such instance
    /// @param overseer hears of each concurrency, now and when they are looked at again
    static MeasuredInstance tried(MeasuredProblem problem, PricedReplicas priced, Overseer overseer) {
        Limits limits = priced.terms().limits();
        DoubleStream.Builder rates = DoubleStream.builder();
        DoubleStream.Builder conversations = DoubleStream.builder();
        List<Breach> first = List.of();
        IntFunction<LawOutcome> law = priced.outcomes();
        boolean grows = problem.devices().stream().noneMatch(MeasuredDevice::isCorrected);
        for (int concurrency = priced.leastConcurrency();
                concurrency <= priced.mostConcurrency() && (first.isEmpty() || !grows);
                concurrency++) {
            overseer.step();
            LawOutcome outcome = law.apply(concurrency);
            List<Breach> breaches = Breach.of(limits, outcome);
            first = first.isEmpty() ? breaches : first;
            rates.add(breaches.isEmpty() ? lastingRate((SteadyFigures) outcome) : Double.NaN);
            if (priced.terms().traffic().lengths() instanceof TurnLengths) {
                conversations.add(breaches.isEmpty() ? conversations((SteadyFigures) outcome) : Double.NaN);
            }
        }
        return new MeasuredInstance(
                problem, priced, rates.build().toArray(), conversations.build().toArray(), first, overseer);
    }

    public MeasuredProblem problem() {
        return problem;
    }

    @Override
    public int size() {
        return priced.instances().devices();
    }

    public PricedReplicas priced() {
        return priced;
    }

    /// Limits that the first concurrency breaks which breaks any.
    public List<Breach> breaches() {
        return breaches;
    }

    int points() {
        return rates.length;
    }

    boolean serves() {
        return concurrencies().findAny().isPresent();
    }

    /// What it takes of memory.
    long bytes() {
        return Overseer.INSTANCE_BYTES + (long) Double.BYTES * (rates.length + conversations.length);
    }

    /// Those that keep the limits. Between two of them the work may be ended: there may be very many.
    private IntStream concurrencies() {
        int least = priced.leastConcurrency();
        return IntStream.range(least, least + rates.length)
                .peek(_ -> overseer.checkpoint())
                .filter(concurrency -> !Double.isNaN(rates[concurrency - least]));
    }

    private SteadyFigures at(int concurrency) {
        return (SteadyFigures) priced.at(concurrency);
    }

    /// The concurrency of a rank at which it serves most.
    SteadyFigures peak(Requirement requirement) {
        return at(
                switch (requirement.unit()) {
                    case CONCURRENCY -> concurrencies().max().orElseThrow();
                    case CONVERSATIONS -> most(conversations);
                    case REQUESTS_PER_S, TOKENS_PER_S -> most(rates);
                });
    }

    /// The first concurrency at which a figure is highest.
    private int most(double[] figures) {
        int least = priced.leastConcurrency();
        return concurrencies()
                .reduce((best, other) -> figures[other - least] > figures[best - least] ? other : best)
                .orElseThrow();
    }

    /// The least concurrency of a rank that keeps the limits and serves a share; all figures of concurrencies were
    /// looked at.
    Optional<SteadyFigures> load(Requirement requirement, Ratio share) {
        return concurrencies()
                .filter(concurrency -> ability(requirement, concurrency).compareTo(share) >= 0)
                .mapToObj(this::at)
                .findFirst();
    }

    @Override
    public Ratio ability(Requirement requirement) {
        return ability(requirement, peak(requirement));
    }

    /// What it serves, in what the requirement counts.
    Ratio ability(Requirement requirement, SteadyFigures figures) {
        return ofRank(
                switch (requirement.unit()) {
                    case CONCURRENCY -> figures.concurrency();
                    case CONVERSATIONS -> conversations(figures);
                    case REQUESTS_PER_S, TOKENS_PER_S -> lastingRate(figures);
                });
    }

    private Ratio ability(Requirement requirement, int concurrency) {
        int place = concurrency - priced.leastConcurrency();
        return ofRank(
                switch (requirement.unit()) {
                    case CONCURRENCY -> concurrency;
                    case CONVERSATIONS -> conversations[place];
                    case REQUESTS_PER_S, TOKENS_PER_S -> rates[place];
                });
    }

    private Ratio ofRank(double figure) {
        return Ratio.of(figure).times(priced.ranks());
    }

    static double conversations(SteadyFigures figures) {
        return requireNonNull(figures.kept(), "requests that are turns of no conversation")
                .conversations();
    }

    /// Requests a second of the instance, as far as there is time for them: where more are outstanding than run, a load
    /// that ends shows more than one that lasts.
    Ratio rate(SteadyFigures figures) {
        return Ratio.of(lastingRate(figures)).times(priced.ranks());
    }

    private static double lastingRate(SteadyFigures figures) {
        return Math.min(figures.requestsPerSecond(), figures.sustainedPerSecond());
    }

    /// What it serves where every figure lies at the unfavourable end of its band, limits kept there too; empty where
    /// nothing keeps them, or figures have no band.
    Optional<Ratio> unfavourable(Requirement requirement) {
        return concurrencies()
                .mapToObj(priced::pointAt)
                .filter(point ->
                        WorstCase.breaches(point, priced.terms().limits()).isEmpty())
                .flatMap(point -> worst(point, requirement).stream())
                .max(Comparator.naturalOrder());
    }

    private Optional<Ratio> worst(MeasuredPoint point, Requirement requirement) {
        Ratio held = ofRank(point.figures().concurrency());
        return WorstCase.ability(point, requirement, held, priced.terms().traffic())
                .map(most -> lasting(most, point, requirement));
    }

    /// The share of it that there is time for.
    private static Ratio lasting(Ratio worst, MeasuredPoint point, Requirement requirement) {
        double promised = point.requestsPerSecond().value();
        return requirement.unit().isAtOnce() || promised <= point.sustainedQps()
                ? worst
                : worst.times(Ratio.of(point.sustainedQps(), promised));
    }

    /// The row of one instance at its most.
    public MeasuredRow peakRow(SteadyFigures peak) {
        int concurrency = (int) peak.concurrency();
        int next = concurrency + 1 - priced.leastConcurrency();
        boolean keepsNext = next < rates.length && !Double.isNaN(rates[next]);
        List<Breach> broken = keepsNext || next >= rates.length
                ? List.of()
                : Breach.of(priced.terms().limits(), priced.at(concurrency + 1));
        return priced.rowAt(concurrency)
                .withBinds(MeasuredBinds.ofMore(priced, concurrency, new Beyond(broken, keepsNext)));
    }

    /// The row of one instance at its share of a demand.
    ///
    /// @param peak the same at its most
    public MeasuredRow loadRow(SteadyFigures load, SteadyFigures peak) {
        return load.concurrency() < peak.concurrency()
                ? priced.rowAt((int) load.concurrency()).withBinds(Set.of(BindingLimit.DEMAND))
                : peakRow(peak);
    }
}

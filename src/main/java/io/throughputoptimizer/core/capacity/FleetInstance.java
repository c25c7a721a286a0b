package io.throughputoptimizer.core.capacity;

import io.throughputoptimizer.core.fleet.FleetPoint;
import io.throughputoptimizer.core.fleet.FleetRow;
import io.throughputoptimizer.core.fleet.MeasuredDevice;
import io.throughputoptimizer.core.fleet.PricedReplicas;
import io.throughputoptimizer.core.steady.LawOutcome;
import io.throughputoptimizer.core.steady.LawOutcome.Figures;
import io.throughputoptimizer.core.steady.ServiceLimits;
import io.throughputoptimizer.core.steady.ServiceLimits.Breach;
import io.throughputoptimizer.core.steady.SteadyFigures;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// One instance on a measured device, at every concurrency of a rank up to the first that breaks a limit: latencies
/// grow with it.
public final class FleetInstance {
    private final MeasuredDevice device;
    private final PricedReplicas priced;
    private final List<Figures> kept;
    private final List<Breach> breaches;

    private FleetInstance(MeasuredDevice device, PricedReplicas priced, List<Figures> kept, List<Breach> breaches) {
        this.device = device;
        this.priced = priced;
        this.kept = kept;
        this.breaches = breaches;
    }

    /// @param step is called at each concurrency, and may end the work by an exception
    static FleetInstance tried(MeasuredDevice device, PricedReplicas priced, Runnable step) {
        ServiceLimits limits = priced.problem().demand().limits();
        List<Figures> kept = new ArrayList<>();
        List<Breach> breaches = List.of();
        for (int concurrency = priced.leastConcurrency();
                concurrency <= priced.mostConcurrency() && breaches.isEmpty();
                concurrency++) {
            step.run();
            LawOutcome outcome = priced.at(concurrency);
            breaches = limits.breaches(outcome);
            if (breaches.isEmpty() && outcome instanceof Figures figures) {
                kept.add(figures);
            }
        }
        return new FleetInstance(device, priced, kept, breaches);
    }

    public MeasuredDevice device() {
        return device;
    }

    /// Devices of the instance.
    public int size() {
        return priced.devices();
    }

    public PricedReplicas priced() {
        return priced;
    }

    /// Limits that the first concurrency breaks which breaks any.
    public List<Breach> breaches() {
        return breaches;
    }

    int points() {
        return kept.size() + (breaches.isEmpty() ? 0 : 1);
    }

    boolean serves() {
        return !kept.isEmpty();
    }

    /// The concurrency of a rank at which it serves most.
    Figures peak(Requirement requirement) {
        Comparator<Figures> most = Comparator.comparing(figures -> ability(requirement, figures));
        return kept.stream().max(most).orElseThrow();
    }

    /// The least concurrency of a rank that keeps the limits and serves a share; all figures of concurrencies were
    /// looked at.
    Optional<Figures> load(Requirement requirement, Ratio share) {
        return kept.stream()
                .filter(figures -> ability(requirement, figures).compareTo(share) >= 0)
                .findFirst();
    }

    /// What it serves, in what the requirement counts.
    Ratio ability(Requirement requirement, Figures figures) {
        return requirement.isConcurrency() ? Ratio.of(figures.concurrency()).times(priced.ranks()) : rate(figures);
    }

    /// Requests a second of the instance, as far as there is time for them: where more are outstanding than run, a load
    /// that ends shows more than one that lasts.
    Ratio rate(Figures figures) {
        double sustained = ((SteadyFigures) figures).sustainedPerSecond();
        return Ratio.of(Math.min(figures.requestsPerSecond(), sustained)).times(priced.ranks());
    }

    /// What it serves where every figure lies at the unfavourable end of its band, limits kept there too; empty where
    /// nothing keeps them, or figures have no band.
    Optional<Ratio> unfavourable(Requirement requirement) {
        return kept.stream()
                .map(figures -> priced.pointAt((int) figures.concurrency()))
                .filter(point -> WorstCase.breaches(
                                point, priced.problem().demand().limits())
                        .isEmpty())
                .flatMap(point -> WorstCase.ability(
                        point, requirement, Ratio.of(point.rankConcurrency()).times(priced.ranks()))
                        .map(worst -> lasting(worst, point, requirement))
                        .stream())
                .max(Comparator.naturalOrder());
    }

    /// The share of it that there is time for.
    private static Ratio lasting(Ratio worst, FleetPoint point, Requirement requirement) {
        double promised = point.requestsPerSecond().value();
        return requirement.isConcurrency() || promised <= point.sustainedQps()
                ? worst
                : worst.times(Ratio.of(point.sustainedQps(), promised));
    }

    /// The row of one instance at a concurrency of a rank.
    public FleetRow row(Figures figures) {
        return priced.rowAt((int) figures.concurrency());
    }
}

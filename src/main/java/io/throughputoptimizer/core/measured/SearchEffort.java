package io.throughputoptimizer.core.measured;

import io.throughputoptimizer.core.search.SearchMonitor;
import io.throughputoptimizer.core.silicon.CalibratedPass;
import io.throughputoptimizer.core.silicon.calibration.KernelUse;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CancellationException;

/// What the search of one kind of device asked, and what it met on the way. Used by one thread; each layout that is
/// tried beside others has its own, which is added once it is tried.
final class SearchEffort {
    private final SearchMonitor monitor;
    private final Set<KernelUse> unexpected = new TreeSet<>(Comparator.comparing(KernelUse::toString));
    private long points;
    private long simulations;

    SearchEffort(SearchMonitor monitor) {
        this.monitor = monitor;
    }

    /// Of a part of the search.
    SearchEffort ofPart() {
        return new SearchEffort(monitor);
    }

    /// What a part of the search asked, once it has ended.
    void add(SearchEffort part) {
        points += part.points;
        simulations += part.simulations;
        unexpected.addAll(part.unexpected);
    }

    /// @throws CancellationException if the monitor asked for it
    void failWhenCancelled() {
        monitor.failWhenCancelled();
    }

    /// The law was asked that many times.
    void evaluated(long evaluations) {
        for (long point = 0; point < evaluations; point++) {
            monitor.pointEvaluated();
        }
        points += evaluations;
    }

    /// So many simulations were run.
    void simulated(long more) {
        simulations += more;
    }

    void candidateDone() {
        monitor.candidateDone();
    }

    /// A pass stands behind a row.
    void used(CalibratedPass pass) {
        unexpected.addAll(pass.unexpectedUses());
    }

    long points() {
        return points;
    }

    long simulations() {
        return simulations;
    }

    List<KernelUse> unexpectedUses() {
        return List.copyOf(unexpected);
    }
}

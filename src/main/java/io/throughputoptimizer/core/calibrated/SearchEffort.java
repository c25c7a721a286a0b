package io.throughputoptimizer.core.calibrated;

import io.throughputoptimizer.core.kernels.CalibratedPass;
import io.throughputoptimizer.core.kernels.calibration.KernelUse;
import io.throughputoptimizer.core.search.SearchMonitor;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CancellationException;

/// Counters of the search of one kind of device, and the unexpected kernels it used. Used by one thread; each
/// layout tried in parallel has separate counters, which are added afterwards.
final class SearchEffort {
    /// Points of a layout that are searched on one thread.
    private static final int SHORT = 50;

    private final SearchMonitor monitor;
    private final Set<KernelUse> unexpected = new TreeSet<>(Comparator.comparing(KernelUse::toString));
    private long points;
    private long simulations;

    SearchEffort(SearchMonitor monitor) {
        this.monitor = monitor;
    }

    /// Returns counters for a part of the search.
    SearchEffort ofPart() {
        return new SearchEffort(monitor);
    }

    /// Adds the counters of a completed part.
    void add(SearchEffort part) {
        points += part.points;
        simulations += part.simulations;
        unexpected.addAll(part.unexpected);
    }

    /// Throws if the search is canceled.
    ///
    /// @throws CancellationException if the monitor canceled the search
    void failWhenCancelled() {
        monitor.failWhenCancelled();
    }

    /// Counts evaluations of the law.
    void evaluated(long evaluations) {
        for (long point = 0; point < evaluations; point++) {
            monitor.pointEvaluated();
        }
        points += evaluations;
    }

    /// Counts simulations.
    void simulated(long more) {
        simulations += more;
    }

    void candidateDone() {
        monitor.candidateDone();
    }

    /// Records the unexpected kernels of a pass that a row uses.
    void used(CalibratedPass pass) {
        unexpected.addAll(pass.unexpectedUses());
    }

    long points() {
        return points;
    }

    long simulations() {
        return simulations;
    }

    /// Returns whether the work took less time than waking a thread.
    boolean isShort() {
        return points > 0 && points < SHORT && simulations == 0;
    }

    List<KernelUse> unexpectedUses() {
        return List.copyOf(unexpected);
    }
}

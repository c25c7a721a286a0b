package io.throughputoptimizer.web;

import io.throughputoptimizer.api.sweep.SweepGrid;
import io.throughputoptimizer.api.sweep.SweepReader;
import io.throughputoptimizer.api.sweep.SweepRequest.SubmittedSweep;
import io.throughputoptimizer.api.sweep.SweepResponse;
import io.throughputoptimizer.security.Caller;
import io.throughputoptimizer.sweep.Sweep;
import io.throughputoptimizer.sweep.SweepRows;
import io.throughputoptimizer.sweep.SweepStore;
import io.throughputoptimizer.web.problem.ProblemException;
import org.springframework.stereotype.Component;

/// Finds the sweep that a path names.
@Component
final class SweepLookup {
    private final SweepStore store;

    SweepLookup(SweepStore store) {
        this.store = store;
    }

    /// @throws ProblemException if there is none that the caller may see
    Sweep find(String id) {
        return JobLookup.parse(id)
                .flatMap(store::find)
                .filter(sweep -> Caller.current().maySee(sweep.origin().owner()))
                .orElseThrow(SweepLookup::unknown);
    }

    /// A sweep to cancel or remove.
    ///
    /// @throws ProblemException if there is none that the caller may see, or it is another's
    Sweep findToEnd(String id) {
        Sweep sweep = find(id);
        if (!Caller.current().mayEnd(sweep.origin().owner())) {
            throw ProblemException.notOwnSweep();
        }
        return sweep;
    }

    /// Returns the request as JSON.
    String request(Sweep sweep) {
        return store.request(sweep.id()).orElseThrow(SweepLookup::unknown);
    }

    /// The cells of a sweep that was accepted, whatever may be asked by now.
    SweepGrid grid(String request) {
        return new SweepReader(Integer.MAX_VALUE).read(SubmittedSweep.stored(request));
    }

    /// A sweep with its axes.
    SweepResponse described(Sweep sweep, String request) {
        SweepGrid grid = grid(request);
        return sweep.response()
                .with(request, grid, SweepRows.all(store, sweep, grid).values());
    }

    /// All rows of a sweep.
    SweepRows rows(Sweep sweep) {
        return SweepRows.all(store, sweep, grid(request(sweep)));
    }

    private static ProblemException unknown() {
        return ProblemException.notFound("There is no sweep of this id.");
    }
}

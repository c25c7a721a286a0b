package io.throughputoptimizer.core.search;

import java.util.concurrent.CancellationException;

/// Receives progress callbacks and can cancel the search. Called from search threads; must not block.
public interface SearchMonitor {
    /// Monitor that ignores progress and never cancels.
    SearchMonitor SILENT = new SearchMonitor() {};

    /// Receives the number of candidate layouts; called once, before the first is tried.
    default void candidatesTotal(int total) {}

    /// Reports a finished candidate layout.
    default void candidateDone() {}

    /// Reports an evaluated batch size of a candidate.
    default void pointEvaluated() {}

    /// Reports that the roofline model is about to price a forward pass.
    default void passPriced() {}

    /// Reports a simulated step, or a run of equal steps.
    default void stepSimulated() {}

    /// Returns whether the search is canceled; called before every point, every forward pass and every
    /// simulated event.
    default boolean cancelled() {
        return false;
    }

    /// Throws if the search is canceled. Call between units of work.
    ///
    /// @throws CancellationException if the search is canceled
    default void failWhenCancelled() {
        if (cancelled()) {
            throw new CancellationException("the search was cancelled");
        }
    }
}

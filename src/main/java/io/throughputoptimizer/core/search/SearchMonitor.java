package io.throughputoptimizer.core.search;

import java.util.concurrent.CancellationException;

/// Hears of a search's progress and may end it. Called from the searching threads; must not block.
public interface SearchMonitor {
    /// Hears nothing and never cancels.
    SearchMonitor SILENT = new SearchMonitor() {};

    /// The number of candidate layouts is known; called once, before the first is tried.
    default void candidatesTotal(int total) {}

    /// One candidate layout is finished.
    default void candidateDone() {}

    /// One batch size of one candidate was evaluated.
    default void pointEvaluated() {}

    /// One forward pass is about to be priced by the roofline.
    default void passPriced() {}

    /// One step of a simulation was walked, or a row of equal steps at once.
    default void stepSimulated() {}

    /// Whether the search shall stop; asked before every point, every forward pass and every event of a
    /// simulation.
    default boolean cancelled() {
        return false;
    }

    /// Ends the work on this thread if the search shall stop. To be called between any two pieces of work of which a
    /// caller decides how many there are.
    ///
    /// @throws CancellationException if it shall
    default void failWhenCancelled() {
        if (cancelled()) {
            throw new CancellationException("the search was cancelled");
        }
    }
}

package io.throughputoptimizer.core.search;

import io.throughputoptimizer.core.serving.ServingOutcome;
import io.throughputoptimizer.core.serving.ServingPoint;
import io.throughputoptimizer.core.workload.ServiceObjective;
import java.util.List;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/// Looks for the batch sizes worth recording for one candidate layout.
sealed interface BatchSearch permits BisectingSearch, ExhaustiveSearch {

    /// How often a search without a range may double its upper end.
    int DOUBLINGS = 10;

    /// Upper end from which a search without a range starts.
    long INITIAL_RIGHT = 512;

    /// Feasible points to record, each batch size once; the order says nothing.
    ///
    /// @param probe evaluates a batch size; may be asked the same one again
    /// @param range batch sizes to stay within, absent to let the search find its own
    List<ServingPoint> run(LongFunction<ServingOutcome> probe, @Nullable BatchRange range, ServiceObjective objective);

    /// Upper bound of the different batch sizes that [#run] evaluates.
    long mostProbes(@Nullable BatchRange range);
}

package io.throughputoptimizer.core.search.batch;

import io.throughputoptimizer.core.serving.ServingOutcome;
import io.throughputoptimizer.core.serving.ServingPoint;
import io.throughputoptimizer.core.workload.Limits;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/// Looks for the batch sizes worth recording for one candidate layout.
public sealed interface BatchSearch permits BisectingSearch, ExhaustiveSearch {

    /// How often a search without a range may double its upper end.
    int DOUBLINGS = 10;

    /// Upper end from which a search without a range starts.
    long INITIAL_RIGHT = 512;

    /// Largest batch size that any search without a range tries.
    long LARGEST = INITIAL_RIGHT << DOUBLINGS;

    /// Most batch sizes that are evaluated before one of them is asked for again.
    int REMEMBERED = 64;

    /// Tries all batch sizes up to 512 and from there on each 1/64 larger than the last: for whom the largest that
    /// keeps the limits is not enough.
    static BatchSearch dense() {
        return new ExhaustiveSearch(INITIAL_RIGHT, 64);
    }

    /// Records feasible points, each batch size once; the order says nothing.
    ///
    /// @param trial what is searched
    /// @param range batch sizes to stay within, absent to let the search find its own; its largest is not below the
    ///     least of the trial
    void run(Trial trial, @Nullable BatchRange range, Limits limits);

    /// What the search works on.
    ///
    /// @param probe evaluates a batch size; may be asked again for one of the first [#REMEMBERED]
    /// @param recorded takes the points to record
    /// @param least smallest batch size to try, at most [#LARGEST]
    /// @param endsOnPlateau whether a search without a range goes no further where twice as many requests
    ///     deliver no more
    record Trial(
            LongFunction<ServingOutcome> probe, Consumer<ServingPoint> recorded, long least, boolean endsOnPlateau) {
        private static final double MORE = 1.001;

        /// Goes on whatever is delivered.
        public Trial(LongFunction<ServingOutcome> probe, Consumer<ServingPoint> recorded, long least) {
            this(probe, recorded, least, false);
        }

        /// Whether to go no further than from one feasible point to another of at least twice the batch size.
        boolean endsBetween(ServingPoint before, ServingPoint after) {
            return endsOnPlateau
                    && after.figures().tokensPerSecond() <= before.figures().tokensPerSecond() * MORE;
        }

        ServingOutcome at(long batchSize) {
            return probe.apply(batchSize);
        }

        void record(ServingPoint point) {
            recorded.accept(point);
        }
    }

    /// Largest batch size that [#run] tries without a range.
    long largestBatchSize();

    /// Upper bound of the different batch sizes that [#run] evaluates.
    long mostProbes(@Nullable BatchRange range);
}

package io.throughputoptimizer.core.search.batch;

import io.throughputoptimizer.core.serving.ServingOutcome;
import io.throughputoptimizer.core.serving.ServingPoint;
import io.throughputoptimizer.core.workload.Limits;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/// Search for the batch sizes of one candidate layout that are worth recording.
public sealed interface BatchSearch permits BisectingSearch, ExhaustiveSearch {

    /// Maximum number of doublings of the upper end in a search without a range.
    int DOUBLINGS = 10;

    /// Initial upper end of a search without a range.
    long INITIAL_RIGHT = 512;

    /// Largest batch size that a search without a range tries.
    long LARGEST = INITIAL_RIGHT << DOUBLINGS;

    /// Maximum number of batch sizes that are evaluated before one of them is requested again.
    int REMEMBERED = 64;

    /// Returns a search of all batch sizes up to 512 and then of sizes that each grow by 1/64, for callers that
    /// need more than the largest feasible batch size.
    static BatchSearch dense() {
        return new ExhaustiveSearch(INITIAL_RIGHT, 64);
    }

    /// Records feasible points, each batch size once, in no defined order.
    ///
    /// @param trial callbacks and start of the search
    /// @param range batch sizes to stay within; absent for a range that the search finds; its largest is not
    ///     below the least of the trial
    void run(Trial trial, @Nullable BatchRange range, Limits limits);

    /// Input of a batch size search.
    ///
    /// @param probe evaluates a batch size; may be requested again for one of the first [#REMEMBERED]
    /// @param recorded receives the points to record
    /// @param least smallest batch size to try, at most [#LARGEST]
    /// @param endsOnPlateau whether a search without a range ends if doubling the requests does not raise
    ///     throughput
    record Trial(
            LongFunction<ServingOutcome> probe, Consumer<ServingPoint> recorded, long least, boolean endsOnPlateau) {
        private static final double MORE = 1.001;

        /// Creates a trial that does not end on a plateau.
        public Trial(LongFunction<ServingOutcome> probe, Consumer<ServingPoint> recorded, long least) {
            this(probe, recorded, least, false);
        }

        /// Returns whether to end the search between two feasible points, the second of at least twice the
        /// batch size.
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

    /// Returns the largest batch size that [#run] tries without a range.
    long largestBatchSize();

    /// Returns an upper bound of the distinct batch sizes that [#run] evaluates.
    long mostProbes(@Nullable BatchRange range);
}

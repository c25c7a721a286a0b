package io.throughputoptimizer.job;

import io.throughputoptimizer.api.reading.EngineDefaults;
import io.throughputoptimizer.api.reading.SearchQuestion;
import io.throughputoptimizer.api.result.Assumptions.ByDefault;
import io.throughputoptimizer.api.result.ResultResponse;
import io.throughputoptimizer.core.calibrated.CalibratedProblem;
import io.throughputoptimizer.core.search.SearchMemoryException;
import io.throughputoptimizer.core.search.SearchMonitor;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Repeats a search with the defaults of an unconfigured engine, at the caller's request. The second search is
/// limited to the cost of the first: it is skipped for large searches and stopped when it grows larger.
///
/// @param search runs a search without explanation
record DefaultsSearch(BiFunction<SearchQuestion, SearchMonitor, Found> search) {
    /// Maximum points and simulated steps of a search in the analytic model that is repeated. Points are passes
    /// of whole models; this many take seconds, as do the limits below.
    private static final long MOST_MODELLED = 20_000;

    /// Maximum points of a calibrated search, whose points are sums. The points of both searches are kept.
    private static final long MOST_MEASURED = 50_000;

    /// Maximum points of a calibrated capacity search, which keeps none.
    private static final long MOST_FOR_DEMAND = 300_000;

    /// Size below which the second search may exceed the first.
    private static final long SMALL = 1_000;

    private static final String TOO_LARGE = "the search is too large for a second one";

    /// Result of a search.
    ///
    /// @param effort points and simulated steps
    record Found(long effort, Supplier<ResultResponse> answer) {}

    /// Addition to a result: the result under engine defaults.
    ///
    /// @param answer result under engine defaults; null if not searched
    /// @param notSearched reason why a requested search did not run; else null
    record Beside(
            EngineDefaults defaults,
            @Nullable Found answer,
            @Nullable String notSearched) {
        ByDefault told() {
            return new ByDefault(defaults, answer == null ? null : answer.answer.get(), notSearched);
        }
    }

    /// Searches with engine defaults.
    ///
    /// @param found result of the request itself
    /// @throws CancellationException if the monitor canceled the work
    Beside searched(SearchQuestion question, EngineDefaults defaults, Found found, SearchMonitor monitor) {
        SearchQuestion other = defaults.question().get().orElse(null);
        if (other == null) {
            return new Beside(defaults, null, "the service cannot price it");
        }
        if (isOnPercentile(question)) {
            return new Beside(defaults, null, "limits are on a percentile, for which every plan is simulated");
        }
        if (found.effort > most(question)) {
            return new Beside(defaults, null, TOO_LARGE);
        }
        return searched(defaults, other, new BoundedMonitor(monitor, Math.max(SMALL, 2 * found.effort)), monitor);
    }

    private Beside searched(
            EngineDefaults defaults, SearchQuestion question, BoundedMonitor bounded, SearchMonitor monitor) {
        try {
            return new Beside(defaults, search.apply(question, bounded), null);
        } catch (CancellationException e) {
            if (monitor.cancelled()) {
                throw e;
            }
            return new Beside(defaults, null, TOO_LARGE);
        } catch (SearchMemoryException _) {
            return new Beside(defaults, null, TOO_LARGE);
        }
    }

    private static long most(SearchQuestion question) {
        return switch (question) {
            case SearchQuestion.Analytic _, SearchQuestion.Capacity _ -> MOST_MODELLED;
            case SearchQuestion.Calibrated _ -> MOST_MEASURED;
            case SearchQuestion.MeasuredCapacity _ -> MOST_FOR_DEMAND;
        };
    }

    private static boolean isOnPercentile(SearchQuestion question) {
        return question instanceof SearchQuestion.Calibrated(CalibratedProblem problem, var _, var _)
                && problem.demand().limits().percentile() != null;
    }

    /// Monitor of a secondary search. It reports no progress and cancels the search when the primary search is
    /// canceled or the work exceeds a bound. Thread-safe.
    static final class BoundedMonitor implements SearchMonitor {
        private final SearchMonitor outer;
        private final long most;
        private final LongAdder work = new LongAdder();

        /// @param most maximum number of points and simulated steps
        BoundedMonitor(SearchMonitor outer, long most) {
            this.outer = outer;
            this.most = most;
        }

        @Override
        public void pointEvaluated() {
            work.increment();
        }

        @Override
        public void stepSimulated() {
            work.increment();
        }

        @Override
        public boolean cancelled() {
            return outer.cancelled() || work.sum() > most;
        }
    }
}

package io.throughputoptimizer.job;

import io.throughputoptimizer.api.reading.AskedMembers;
import io.throughputoptimizer.api.reading.EngineDefaults;
import io.throughputoptimizer.api.reading.SearchQuestion;
import io.throughputoptimizer.api.result.Assumptions.ByDefault;
import io.throughputoptimizer.api.result.ResultResponse;
import io.throughputoptimizer.core.measured.MeasuredProblem;
import io.throughputoptimizer.core.search.SearchMemoryException;
import io.throughputoptimizer.core.search.SearchMonitor;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Searches what a request would be answered if its defaults were those of an engine that is told nothing. Takes no
/// longer than the search itself did: larger ones are left alone, and one that gets larger is given up.
///
/// @param search any question, without explanation
record DefaultsSearch(BiFunction<SearchQuestion, SearchMonitor, Found> search) {
    /// Points and simulated steps of a search that another one is made beside: by the roofline, whose points are passes
    /// of whole models. This many, as those below, take seconds.
    private static final long MOST_MODELLED = 20_000;

    /// By measured kernels, whose points are sums; all are kept, of both searches at once.
    private static final long MOST_MEASURED = 50_000;

    /// Of devices for a demand, which keeps none.
    private static final long MOST_FOR_DEMAND = 300_000;

    /// Beside so small a search one may be somewhat larger.
    private static final long SMALL = 1_000;

    private static final String TOO_LARGE = "the search is too large for a second one";

    /// What a search found.
    ///
    /// @param effort points and simulated steps
    record Found(long effort, Supplier<ResultResponse> answer) {}

    /// What is to be told beside an answer.
    ///
    /// @param answer absent where nobody has searched it
    /// @param notSearched why nobody has
    record Beside(
            EngineDefaults defaults,
            @Nullable Found answer,
            @Nullable String notSearched) {
        ByDefault told() {
            return new ByDefault(defaults, answer == null ? null : answer.answer.get(), notSearched);
        }
    }

    /// Empty where an engine does by itself what is assumed, or what it does is nobody's question.
    ///
    /// @param found what the question itself came to
    /// @throws CancellationException soon after the monitor asked for it
    Optional<Beside> beside(SearchQuestion question, AskedMembers asked, Found found, SearchMonitor monitor) {
        return EngineDefaults.of(question, asked).map(defaults -> {
            SearchQuestion other = defaults.question();
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
        });
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
        return question instanceof SearchQuestion.Calibrated(MeasuredProblem problem, var _, var _)
                && problem.demand().limits().percentile() != null;
    }
}

package io.throughputoptimizer.portfolio;

import io.throughputoptimizer.api.portfolio.PortfolioReader.Asked;
import io.throughputoptimizer.api.portfolio.PortfolioReader.AskedService;
import io.throughputoptimizer.api.portfolio.PortfolioRequest;
import io.throughputoptimizer.api.reading.SearchQuestion;
import io.throughputoptimizer.api.result.portfolio.AnsweredPortfolio.PlannedPortfolio;
import io.throughputoptimizer.api.result.portfolio.AnsweredPortfolio.PlannedPortfolio.PlannedService;
import io.throughputoptimizer.core.capacity.CalibratedCapacityOptimizer;
import io.throughputoptimizer.core.capacity.CapacityOptimizer;
import io.throughputoptimizer.core.capacity.CapacityResult;
import io.throughputoptimizer.core.capacity.CapacityResult.InstanceRejection;
import io.throughputoptimizer.core.capacity.Requirement;
import io.throughputoptimizer.core.capacity.ServingUnits;
import io.throughputoptimizer.core.capacity.ServingUnits.ServingUnit;
import io.throughputoptimizer.core.portfolio.Portfolio;
import io.throughputoptimizer.core.portfolio.Portfolio.Service;
import io.throughputoptimizer.core.portfolio.PortfolioPlanner;
import io.throughputoptimizer.core.search.Optimizer;
import io.throughputoptimizer.core.search.SearchMonitor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;

/// From a portfolio to its plan: searches the instances of each service as mode `capacity` does, and assigns
/// the stock. Thread-safe.
public final class PlanPortfolio {
    /// Minimum share of the time limit for the solver, however long the search of instances takes.
    private static final double FOR_SOLVER = 0.5;

    private final Optimizer optimizer;
    private final CapacityOptimizer capacities;

    public PlanPortfolio(Optimizer optimizer) {
        this.optimizer = optimizer;
        this.capacities = new CapacityOptimizer(optimizer);
    }

    /// Instances of a service.
    private record Searched(List<ServingUnit> units, List<InstanceRejection> rejections) {}

    /// The instances were not searched in time.
    public static final class SearchTooLongException extends RuntimeException {
        private SearchTooLongException(CancellationException cause) {
            super("the search took too long", cause);
        }
    }

    /// Other threads that search layouts are not interrupted with this one.
    ///
    /// @param ended whether the caller has stopped waiting
    /// @param late whether the search takes too long
    private record Ends(BooleanSupplier ended, BooleanSupplier late) implements SearchMonitor {
        @Override
        public boolean cancelled() {
            return ended.getAsBoolean() || late.getAsBoolean();
        }
    }

    /// @param ended whether the caller has stopped waiting for the plan
    /// @param late whether the search of instances has taken too long
    /// @throws SearchTooLongException soon after it has
    /// @throws io.throughputoptimizer.core.search.SearchMemoryException when a search would keep more than it may
    /// @throws CancellationException soon after the caller stops waiting
    public PlannedPortfolio plan(Asked asked, BooleanSupplier ended, BooleanSupplier late) {
        long startedAt = System.nanoTime();
        PortfolioRequest request = asked.request();
        List<Service> services = new ArrayList<>();
        List<PlannedService> planned = new ArrayList<>();
        SearchMonitor monitor = new Ends(ended, late);
        for (AskedService one : asked.services()) {
            Searched searched = inTime(one.question(), request.unfavourable(), monitor, ended);
            services.add(new Service(
                    String.valueOf(one.service().name()),
                    one.needs(),
                    one.service().weight(),
                    one.service().minReplicas(),
                    searched.units));
            planned.add(new PlannedService(one, searched.rejections));
        }
        long searchedAt = System.nanoTime();
        Duration limit = Duration.ofSeconds(request.timeLimitS());
        Duration left = limit.minusNanos(searchedAt - startedAt);
        Duration least = Duration.ofNanos((long) (FOR_SOLVER * limit.toNanos()));
        Portfolio portfolio =
                new Portfolio(services, request.kinds(), request.assignment().assignment());
        return new PlannedPortfolio(
                request,
                planned,
                PortfolioPlanner.plan(portfolio, new ScipSolver(left.compareTo(least) < 0 ? least : left)),
                Duration.ofNanos(searchedAt - startedAt),
                Duration.ofNanos(System.nanoTime() - searchedAt));
    }

    private Searched inTime(
            SearchQuestion question, boolean unfavourable, SearchMonitor monitor, BooleanSupplier ended) {
        try {
            monitor.failWhenCancelled();
            return search(question, unfavourable, monitor);
        } catch (CancellationException e) {
            throw ended.getAsBoolean() ? e : new SearchTooLongException(e);
        }
    }

    private Searched search(SearchQuestion question, boolean unfavourable, SearchMonitor monitor) {
        return switch (question) {
            case SearchQuestion.Capacity(var problem, var _) ->
                searched(capacities.withoutCurves(problem, monitor), problem.requirement(), unfavourable);
            case SearchQuestion.MeasuredCapacity(var problem) ->
                searched(
                        CalibratedCapacityOptimizer.withoutCurves(
                                problem, monitor, optimizer.allowance(), optimizer.workers()),
                        problem.requirement(),
                        unfavourable);
            case SearchQuestion.Analytic _, SearchQuestion.Calibrated _ ->
                throw new IllegalStateException("mode capacity asks for a capacity");
        };
    }

    private static Searched searched(CapacityResult result, Requirement requirement, boolean unfavourable) {
        return new Searched(ServingUnits.of(result, requirement, unfavourable), result.rejections());
    }
}

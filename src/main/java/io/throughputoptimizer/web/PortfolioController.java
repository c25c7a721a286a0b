package io.throughputoptimizer.web;

import io.throughputoptimizer.api.portfolio.PortfolioReader;
import io.throughputoptimizer.api.portfolio.PortfolioReader.Asked;
import io.throughputoptimizer.api.portfolio.PortfolioRequest;
import io.throughputoptimizer.api.request.MeasurementSets;
import io.throughputoptimizer.api.result.portfolio.AnsweredPortfolio;
import io.throughputoptimizer.core.search.SearchMemoryException;
import io.throughputoptimizer.measurement.MeasurementTable;
import io.throughputoptimizer.portfolio.PlanPortfolio;
import io.throughputoptimizer.portfolio.ScipSolver;
import io.throughputoptimizer.security.Caller;
import io.throughputoptimizer.web.bound.AtOnceThreads.PortfolioThreads;
import io.throughputoptimizer.web.bound.HttpLimits;
import io.throughputoptimizer.web.description.Reported;
import io.throughputoptimizer.web.problem.ProblemException;
import java.time.Duration;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/// One stock of devices for many services, planned while the caller waits.
@RestController
@RequestMapping("/api/v1/portfolios")
class PortfolioController {
    /// Part of the wait that is reserved for the solver beyond its limit and for writing the response.
    private static final Duration RESERVE = Duration.ofSeconds(3);

    private static final Duration SHORTEST_SEARCH = Duration.ofSeconds(1);

    private final PortfolioReader reader;
    private final PlanPortfolio planner;
    private final MeasurementTable measurements;
    private final PortfolioThreads threads;
    private final HttpLimits limits;

    PortfolioController(
            PortfolioReader reader,
            PlanPortfolio planner,
            MeasurementTable measurements,
            PortfolioThreads threads,
            HttpLimits limits) {
        this.reader = reader;
        this.planner = planner;
        this.measurements = measurements;
        this.threads = threads;
        this.limits = limits;
    }

    @Reported
    @PostMapping(consumes = {MediaType.APPLICATION_JSON_VALUE, MediaType.APPLICATION_YAML_VALUE})
    AnsweredPortfolio plan(@RequestBody PortfolioRequest request) throws InterruptedException {
        MeasurementSets sets = measurements.sets(Caller.current()::maySee);
        Asked asked = reader.read(request, sets);
        if (!ScipSolver.isThere()) {
            throw ProblemException.noSolver();
        }
        return threads.run(Caller.currentId(), _ -> answer(asked));
    }

    /// @throws ProblemException if its instances cannot be searched in the time or memory that there is
    private AnsweredPortfolio answer(Asked asked) {
        Duration search = searchTime(asked.request());
        long deadline = System.nanoTime() + search.toNanos();
        Thread waitedFor = Thread.currentThread();
        try {
            return AnsweredPortfolio.of(
                    planner.plan(asked, waitedFor::isInterrupted, () -> System.nanoTime() > deadline));
        } catch (PlanPortfolio.SearchTooLongException _) {
            throw ProblemException.portfolioTooLarge(
                    "The instances of its services were not searched within " + search.toSeconds() + " s.");
        } catch (SearchMemoryException e) {
            throw ProblemException.portfolioTooLarge(
                    "The search of instances would keep more than %s MB.".formatted(e.maximumBytes() / 1_000_000));
        }
    }

    private Duration searchTime(PortfolioRequest request) {
        Duration left = limits.longestWait().minus(RESERVE).minus(Duration.ofSeconds(request.timeLimitS()));
        return left.compareTo(SHORTEST_SEARCH) < 0 ? SHORTEST_SEARCH : left;
    }
}

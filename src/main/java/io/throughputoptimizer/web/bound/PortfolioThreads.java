package io.throughputoptimizer.web.bound;

import io.throughputoptimizer.web.problem.ProblemException;
import java.time.Duration;
import org.springframework.stereotype.Component;

/// The threads that plan portfolios. Thread-safe.
@Component
public final class PortfolioThreads extends AtOnceThreads {
    PortfolioThreads(HttpLimits limits) {
        super("portfolio", limits);
    }

    @Override
    ProblemException busy(Duration retryAfter) {
        return ProblemException.portfoliosBusy(retryAfter);
    }
}

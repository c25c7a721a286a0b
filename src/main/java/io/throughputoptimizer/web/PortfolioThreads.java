package io.throughputoptimizer.web;

import java.time.Duration;
import org.springframework.stereotype.Component;

/// The threads that plan portfolios. Thread-safe.
@Component
final class PortfolioThreads extends AtOnceThreads {
    PortfolioThreads(HttpLimits limits) {
        super("portfolio", limits);
    }

    @Override
    ProblemException busy(Duration retryAfter) {
        return ProblemException.portfoliosBusy(retryAfter);
    }
}

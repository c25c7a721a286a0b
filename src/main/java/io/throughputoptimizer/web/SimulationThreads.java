package io.throughputoptimizer.web;

import java.time.Duration;
import org.springframework.stereotype.Component;

/// The threads that simulate. Thread-safe.
@Component
final class SimulationThreads extends AtOnceThreads {
    SimulationThreads(HttpLimits limits) {
        super("simulation", limits);
    }

    @Override
    ProblemException busy(Duration retryAfter) {
        return ProblemException.simulationsBusy(retryAfter);
    }
}

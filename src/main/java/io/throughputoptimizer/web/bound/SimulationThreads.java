package io.throughputoptimizer.web.bound;

import io.throughputoptimizer.web.problem.ProblemException;
import java.time.Duration;
import org.springframework.stereotype.Component;

/// The threads that simulate. Thread-safe.
@Component
public final class SimulationThreads extends AtOnceThreads {
    SimulationThreads(HttpLimits limits) {
        super("simulation", limits);
    }

    @Override
    ProblemException busy(Duration retryAfter) {
        return ProblemException.simulationsBusy(retryAfter);
    }
}

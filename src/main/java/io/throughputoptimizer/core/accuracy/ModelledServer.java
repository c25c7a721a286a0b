package io.throughputoptimizer.core.accuracy;

import io.throughputoptimizer.core.load.CacheUse;
import io.throughputoptimizer.core.load.EngineSettings.Scheduling;
import io.throughputoptimizer.core.load.LawOutcome;
import io.throughputoptimizer.core.load.ServingRank;
import io.throughputoptimizer.core.load.SteadyFigures;
import io.throughputoptimizer.core.load.SteadyLaw;
import io.throughputoptimizer.core.replica.CalibratedRank;

/// A benchmarked server with the predictions of the steady-state law, in milliseconds.
public record ModelledServer(MeasuredServer server, double tpotMillis, double ttftMillis) {

    /// @throws IllegalArgumentException if the model predicts that the server cannot run
    public static ModelledServer of(MeasuredServer server) {
        MeasuredServer.Benchmark benchmark = server.benchmark();
        ServingRank rank = CalibratedRank.of(
                server.deployment(),
                new CalibratedRank.Limits(
                        benchmark.kvTokens(), Scheduling.NO_LIMIT, benchmark.pollInterval(), CacheUse.TOKENS, null));
        SteadyLaw law = new SteadyLaw(rank, benchmark.lengths().mean(0), benchmark.waves());
        double concurrency =
                (double) benchmark.concurrency() / server.deployment().layout().dp();
        return switch (law.at(concurrency)) {
            case SteadyFigures figures ->
                new ModelledServer(server, figures.tpotMillis(), figures.ttft().benchmarkMillis());
            case LawOutcome other -> throw new IllegalArgumentException(server.id() + " ran, but " + other);
        };
    }
}

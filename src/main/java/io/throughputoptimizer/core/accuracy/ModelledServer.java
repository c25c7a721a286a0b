package io.throughputoptimizer.core.accuracy;

import io.throughputoptimizer.core.replica.CalibratedRank;
import io.throughputoptimizer.core.steady.CacheUse;
import io.throughputoptimizer.core.steady.EngineSettings.Scheduling;
import io.throughputoptimizer.core.steady.LawOutcome;
import io.throughputoptimizer.core.steady.ServingRank;
import io.throughputoptimizer.core.steady.SteadyFigures;
import io.throughputoptimizer.core.steady.SteadyLaw;

/// A benchmarked server with the predictions of the steady-state law, in milliseconds.
public record ModelledServer(MeasuredServer server, double tpotMillis, double ttftMillis) {

    /// @throws IllegalArgumentException if the model predicts that the server cannot run
    public static ModelledServer of(MeasuredServer server) {
        MeasuredServer.Benchmark benchmark = server.benchmark();
        ServingRank rank = CalibratedRank.of(
                server.deployment(),
                new CalibratedRank.Limits(
                        benchmark.kvTokens(), Scheduling.NO_LIMIT, benchmark.pollInterval(), CacheUse.TOKENS));
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

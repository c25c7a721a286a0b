package io.throughputoptimizer.core.measured;

import io.throughputoptimizer.core.silicon.SiliconDeployment;
import io.throughputoptimizer.core.steady.BestConcurrency.Found;
import io.throughputoptimizer.core.steady.LawOutcome;
import io.throughputoptimizer.core.steady.LawOutcome.Figures;
import java.util.List;

/// Instances on the only device of a problem, or pairs on its two kinds, that can be priced at any concurrency. That of
/// replicas is the requests
/// outstanding at each rank, that of pairs those over all instances.
public sealed interface MeasuredServing permits PricedReplicas, PricedPair {

    /// All that a problem of one device, or of one pair of kinds, asks for and that can be run and priced there.
    ///
    /// @param checkpoint is called again and again, and may end the work by an exception
    static List<MeasuredServing> all(MeasuredProblem problem, Runnable checkpoint) {
        return problem.instances() == null
                ? problem.layouts(problem.devices().getFirst()).stream()
                        .flatMap(layout -> {
                            checkpoint.run();
                            return PricedReplicas.of(problem, layout).stream();
                        })
                        .<MeasuredServing>map(replicas -> replicas)
                        .toList()
                : PricedPair.all(problem, checkpoint).stream()
                        .<MeasuredServing>map(pair -> pair)
                        .toList();
    }

    Arrangement arrangement();

    /// What the law says of so many requests.
    LawOutcome at(int concurrency);

    /// The least that a search tries.
    int leastConcurrency();

    /// The most that a search tries.
    int mostConcurrency();

    /// The best of all concurrencies that a search tries.
    ///
    /// @param checkpoint is called again and again, and may end the work by an exception
    Found search(Runnable checkpoint);

    /// Requests that a rank which decodes runs at figures of the law.
    double running(Figures figures);

    /// Equal parts of the load, of which the law looks at one: ranks of replicas; 1 of pairs.
    int shares();

    /// Output tokens per second of all instances at figures of the law.
    default double tokensPerSecond(Figures figures) {
        return figures.outputTokensPerSecond() * shares();
    }

    /// Devices that work.
    int devices();

    /// An instance that decodes.
    SiliconDeployment decoding();

    /// What is delivered at a concurrency that fits in memory.
    ServedPoint pointAt(int concurrency);

    /// The same with what it consists of.
    ServedRow rowAt(int concurrency);
}

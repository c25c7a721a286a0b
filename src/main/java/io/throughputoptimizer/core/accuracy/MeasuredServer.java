package io.throughputoptimizer.core.accuracy;

import io.throughputoptimizer.core.kernels.CalibratedDeployment;
import io.throughputoptimizer.core.load.RequestLengths;
import java.util.OptionalDouble;

/// A benchmarked server and its results.
///
/// @param device catalog name
/// @param model name used by the benchmark
/// @param engineVersion version; empty if unknown
/// @param deployment deployment of one replica
public record MeasuredServer(
        String id,
        String model,
        String device,
        String engineVersion,
        CalibratedDeployment deployment,
        Benchmark benchmark,
        Measured measured) {

    /// Workload and state of the benchmark.
    ///
    /// @param concurrency outstanding requests per replica
    /// @param waves requests of the benchmark divided by its concurrency
    /// @param pollInterval engine steps between checks for new requests
    /// @param kvTokens KV cache capacity of a rank in tokens; infinity if the estimate is below what
    ///     demonstrably ran
    public record Benchmark(RequestLengths lengths, int concurrency, double waves, int pollInterval, double kvTokens) {}

    /// Mean latencies in milliseconds; empty if the measurement is not usable, such as TTFT with another
    /// definition.
    ///
    /// @param rooflineTpotMillis TPOT of a roofline with the same constants for every kernel
    public record Measured(OptionalDouble tpotMillis, OptionalDouble ttftMillis, double rooflineTpotMillis) {}

    /// Returns whether its model has routed experts.
    public boolean hasExperts() {
        return deployment.model().experts().isPresent();
    }
}

package io.throughputoptimizer.core.accuracy;

import io.throughputoptimizer.core.silicon.SiliconDeployment;
import io.throughputoptimizer.core.steady.RequestLengths;
import java.util.OptionalDouble;

/// A server that somebody ran a benchmark on, and what the benchmark printed.
///
/// @param device catalogue name
/// @param model as those call it who measured it
/// @param engineVersion empty where it is not known
/// @param deployment of one replica
public record MeasuredServer(
        String id,
        String model,
        String device,
        String engineVersion,
        SiliconDeployment deployment,
        Benchmark benchmark,
        Measured measured) {

    /// The load, and what it met.
    ///
    /// @param concurrency requests outstanding at the replica
    /// @param waves requests of the benchmark per outstanding one
    /// @param pollInterval steps after which the engine looked at new requests
    /// @param kvTokens of the cache of a rank; infinity where the estimate is too small for what demonstrably ran
    public record Benchmark(RequestLengths lengths, int concurrency, double waves, int pollInterval, double kvTokens) {}

    /// Means, in milliseconds; empty where the measurement is not usable, such as a TTFT of another definition.
    ///
    /// @param rooflineTpotMillis what a roofline with the same constants for every kernel says
    public record Measured(OptionalDouble tpotMillis, OptionalDouble ttftMillis, double rooflineTpotMillis) {}

    /// Whether its model has routed experts.
    public boolean hasExperts() {
        return deployment.model().experts().isPresent();
    }
}

package io.throughputoptimizer.core.search.batch;

import io.throughputoptimizer.core.cost.BoundShares;
import io.throughputoptimizer.core.forward.MemoryFootprint;
import io.throughputoptimizer.core.serving.Figures;
import io.throughputoptimizer.core.serving.Load;
import io.throughputoptimizer.core.serving.ServingOutcome;
import io.throughputoptimizer.core.serving.ServingPoint;
import io.throughputoptimizer.core.serving.ServingPoint.PhaseCost;
import io.throughputoptimizer.core.serving.ServingPoint.PhaseCosts;
import io.throughputoptimizer.core.workload.Limits;
import io.throughputoptimizer.fixture.OptimizerVectors;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Stand-in for a candidate in the golden search traces: memory and latencies are straight lines over the batch
/// size, on a device of 64 GiB with 8 GiB of weights and 10 GiB reserved.
record SearchModel(JsonNode parameters, Limits limits) {
    private static final double CAPACITY = 64;
    private static final double WEIGHTS = 8;
    private static final double RESERVED = 10;

    static SearchModel named(String name) {
        JsonNode parameters = OptimizerVectors.common("search_models").required(name);
        return new SearchModel(
                parameters,
                new Limits(
                        OptimizerVectors.number(parameters, "ttft_limits"),
                        OptimizerVectors.number(parameters, "tpot_limits")));
    }

    ServingOutcome outcome(long batchSize) {
        double freeGib = parameters.required("mem_free").doubleValue()
                - parameters.required("mem_per_req").doubleValue() * batchSize;
        Double ttft = line("ttft0", "ttft1", batchSize);
        Double tpot = line("tpot0", "tpot1", batchSize);
        return outcome(batchSize, new Latencies(ttft, tpot), freeGib, limits);
    }

    /// An outcome with plenty of memory.
    static ServingOutcome outcome(long batchSize, double tpotMillis, Limits limits) {
        return outcome(batchSize, new Latencies(null, tpotMillis), CAPACITY - WEIGHTS - RESERVED, limits);
    }

    private record Latencies(
            @Nullable Double ttft, @Nullable Double tpot) {
        double deciding() {
            return tpot != null ? tpot : Objects.requireNonNull(ttft);
        }
    }

    private static ServingOutcome outcome(long batchSize, Latencies latencies, double freeGib, Limits limits) {
        double gib = MemoryFootprint.GIB;
        MemoryFootprint memory = new MemoryFootprint(
                CAPACITY * gib,
                RESERVED * gib,
                WEIGHTS * gib,
                (CAPACITY - WEIGHTS - RESERVED - freeGib) * gib,
                0,
                0,
                0,
                false,
                true);
        double tokensPerSecond = batchSize * 1000.0 / latencies.deciding();
        ServingPoint point = new ServingPoint(
                new Load(batchSize, batchSize),
                new Figures(
                        latencies.ttft, latencies.tpot, tokensPerSecond, tokensPerSecond, tokensPerSecond, null, null),
                new PhaseCosts(null, new PhaseCost(BoundShares.ZERO, memory)),
                0,
                List.of());
        return ServingOutcome.of(point, limits);
    }

    private @Nullable Double line(String atZero, String perRequest, long batchSize) {
        return parameters.has(atZero)
                ? parameters.required(atZero).doubleValue()
                        + parameters.required(perRequest).doubleValue() * batchSize
                : null;
    }
}

package io.throughputoptimizer.core.measured;

import io.throughputoptimizer.core.silicon.Engine.CacheRule;
import io.throughputoptimizer.core.silicon.SiliconDeployment;
import io.throughputoptimizer.core.silicon.SiliconMemory;
import io.throughputoptimizer.core.steady.Breach;
import io.throughputoptimizer.core.steady.Breach.Limit;
import java.util.List;
import java.util.Optional;

/// Memory of a device that does not hold a rank with one request, in bytes:
///
///     device < weights + engine + request
///
/// @param deviceBytes capacity of the device
/// @param weightBytes weights of the rank
/// @param engineBytes memory that the engine keeps from weights and KV cache
/// @param requestBytes KV cache and states of one request
public record MemoryShortage(double deviceBytes, double weightBytes, double engineBytes, double requestBytes) {

    /// The shortage of a deployment; empty if the first limit that it breaks is not memory, or a request states the
    /// tokens of its KV cache.
    public static Optional<MemoryShortage> of(SiliconDeployment deployment, List<Breach> breaches) {
        SiliconMemory memory = SiliconMemory.of(deployment);
        Breach first = breaches.getFirst();
        if (first.limit() != Limit.KV_TOKENS || first.allowed() != memory.cacheTokens()) {
            return Optional.empty();
        }
        double device = deployment.calibration().peaks().memoryBytes();
        CacheRule rule = deployment.engine().cacheRule();
        double kept = device * (1 - rule.memoryFraction()) + rule.reserveBytes();
        return Optional.of(new MemoryShortage(
                device,
                memory.weightBytes(),
                Math.max(kept, device - memory.weightBytes() - memory.cacheBytes()),
                first.value() * memory.cacheBytesPerToken()));
    }

    /// `weights + engine + request`
    public double neededBytes() {
        return weightBytes + engineBytes + requestBytes;
    }
}

package io.throughputoptimizer.core.measured;

import io.throughputoptimizer.core.memory.RankMemory;
import io.throughputoptimizer.core.replica.RankLimits;
import io.throughputoptimizer.core.replica.SimulatedDeployment;
import io.throughputoptimizer.core.search.BindingLimit;
import io.throughputoptimizer.core.silicon.OperatorTime;
import io.throughputoptimizer.core.silicon.SiliconDeployment;
import io.throughputoptimizer.core.silicon.SiliconMemory;
import io.throughputoptimizer.core.silicon.Speculation;
import io.throughputoptimizer.core.steady.RequestLengths;
import io.throughputoptimizer.core.workload.Phase;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Instances at their best concurrency.
///
/// @param at what they deliver there
/// @param steps what a decode step and a prompt consist of
/// @param cacheTokens that the KV cache of a rank which decodes holds
/// @param simulation of one rank at that concurrency, or at the rate that was asked for; absent unless asked for
/// @param most the same layouts of a pair in the numbers that serve most on the devices available; absent where its own
///     do
/// @param unreliable what more requests at once promise with figures that cannot be relied on; absent where that is no
///     more
/// @param binds what keeps the concurrency from being larger, as far as its search knows: every limit that the next one
///     breaks, or what else; none where nobody asked for it
public record MeasuredRow(
        MeasuredPoint at,
        Steps steps,
        double cacheTokens,
        SimulatedDeployment.@Nullable Outcome simulation,
        @Nullable MeasuredPoint most,
        @Nullable MeasuredPoint unreliable,
        Set<BindingLimit> binds) {
    public MeasuredRow {
        binds = Set.copyOf(binds);
    }

    /// Operators of the two kinds of step.
    ///
    /// @param parts of a decode step; absent where it drafts nothing
    public record Steps(List<OperatorTime> decode, List<OperatorTime> prefill, Speculation.@Nullable StepParts parts) {}

    /// Returns the memory of a rank that decodes, as its launch command has it; empty where the law does not cover it.
    ///
    /// @param lengths lengths of the requests
    public Optional<RankMemory> memory(RequestLengths lengths) {
        SiliconDeployment decoding = at.instances().decoding();
        Phase phase = at.instances() instanceof MeasuredInstances.Pair ? Phase.DECODE : Phase.AGGREGATION;
        long longest = (long) lengths.longestInput() + lengths.longestOutput();
        return SiliconMemory.isSpecified(decoding)
                ? Optional.of(RankLimits.memory(decoding, phase, sequences(), longest))
                : Optional.empty();
    }

    /// Returns the memory of a rank of a pair that prefills one prompt at a time, with the layers that draft: its
    /// launch
    /// command names them too. Empty where the law does not cover it.
    ///
    /// @param lengths lengths of the requests
    public Optional<RankMemory> promptMemory(RequestLengths lengths) {
        MeasuredInstances.Pair pair = at.pair();
        SiliconDeployment prefilling = pair.prefill().with(pair.decode().speculation());
        return SiliconMemory.isSpecified(prefilling)
                ? Optional.of(RankLimits.memory(prefilling, Phase.PREFILL, 1, lengths.longestInput()))
                : Optional.empty();
    }

    /// Requests outstanding at a rank that decodes: its most sequences.
    public int sequences() {
        return switch (at.instances()) {
            case MeasuredInstances.Replicas _ -> (int) Math.ceil(at.figures().concurrency());
            case MeasuredInstances.Pair pair ->
                (int) Math.ceilDiv(
                        at.concurrency(),
                        (long) pair.counts().decode() * pair.decode().layout().dp());
        };
    }

    MeasuredRow with(SimulatedDeployment.Outcome simulated) {
        return new MeasuredRow(at, steps, cacheTokens, simulated, most, unreliable, binds);
    }

    public MeasuredRow withBinds(Set<BindingLimit> limits) {
        return new MeasuredRow(at, steps, cacheTokens, simulation, most, unreliable, limits);
    }

    MeasuredRow withUnreliable(@Nullable MeasuredPoint other) {
        return new MeasuredRow(at, steps, cacheTokens, simulation, most, other, binds);
    }

    MeasuredRow withMost(MeasuredPoint other) {
        boolean more = other.figures().requestsPerSecond() > at.figures().requestsPerSecond();
        return new MeasuredRow(at, steps, cacheTokens, simulation, more ? other : null, unreliable, binds);
    }
}

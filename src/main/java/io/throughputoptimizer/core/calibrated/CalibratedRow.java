package io.throughputoptimizer.core.calibrated;

import io.throughputoptimizer.core.kernels.CalibratedDeployment;
import io.throughputoptimizer.core.kernels.CalibratedMemory;
import io.throughputoptimizer.core.kernels.OperatorTime;
import io.throughputoptimizer.core.kernels.Speculation;
import io.throughputoptimizer.core.load.RequestLengths;
import io.throughputoptimizer.core.memory.RankMemory;
import io.throughputoptimizer.core.replica.RankLimits;
import io.throughputoptimizer.core.replica.SimulatedDeployment;
import io.throughputoptimizer.core.search.BindingLimit;
import io.throughputoptimizer.core.workload.Phase;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Calibrated deployment at its best concurrency.
///
/// @param at figures at that concurrency
/// @param steps operators of a decode step and a prefill step
/// @param cacheTokens KV cache capacity of a decode rank, in tokens
/// @param simulation simulation of one rank at that concurrency, or at the requested rate; absent unless
///     requested
/// @param most same layouts of a pair in the counts with the highest throughput on the available devices;
///     absent if its own counts have it
/// @param unreliable unreliable figures of a higher concurrency that promise more; absent if there are none
/// @param binds limiting constraints of the concurrency, as far as its search knows: every limit that the next
///     one exceeds, or another reason; empty if unknown
public record CalibratedRow(
        CalibratedPoint at,
        Steps steps,
        double cacheTokens,
        SimulatedDeployment.@Nullable Outcome simulation,
        @Nullable CalibratedPoint most,
        @Nullable CalibratedPoint unreliable,
        Set<BindingLimit> binds) {
    public CalibratedRow {
        binds = Set.copyOf(binds);
    }

    /// Operators of both kinds of step.
    ///
    /// @param parts parts of a decode step; absent without drafts
    public record Steps(List<OperatorTime> decode, List<OperatorTime> prefill, Speculation.@Nullable StepParts parts) {}

    /// Returns the memory of a rank that decodes, as its launch command has it; empty where the law does not cover it.
    ///
    /// @param lengths lengths of the requests
    public Optional<RankMemory> memory(RequestLengths lengths) {
        CalibratedDeployment decoding = at.instances().decoding();
        Phase phase = at.instances() instanceof CalibratedInstances.Pair ? Phase.DECODE : Phase.AGGREGATION;
        long longest = (long) lengths.longestInput() + lengths.longestOutput();
        return CalibratedMemory.isSpecified(decoding)
                ? Optional.of(RankLimits.memory(decoding, phase, sequences(), longest))
                : Optional.empty();
    }

    /// Returns the memory of a prefill rank of a pair, for one prompt at a time and with the drafting layers,
    /// which its launch command names too. Empty if the memory model does not cover it.
    ///
    /// @param lengths lengths of the requests
    public Optional<RankMemory> promptMemory(RequestLengths lengths) {
        CalibratedInstances.Pair pair = at.pair();
        CalibratedDeployment prefilling = pair.prefill().with(pair.decode().speculation());
        return CalibratedMemory.isSpecified(prefilling)
                ? Optional.of(RankLimits.memory(prefilling, Phase.PREFILL, 1, lengths.longestInput()))
                : Optional.empty();
    }

    /// Returns the requests in flight at a decode rank: its maximum sequences.
    public int sequences() {
        return switch (at.instances()) {
            case CalibratedInstances.Replicas _ -> (int) Math.ceil(at.figures().concurrency());
            case CalibratedInstances.Pair pair ->
                (int) Math.ceilDiv(
                        at.concurrency(),
                        (long) pair.counts().decode() * pair.decode().layout().dp());
        };
    }

    CalibratedRow with(SimulatedDeployment.Outcome simulated) {
        return new CalibratedRow(at, steps, cacheTokens, simulated, most, unreliable, binds);
    }

    public CalibratedRow withBinds(Set<BindingLimit> limits) {
        return new CalibratedRow(at, steps, cacheTokens, simulation, most, unreliable, limits);
    }

    CalibratedRow withUnreliable(@Nullable CalibratedPoint other) {
        return new CalibratedRow(at, steps, cacheTokens, simulation, most, other, binds);
    }

    CalibratedRow withMost(CalibratedPoint other) {
        boolean more = other.figures().requestsPerSecond() > at.figures().requestsPerSecond();
        return new CalibratedRow(at, steps, cacheTokens, simulation, more ? other : null, unreliable, binds);
    }
}

package io.throughputoptimizer.core.capacity;

import static java.util.Objects.requireNonNull;

import io.throughputoptimizer.core.capacity.CapacityResult.InstancePeak;
import io.throughputoptimizer.core.capacity.EqualInstances.AtMost;
import io.throughputoptimizer.core.capacity.Requirement.Unit;
import io.throughputoptimizer.core.deployment.QuantizationScheme;
import io.throughputoptimizer.core.hardware.DeviceProfile;
import io.throughputoptimizer.core.load.PrefixCacheStats;
import io.throughputoptimizer.core.search.BindingLimit;
import io.throughputoptimizer.core.search.OptimizationProblem;
import io.throughputoptimizer.core.search.ResultRow;
import io.throughputoptimizer.core.search.ResultRow.CompositionRow;
import io.throughputoptimizer.core.search.space.Candidate;
import io.throughputoptimizer.core.workload.Lengths;
import io.throughputoptimizer.core.workload.Phase;
import io.throughputoptimizer.core.workload.Workload;
import java.util.List;
import java.util.Set;

/// The highest capacity of an instance of one candidate within the limits.
///
/// @param problem problem of a single such instance
/// @param phase phase of the instance
/// @param row row with the highest capacity
public record Peak(OptimizationProblem problem, Phase phase, ResultRow row) implements AtMost, InstancePeak {
    /// Rounding error of a row, in tokens per second.
    private static final double ROUNDED = 0.001;

    public DeviceProfile device() {
        return problem.devices().getFirst();
    }

    @Override
    public int size() {
        return row.layout().deviceCount();
    }

    Candidate candidate() {
        return row.candidate();
    }

    @Override
    public Ratio ability(Requirement requirement) {
        return served(row, phase == Phase.PREFILL ? Unit.REQUESTS_PER_S : requirement.unit());
    }

    /// Returns the capacity of a row in a unit of demand.
    Ratio served(ResultRow of, Unit unit) {
        return switch (unit) {
            case CONCURRENCY -> concurrency(of);
            case CONVERSATIONS -> Ratio.of(conversations(of));
            case REQUESTS_PER_S, TOKENS_PER_S -> rate(of);
        };
    }

    /// Returns the open conversations of all ranks.
    static double conversations(ResultRow row) {
        PrefixCacheStats kept = requireNonNull(row.figures().kept(), "requests that are turns of no conversation");
        return kept.conversations() * row.concurrency() / row.batchSize();
    }

    /// Returns the concurrency.
    static Ratio concurrency(ResultRow row) {
        return Ratio.of(row.concurrency());
    }

    /// Returns the request rate by which instances are counted: the rate of the row, limited to the sustainable
    /// rate. Prefill and decode instances under accounting `steady` count by their sustainable rate, as pairs of
    /// mode `pd_ratio` do: rows round their tokens per second.
    Ratio rate(ResultRow of) {
        double sustained = of.figures().sustainedRequestsPerS();
        if (phase != Phase.AGGREGATION && !of.candidate().terms().accounting().isReference()) {
            return Ratio.of(sustained);
        }
        Ratio promised = promised(of);
        double share = 1 - ROUNDED / of.figures().tokensPerSecond();
        return promised.value() * share <= sustained ? promised : Ratio.of(sustained);
    }

    /// Returns the tokens per second divided by the tokens a phase produces per request: the prompt in prefill
    /// (the mean prompt of a mixed batch), the output tokens without the first in decode, and all output tokens
    /// in aggregated instances.
    private Ratio promised(ResultRow of) {
        Workload workload = of.candidate().terms().workload();
        double tokens = of.figures().tokensPerSecond();
        return switch (phase) {
            case AGGREGATION -> Ratio.of(tokens, workload.outputs().mean());
            case DECODE -> Ratio.of(tokens, workload.outputs().meanDecoded());
            case PREFILL ->
                switch (workload.lengths()) {
                    case Lengths.Fixed(int inputTokens) -> Ratio.of(tokens, inputTokens);
                    case Lengths.Mixed _ -> Ratio.of(tokens).times(requestsPerToken(of.composition()));
                };
        };
    }

    /// Returns the open conversations of the instance. Requires requests that are turns.
    public double openConversations() {
        return conversations(row);
    }

    /// Returns the request rate of the instance.
    public double requestsPerSecond() {
        return rate(row).value();
    }

    private static Ratio requestsPerToken(List<CompositionRow> mix) {
        return Ratio.of(
                mix.stream().mapToLong(CompositionRow::samples).sum(),
                mix.stream()
                        .mapToLong(part -> part.samples() * part.inputTokens())
                        .sum());
    }

    /// Key of instances that can be paired.
    ///
    /// @param device name of the kind of device
    record Side(String device, Phase phase, QuantizationScheme quantization, int draftTokens) {
        Side with(Phase other) {
            return new Side(device, other, quantization, draftTokens);
        }
    }

    Side side() {
        Candidate candidate = candidate();
        return new Side(device().name(), phase, candidate.deployment().quantization(), candidate.draftTokens());
    }

    /// Returns its part of the end-to-end latency: TTFT for prefill, else TPOT.
    double latencyMillis() {
        return latencyMillis(row);
    }

    double latencyMillis(ResultRow of) {
        return requireNonNull(
                phase == Phase.PREFILL
                        ? of.figures().ttftMillis()
                        : of.figures().tpotMillis());
    }

    /// Returns a copy with its bottleneck.
    Peak boundBy(BindingLimit limit) {
        return new Peak(problem, phase, row.withBinds(Set.of(limit)));
    }

    /// Returns whether requests can be transferred between both: equal weights, drafts and KV cache type.
    boolean handsLike(Peak other) {
        return row.candidate().hands(other.row.candidate());
    }

    /// Returns whether its capacity is above 0.
    boolean serves() {
        return row.figures().tokensPerSecond() > 0 && row.figures().sustainedRequestsPerS() > 0;
    }
}

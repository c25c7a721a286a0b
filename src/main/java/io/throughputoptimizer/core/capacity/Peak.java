package io.throughputoptimizer.core.capacity;

import static java.util.Objects.requireNonNull;

import io.throughputoptimizer.core.capacity.CapacityResult.InstancePeak;
import io.throughputoptimizer.core.capacity.EqualInstances.AtMost;
import io.throughputoptimizer.core.capacity.Requirement.Unit;
import io.throughputoptimizer.core.deployment.QuantizationScheme;
import io.throughputoptimizer.core.hardware.DeviceProfile;
import io.throughputoptimizer.core.search.BindingLimit;
import io.throughputoptimizer.core.search.OptimizationProblem;
import io.throughputoptimizer.core.search.ResultRow;
import io.throughputoptimizer.core.search.ResultRow.CompositionRow;
import io.throughputoptimizer.core.search.space.Candidate;
import io.throughputoptimizer.core.serving.Accounting;
import io.throughputoptimizer.core.steady.KeptCaches;
import io.throughputoptimizer.core.workload.Lengths;
import io.throughputoptimizer.core.workload.Phase;
import io.throughputoptimizer.core.workload.Workload;
import java.util.List;
import java.util.Set;

/// The most that an instance of one candidate serves within the limits.
///
/// @param problem of a single such instance
/// @param phase what the instance does
/// @param row where it serves most
public record Peak(OptimizationProblem problem, Phase phase, ResultRow row) implements AtMost, InstancePeak {
    /// Tokens a second by which a row may be off.
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

    /// What a row of it serves, in what a demand counts.
    Ratio served(ResultRow of, Unit unit) {
        return switch (unit) {
            case CONCURRENCY -> concurrency(of);
            case CONVERSATIONS -> Ratio.of(conversations(of));
            case REQUESTS_PER_S, TOKENS_PER_S -> rate(of);
        };
    }

    /// Conversations that are open at once, of all ranks.
    static double conversations(ResultRow row) {
        KeptCaches kept = requireNonNull(row.figures().kept(), "requests that are turns of no conversation");
        return kept.conversations() * row.concurrency() / row.batchSize();
    }

    /// Requests at once.
    static Ratio concurrency(ResultRow row) {
        return Ratio.of(row.concurrency());
    }

    /// Requests a second that instances are counted by. With the reference's accounting and that of a lasting load
    /// that is what a row promises, as far as there is time for it; else what there is time for.
    Ratio rate(ResultRow of) {
        Ratio promised = promised(of);
        double sustained = of.figures().sustainedQps();
        double share = 1 - ROUNDED / of.figures().tokensPerSecond();
        return countsPromises(of.candidate().terms().accounting()) && promised.value() * share <= sustained
                ? promised
                : Ratio.of(sustained);
    }

    /// Whether instances are counted by what rows promise.
    static boolean countsPromises(Accounting accounting) {
        return accounting.isReference() || accounting.promisesWhatItSustains();
    }

    /// Tokens per second by the tokens that the phase makes of a request. These are the prompt in
    /// prefill, or the mean prompt of a mixed batch; in decode all output tokens but the first, which comes with
    /// the prompt; and all output tokens where an instance does both.
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

    /// Conversations that it keeps open at once; of requests that are turns of some.
    public double openConversations() {
        return conversations(row);
    }

    /// Requests a second that it serves.
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

    /// Which instances it can be paired with.
    ///
    /// @param device name of its kind
    record Side(String device, Phase phase, QuantizationScheme quantization, int draftTokens) {
        Side with(Phase other) {
            return new Side(device, other, quantization, draftTokens);
        }
    }

    Side side() {
        Candidate candidate = candidate();
        return new Side(device().name(), phase, candidate.deployment().quantization(), candidate.draftTokens());
    }

    /// Its part of the time of an answer: TTFT of prefill, TPOT where it generates.
    double latencyMillis() {
        return latencyMillis(row);
    }

    double latencyMillis(ResultRow of) {
        return requireNonNull(
                phase == Phase.PREFILL
                        ? of.figures().ttftMillis()
                        : of.figures().tpotMillis());
    }

    /// The same with what keeps it from serving more.
    Peak boundBy(BindingLimit limit) {
        return new Peak(problem, phase, row.withBinds(Set.of(limit)));
    }

    /// Whether requests can be handed from one of both to the other: the same weights and drafts, and caches of one
    /// type.
    boolean handsLike(Peak other) {
        return row.candidate().hands(other.row.candidate());
    }

    /// Whether it serves anything that can be counted.
    boolean serves() {
        return row.figures().tokensPerSecond() > 0 && row.figures().sustainedQps() > 0;
    }
}

package io.throughputoptimizer.core.serving;

import io.throughputoptimizer.core.deployment.PassAccounting;
import io.throughputoptimizer.core.workload.Phase;
import io.throughputoptimizer.core.workload.Workload;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/// Which formulas turn forward passes into TTFT, TPOT and throughput; chosen once per problem. Whatever two
/// accountings do differently is a policy here, so that no formula elsewhere asks which one is in use.
///
/// @param name used in requests and results
/// @param budget tokens of one prefill pass
/// @param waves passes in which requests are prefilled
/// @param tpot how TTFT is shared out over output tokens and counts in throughput
/// @param completion when prefilled requests are done
/// @param aggregation how instances that prefill and decode work their requests off
/// @param passes what passes count where the reference is wrong
public record Accounting(
        String name,
        TokenBudget budget,
        WavePolicy waves,
        TpotLaw tpot,
        Completion completion,
        Aggregation aggregation,
        PassAccounting passes) {
    /// Requests of a benchmark per outstanding one, where a load lasts.
    static final double WAVES = 10;

    /// The formulas of the documented optimizer, its oddities included.
    public static final Accounting DOCUMENTED = new Accounting(
            "documented",
            TokenBudget.OF_INSTANCE,
            WavePolicy.AS_PLANNED,
            TpotLaw.TTFT_TWICE,
            Completion.WITH_PHASE,
            Aggregation.BY_BATCH,
            PassAccounting.DOCUMENTED);

    /// The documented formulas put right.
    public static final Accounting CORRECTED = new Accounting(
            "corrected",
            TokenBudget.OF_RANK,
            WavePolicy.AS_RUN,
            TpotLaw.TTFT_ONCE,
            Completion.OF_EACH_REQUEST,
            Aggregation.BY_BATCH,
            PassAccounting.CORRECTED);

    /// What clients see of a load that lasts: figures never promise more than the devices have time for.
    public static final Accounting STEADY = new Accounting(
            "steady",
            TokenBudget.OF_RANK,
            WavePolicy.AS_RUN,
            TpotLaw.TTFT_ONCE,
            Completion.OF_LASTING_LOAD,
            Aggregation.UNDER_LASTING_LOAD,
            PassAccounting.CORRECTED);

    /// Whether instances of this kind serve requests of unequal length.
    public boolean servesMixedLengths(Phase phase) {
        return switch (phase) {
            case PREFILL -> true;
            case AGGREGATION, DECODE -> budget.cutsMixedBatches();
        };
    }

    /// What instances see of a workload: a single bin is a fixed length, but to the reference.
    Workload seen(Workload workload) {
        return isReference() ? workload : workload.withoutSoleBin();
    }

    /// Requests per second of a phase by itself; empty of an instance that does both. Those that a lasting load is
    /// served at are what its passes have time for.
    public OptionalDouble qps(
            ServingPoint point, @Nullable Double ttftMillis, @Nullable Double tpotMillis, double outputTokens) {
        OptionalDouble promised = QueryRate.of(point.load().concurrency(), ttftMillis, tpotMillis, outputTokens);
        return promised.isPresent() && promisesWhatItSustains()
                ? OptionalDouble.of(point.figures().sustainedQps())
                : promised;
    }

    /// Whether rows promise no more requests a second than they sustain, by the formulas themselves.
    public boolean promisesWhatItSustains() {
        return aggregation == Aggregation.UNDER_LASTING_LOAD;
    }

    /// Whether figures are those of the reference, which others must not be taken for.
    public boolean isReference() {
        return equals(DOCUMENTED);
    }
}

package io.throughputoptimizer.core.serving;

import io.throughputoptimizer.core.deployment.PassAccounting;
import io.throughputoptimizer.core.workload.Phase;
import io.throughputoptimizer.core.workload.Workload;

/// Which formulas turn forward passes into TTFT, TPOT and throughput; chosen once per problem. Whatever two
/// accountings do differently is a policy here, so that no formula elsewhere asks which one is in use.
///
/// @param name used in requests and results
/// @param budget tokens of one prefill pass
/// @param waves passes in which requests are prefilled
/// @param tpot how TTFT is shared out over output tokens and counts in throughput
/// @param completion when prefilled requests are done
/// @param passes what passes count where the reference is wrong
public record Accounting(
        String name, TokenBudget budget, WavePolicy waves, TpotLaw tpot, Completion completion, PassAccounting passes) {

    /// The formulas of the documented optimizer, its oddities included.
    public static final Accounting DOCUMENTED = new Accounting(
            "documented",
            TokenBudget.OF_INSTANCE,
            WavePolicy.AS_PLANNED,
            TpotLaw.TTFT_TWICE,
            Completion.WITH_PHASE,
            PassAccounting.DOCUMENTED);

    /// The documented formulas put right.
    public static final Accounting CORRECTED = new Accounting(
            "corrected",
            TokenBudget.OF_RANK,
            WavePolicy.AS_RUN,
            TpotLaw.TTFT_ONCE,
            Completion.OF_EACH_REQUEST,
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

    /// Whether figures are those of the reference, which others must not be taken for.
    public boolean isReference() {
        return equals(DOCUMENTED);
    }
}

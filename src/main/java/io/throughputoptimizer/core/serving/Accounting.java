package io.throughputoptimizer.core.serving;

import io.throughputoptimizer.core.deployment.PassAccounting;
import io.throughputoptimizer.core.workload.Phase;
import io.throughputoptimizer.core.workload.Workload;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/// A set of formulas that turn forward passes into TTFT, TPOT and throughput, chosen once per problem. Every
/// difference between accountings is a policy here, so no other formula tests which accounting is in use.
///
/// @param name used in requests and results
/// @param budget tokens of one prefill pass
/// @param waves grouping of requests into prefill passes
/// @param tpot share of TTFT in TPOT and in throughput
/// @param completion completion times of prefilled requests
/// @param aggregation schedule of instances that both prefill and decode
/// @param passes costs of a pass, where the reference's are wrong
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

    /// Figures under a lasting load: they never promise more than the devices have time for.
    public static final Accounting STEADY = new Accounting(
            "steady",
            TokenBudget.OF_RANK,
            WavePolicy.AS_RUN,
            TpotLaw.TTFT_ONCE,
            Completion.OF_LASTING_LOAD,
            Aggregation.UNDER_LASTING_LOAD,
            PassAccounting.CORRECTED);

    /// Returns whether instances of the phase support requests of unequal length.
    public boolean servesMixedLengths(Phase phase) {
        return switch (phase) {
            case PREFILL -> true;
            case AGGREGATION, DECODE -> budget.cutsMixedBatches();
        };
    }

    /// Returns the workload with a single bin as a fixed length; the reference's accounting leaves it unchanged.
    Workload seen(Workload workload) {
        return isReference() ? workload : workload.withoutSoleBin();
    }

    /// Requests per second of a single phase; empty of an instance that does both. Those that a lasting load is
    /// served at are what its passes have time for.
    public OptionalDouble qps(
            ServingPoint point, @Nullable Double ttftMillis, @Nullable Double tpotMillis, double outputTokens) {
        OptionalDouble promised = QueryRate.of(point.load().concurrency(), ttftMillis, tpotMillis, outputTokens);
        return promised.isPresent() && promisesWhatItSustains()
                ? OptionalDouble.of(point.figures().sustainedQps())
                : promised;
    }

    /// Returns whether the request rate of a row is its sustained rate.
    public boolean promisesWhatItSustains() {
        return aggregation == Aggregation.UNDER_LASTING_LOAD;
    }

    /// Returns whether figures are those of the reference.
    public boolean isReference() {
        return equals(DOCUMENTED);
    }
}

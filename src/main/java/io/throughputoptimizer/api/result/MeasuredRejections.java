package io.throughputoptimizer.api.result;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.result.PhaseResponse.RejectedResponse;
import io.throughputoptimizer.api.result.PhaseResponse.ShortageResponse;
import io.throughputoptimizer.api.result.figure.ParallelResponse;
import io.throughputoptimizer.core.measured.Arrangement;
import io.throughputoptimizer.core.measured.MeasuredBinds;
import io.throughputoptimizer.core.measured.MeasuredResult.BrokenLimits;
import io.throughputoptimizer.core.measured.MeasuredResult.Impossible;
import io.throughputoptimizer.core.measured.MeasuredResult.Rejection;
import io.throughputoptimizer.core.search.InstanceCounts;
import io.throughputoptimizer.core.serving.LimitBreach;
import io.throughputoptimizer.core.steady.Breach;
import org.jspecify.annotations.Nullable;

/// Descriptions of rejected layouts of the calibrated model.
final class MeasuredRejections {
    private MeasuredRejections() {}

    /// @param percentile that limits are on; absent where they are on means
    static RejectedResponse of(Rejection rejection, @Nullable Double percentile) {
        return switch (rejection) {
            case Impossible(Arrangement arrangement, String reason) ->
                new RejectedResponse(parallel(arrangement), "model", null, reason);
            case BrokenLimits(var arrangement, int concurrency, var breaches, var memory) -> {
                Breach first = breaches.getFirst();
                yield new RejectedResponse(
                        parallel(arrangement),
                        WireFormat.name(MeasuredBinds.of(first)),
                        arrangement instanceof Arrangement.Pair ? null : (Long) (long) concurrency,
                        (memory == null
                                        ? LimitBreach.description(first, percentile)
                                        : LimitBreach.shortage(
                                                memory.deviceBytes(),
                                                memory.weightBytes(),
                                                memory.engineBytes(),
                                                memory.requestBytes()))
                                + numbers(arrangement, concurrency),
                        memory == null ? null : ShortageResponse.from(memory),
                        first.value() / first.allowed());
            }
        };
    }

    private static ParallelResponse parallel(Arrangement arrangement) {
        return switch (arrangement) {
            case Arrangement.Equal(var form) -> ParallelResponse.from(form);
            case Arrangement.Side(var form, var _) -> ParallelResponse.from(form);
            case Arrangement.Pair(var _, var decode, var _) -> ParallelResponse.from(decode);
        };
    }

    /// Describes the prefill layout that feeds a decode layout, and the numbers of instances. The lowest
    /// concurrency is one of all instances, not a batch size.
    private static String numbers(Arrangement arrangement, int concurrency) {
        return arrangement instanceof Arrangement.Pair(var prefill, var _, InstanceCounts counts)
                ? "; " + counts.prefill() + " x "
                        + prefill.label() + " feed " + counts.decode() + " at concurrency "
                        + concurrency
                : "";
    }
}

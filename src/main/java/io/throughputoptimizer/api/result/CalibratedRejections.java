package io.throughputoptimizer.api.result;

import io.throughputoptimizer.api.WireFormat;
import io.throughputoptimizer.api.result.PhaseResponse.RejectedResponse;
import io.throughputoptimizer.api.result.PhaseResponse.ShortageResponse;
import io.throughputoptimizer.api.result.figure.ParallelResponse;
import io.throughputoptimizer.core.calibrated.CalibratedBinds;
import io.throughputoptimizer.core.calibrated.CalibratedResult.BrokenLimits;
import io.throughputoptimizer.core.calibrated.CalibratedResult.Impossible;
import io.throughputoptimizer.core.calibrated.CalibratedResult.Rejection;
import io.throughputoptimizer.core.calibrated.InstanceLayout;
import io.throughputoptimizer.core.load.Breach;
import io.throughputoptimizer.core.search.InstanceCounts;
import io.throughputoptimizer.core.serving.LimitBreach;
import org.jspecify.annotations.Nullable;

/// Descriptions of rejected layouts of the calibrated model.
final class CalibratedRejections {
    private CalibratedRejections() {}

    /// @param percentile that limits are on; absent where they are on means
    static RejectedResponse of(Rejection rejection, @Nullable Double percentile) {
        return switch (rejection) {
            case Impossible(InstanceLayout arrangement, String reason) ->
                new RejectedResponse(parallel(arrangement), "model", null, reason);
            case BrokenLimits(var arrangement, int concurrency, var breaches, var memory) -> {
                Breach first = breaches.getFirst();
                yield new RejectedResponse(
                        parallel(arrangement),
                        WireFormat.name(CalibratedBinds.of(first)),
                        arrangement instanceof InstanceLayout.Pair ? null : (Long) (long) concurrency,
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

    private static ParallelResponse parallel(InstanceLayout arrangement) {
        return switch (arrangement) {
            case InstanceLayout.Equal(var form) -> ParallelResponse.from(form);
            case InstanceLayout.Side(var form, var _) -> ParallelResponse.from(form);
            case InstanceLayout.Pair(var _, var decode, var _) -> ParallelResponse.from(decode);
        };
    }

    /// Describes the prefill layout that feeds a decode layout, and the numbers of instances. The lowest
    /// concurrency is one of all instances, not a batch size.
    private static String numbers(InstanceLayout arrangement, int concurrency) {
        return arrangement instanceof InstanceLayout.Pair(var prefill, var _, InstanceCounts counts)
                ? "; " + counts.prefill() + " x "
                        + prefill.label() + " feed " + counts.decode() + " at concurrency "
                        + concurrency
                : "";
    }
}

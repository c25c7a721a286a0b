package io.throughputoptimizer.api.result;

import io.throughputoptimizer.api.result.PhaseResponse.RejectedResponse;
import io.throughputoptimizer.api.result.figure.ParallelResponse;
import io.throughputoptimizer.core.measured.Arrangement;
import io.throughputoptimizer.core.measured.MeasuredResult.BrokenLimits;
import io.throughputoptimizer.core.measured.MeasuredResult.Impossible;
import io.throughputoptimizer.core.measured.MeasuredResult.Rejection;
import io.throughputoptimizer.core.search.InstanceCounts;
import io.throughputoptimizer.core.serving.Decimals;
import io.throughputoptimizer.core.serving.LimitBreach;
import io.throughputoptimizer.core.steady.Breach;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Why layouts of measured devices have no row, in words.
final class MeasuredRejections {
    private MeasuredRejections() {}

    /// @param percentile that limits are on; absent where they are on means
    static RejectedResponse of(Rejection rejection, @Nullable Double percentile) {
        return switch (rejection) {
            case Impossible(Arrangement arrangement, String reason) ->
                new RejectedResponse(parallel(arrangement), "model", null, reason);
            case BrokenLimits(Arrangement arrangement, int concurrency, List<Breach> breaches) -> {
                Breach first = breaches.getFirst();
                yield new RejectedResponse(
                        parallel(arrangement),
                        reason(first),
                        arrangement instanceof Arrangement.Pair ? null : (Long) (long) concurrency,
                        percentile(first, percentile) + detail(first) + numbers(arrangement, concurrency));
            }
        };
    }

    private static ParallelResponse parallel(Arrangement arrangement) {
        return switch (arrangement) {
            case Arrangement.Equal(var layout, var speculation) -> ParallelResponse.from(layout, speculation);
            case Arrangement.Side(var layout, var speculation, var _) -> ParallelResponse.from(layout, speculation);
            case Arrangement.Pair(var _, var decode, var speculation, var _) ->
                ParallelResponse.from(decode, speculation);
        };
    }

    /// Of a decode layout which prefill layout feeds it, in which numbers. The least concurrency is one of all
    /// instances: it is no batch size.
    private static String numbers(Arrangement arrangement, int concurrency) {
        return arrangement instanceof Arrangement.Pair(var prefill, var _, var _, InstanceCounts counts)
                ? "; " + counts.prefill() + " x "
                        + ParallelResponse.from(prefill).label() + " feed " + counts.decode() + " at concurrency "
                        + concurrency
                : "";
    }

    /// Which statistic of a latency a breach is about, for the text before it: nothing where that is the mean.
    ///
    /// @param percentile that limits are on; absent where they are on means
    private static String percentile(Breach breach, @Nullable Double percentile) {
        return switch (breach.limit()) {
            case TTFT_MILLIS, TPOT_MILLIS, REQUEST_LATENCY_MILLIS ->
                percentile == null ? "" : "percentile " + Decimals.shortest(percentile) + " of ";
            case KV_TOKENS, REQUEST_RATE, CONCURRENCY -> "";
        };
    }

    private static String reason(Breach breach) {
        return switch (breach.limit()) {
            case KV_TOKENS -> "memory";
            case TTFT_MILLIS -> "ttft";
            case REQUEST_RATE -> "rate";
            case TPOT_MILLIS -> "tpot";
            case REQUEST_LATENCY_MILLIS -> "request_latency";
            case CONCURRENCY -> "batch_range";
        };
    }

    static String detail(Breach breach) {
        return switch (breach.limit()) {
            case KV_TOKENS ->
                "a request needs " + whole(breach.value()) + " tokens of KV cache, and a rank has "
                        + whole(Math.max(0, breach.allowed()));
            case TTFT_MILLIS -> new LimitBreach.TtftExceeded(breach.value(), breach.allowed()).description();
            case TPOT_MILLIS -> new LimitBreach.TpotExceeded(breach.value(), breach.allowed()).description();
            case REQUEST_LATENCY_MILLIS ->
                new LimitBreach.RequestLatencyExceeded(breach.value(), breach.allowed()).description();
            case CONCURRENCY ->
                "the least concurrency takes " + whole(breach.value()) + " requests at once, and at most "
                        + whole(breach.allowed()) + " can be tried";
            case REQUEST_RATE ->
                Decimals.general(breach.value()) + " requests per second saturate it: at most "
                        + Decimals.general(breach.allowed()) + " do not";
        };
    }

    private static String whole(double tokens) {
        return Decimals.fixed(tokens, 0);
    }
}

package io.throughputoptimizer.api.result;

import io.throughputoptimizer.api.result.PhaseResponse.RejectedResponse;
import io.throughputoptimizer.core.measured.Arrangement;
import io.throughputoptimizer.core.measured.MeasuredResult.BrokenLimits;
import io.throughputoptimizer.core.measured.MeasuredResult.BrokenPair;
import io.throughputoptimizer.core.measured.MeasuredResult.Impossible;
import io.throughputoptimizer.core.measured.MeasuredResult.Rejection;
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
        ParallelResponse parallel = ParallelResponse.from(rejection.layout());
        return switch (rejection) {
            case Impossible impossible -> new RejectedResponse(parallel, "model", null, impossible.reason());
            case BrokenLimits(var _, int concurrency, List<Breach> breaches) -> {
                Breach first = breaches.getFirst();
                yield new RejectedResponse(
                        parallel, reason(first), (long) concurrency, percentile(first, percentile) + detail(first));
            }
        };
    }

    /// Of a decode layout that a prefill layout feeds. The least concurrency is one of all instances: it is no batch
    /// size.
    static RejectedResponse of(BrokenPair broken) {
        Breach first = broken.breaches().getFirst();
        Arrangement.Pair pair = broken.pair();
        String prefill = ParallelResponse.from(pair.prefill()).label();
        return new RejectedResponse(
                ParallelResponse.from(pair.decode()),
                reason(first),
                null,
                detail(first) + "; " + pair.counts().prefill() + " x " + prefill + " feed "
                        + pair.counts().decode() + " at concurrency " + broken.concurrency());
    }

    /// Which statistic of a latency a breach is about, for the text before it: nothing where that is the mean.
    ///
    /// @param percentile that limits are on; absent where they are on means
    private static String percentile(Breach breach, @Nullable Double percentile) {
        return switch (breach.limit()) {
            case TTFT_MILLIS, TPOT_MILLIS ->
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

package io.throughputoptimizer.core.forward;

import io.throughputoptimizer.core.operator.LatentAttention;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/// How much latent attention attends to and reads.
///
/// @param indexer limits the tokens attended to; absent when all are
/// @param quantized whether the cache is
record LatentLoad(RankBatch batch, @Nullable IndexerShard indexer, boolean quantized) {
    /// Without an indexer the reference takes any request with fewer new tokens for a decode request, whatever it
    /// is.
    private static final long PREFILL_QUERY_LENGTH = 6;

    private static final double PREFILL_EFFICIENCY = 0.92;
    /// Tokens of a decode request that share one read of their selection.
    private static final long DECODE_TOKENS_PER_READ = 64;

    LatentAttention.Load load() {
        return new LatentAttention.Load(
                phase(request -> !decodes(request)), phase(this::decodes), cacheTokensRead(), blockEntriesRead());
    }

    private boolean decodes(Request request) {
        return indexer == null ? request.queryLength() < PREFILL_QUERY_LENGTH : request.decode();
    }

    private LatentAttention.Phase phase(Predicate<Request> belongs) {
        return new LatentAttention.Phase(
                sum(belongs, Request::queryLength),
                sum(belongs, request -> (double) request.queryLength() * attended(request)),
                sum(belongs, request -> (double) request.queryLength() * request.sequenceLength()));
    }

    private double sum(Predicate<Request> belongs, ToDoubleFunction<Request> value) {
        return batch.sum(request -> belongs.test(request) ? value.applyAsDouble(request) : 0);
    }

    private long attended(Request request) {
        return indexer == null ? request.sequenceLength() : indexer.selectedTokens(request.sequenceLength());
    }

    private long pages(Request request) {
        return Math.ceilDiv(attended(request), RankBatch.BLOCK_TOKENS);
    }

    /// Dense: every token of every request once. Sparse: the selection once for each token in prefill, at an
    /// efficiency of 0.92, and once for 64 tokens in decode, at `0.025 + 0.006 log2(pages / 16)` within
    /// [0.015, 0.080]; on a quantized cache once for each token, at no loss.
    private double cacheTokensRead() {
        if (indexer == null) {
            return batch.contextTokens();
        }
        if (quantized) {
            return batch.sum(request -> (double) request.queryLength() * attended(request));
        }
        double prefill =
                sum(request -> !decodes(request), request -> (double) request.queryLength() * attended(request));
        double decode = sum(this::decodes, request -> (double) decodeReads(request) * attended(request));
        return prefill / PREFILL_EFFICIENCY + (decode > 0 ? decode / decodeEfficiency() : 0);
    }

    private double decodeEfficiency() {
        double pages = batch.largest(request -> decodes(request) ? pages(request) : 0);
        return Math.clamp(0.025 + 0.006 * (Math.log(pages / 16) / Math.log(2)), 0.015, 0.080);
    }

    private static long decodeReads(Request request) {
        return Math.ceilDiv(request.queryLength(), DECODE_TOKENS_PER_READ);
    }

    private double blockEntriesRead() {
        return batch.sum(request -> {
            if (indexer == null) {
                return pages(request);
            }
            boolean shared = !quantized && decodes(request);
            return (double) (shared ? decodeReads(request) : request.queryLength()) * pages(request);
        });
    }
}

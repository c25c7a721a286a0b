package io.throughputoptimizer.core.forward;

import static io.throughputoptimizer.core.operator.Quantity.BLOCK_ENTRIES_READ;
import static io.throughputoptimizer.core.operator.Quantity.CACHE_TOKENS_READ;
import static io.throughputoptimizer.core.operator.Quantity.DECODE_ATTENDED;
import static io.throughputoptimizer.core.operator.Quantity.DECODE_CONTEXT;
import static io.throughputoptimizer.core.operator.Quantity.DECODE_TOKENS;
import static io.throughputoptimizer.core.operator.Quantity.INDEX_TOKENS_READ;
import static io.throughputoptimizer.core.operator.Quantity.LONGEST_SEQUENCE;
import static io.throughputoptimizer.core.operator.Quantity.PHASES;
import static io.throughputoptimizer.core.operator.Quantity.PREFILL_ATTENDED;
import static io.throughputoptimizer.core.operator.Quantity.PREFILL_CONTEXT;
import static io.throughputoptimizer.core.operator.Quantity.PREFILL_TOKENS;
import static io.throughputoptimizer.core.operator.Quantity.SELECTED_TOKENS;

import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.forward.attention.AttentionBlock;
import io.throughputoptimizer.core.model.AttentionSpec;
import io.throughputoptimizer.core.operator.Quantities;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Tokens attended to and read by latent attention.
///
/// @param indexer limits the tokens attended to; absent if all tokens are attended to
/// @param quantized whether the KV cache is quantized
record LatentLoad(AttentionSpec.@Nullable Indexer indexer, boolean quantized) {
    /// Without an indexer the reference takes any request with fewer new tokens for a decode request, whatever it
    /// is.
    private static final long PREFILL_QUERY_LENGTH = 6;

    private static final double PREFILL_EFFICIENCY = 0.92;
    /// Tokens of a decode request that share one read of their selection.
    private static final long DECODE_TOKENS_PER_READ = 64;

    private static final double INDEX_PREFILL_EFFICIENCY = 0.90;
    /// A prefill request rereads the indexer's cache once for this many tokens.
    private static final long INDEX_PREFILL_TOKENS_PER_READ = 4;

    /// The load of the layers with latent attention, which share one kind; empty if there are none.
    static Optional<LatentLoad> of(Deployment deployment) {
        boolean quantized = deployment.quantization().attention().isEnabled();
        return deployment.model().attentions().stream()
                .filter(AttentionSpec.MultiHeadLatent.class::isInstance)
                .map(spec -> new LatentLoad(((AttentionSpec.MultiHeadLatent) spec).indexer(), quantized))
                .findFirst();
    }

    /// Reads the quantities of a rank's requests, after [RankBatch#read].
    ///
    /// @param ranks number of ranks that share a sequence of `s` tokens, `ceil(s / ranks)` each; the indexer sees
    ///     all of it
    /// @param quantities receives the quantities
    void read(RankBatch batch, int ranks, Quantities quantities) {
        double decodeReads = 0;
        double cached = 0;
        long decodePages = 0;
        for (ForwardShape.Group group : batch.groups()) {
            Request request = group.request();
            long sequence = Math.ceilDiv(request.sequenceLength(), ranks);
            decodeReads += addTo(quantities, group, sequence);
            cached += (double) group.count() * sequence;
            decodePages = Math.max(decodePages, decodes(request) ? pages(sequence) : 0);
        }
        quantities.set(
                PHASES, (quantities.get(PREFILL_TOKENS) > 0 ? 1 : 0) + (quantities.get(DECODE_TOKENS) > 0 ? 1 : 0));
        quantities.set(SELECTED_TOKENS, attended((long) quantities.get(LONGEST_SEQUENCE)));
        quantities.set(CACHE_TOKENS_READ, cacheTokensRead(quantities, cached, decodeReads, decodePages));
    }

    /// Adds up equal requests.
    ///
    /// @param sequence tokens of each that this rank attends to
    /// @return tokens that sparse decode reads, before the efficiency of the access
    private double addTo(Quantities quantities, ForwardShape.Group group, long sequence) {
        Request request = group.request();
        boolean decodes = decodes(request);
        double count = group.count();
        double query = request.queryLength();
        long attended = attended(sequence);
        quantities.add(decodes ? DECODE_TOKENS : PREFILL_TOKENS, count * query);
        quantities.add(decodes ? DECODE_ATTENDED : PREFILL_ATTENDED, count * (query * attended));
        quantities.add(decodes ? DECODE_CONTEXT : PREFILL_CONTEXT, count * (query * sequence));
        quantities.add(BLOCK_ENTRIES_READ, count * blockEntriesRead(request, sequence));
        if (indexer != null) {
            quantities.add(INDEX_TOKENS_READ, count * indexTokensRead(request));
        }
        return decodes ? count * ((double) decodeReads(request) * attended) : 0;
    }

    private boolean decodes(Request request) {
        return indexer == null ? request.queryLength() < PREFILL_QUERY_LENGTH : request.decode();
    }

    /// Most tokens that one query attends to in a sequence.
    private long attended(long sequenceLength) {
        return indexer == null ? sequenceLength : Math.min(indexer.selectedTokens(), sequenceLength);
    }

    private long pages(long sequence) {
        return Math.ceilDiv(attended(sequence), AttentionBlock.BLOCK_TOKENS);
    }

    /// Dense: every token of every request once. Sparse: the selection once for each token in prefill, at an
    /// efficiency of 0.92, and once for 64 tokens in decode, at `0.025 + 0.006 log2(pages / 16)` within
    /// [0.015, 0.080]; on a quantized cache once for each token, at no loss.
    private double cacheTokensRead(Quantities quantities, double cached, double decode, long decodePages) {
        if (indexer == null) {
            return cached;
        }
        double prefill = quantities.get(PREFILL_ATTENDED);
        if (quantized) {
            return prefill + quantities.get(DECODE_ATTENDED);
        }
        return prefill / PREFILL_EFFICIENCY + (decode > 0 ? decode / decodeEfficiency(decodePages) : 0);
    }

    private static double decodeEfficiency(double pages) {
        return Math.clamp(0.025 + 0.006 * (Math.log(pages / 16) / Math.log(2)), 0.015, 0.080);
    }

    private static long decodeReads(Request request) {
        return Math.ceilDiv(request.queryLength(), DECODE_TOKENS_PER_READ);
    }

    private double blockEntriesRead(Request request, long sequence) {
        if (indexer == null) {
            return pages(sequence);
        }
        boolean shared = !quantized && decodes(request);
        return (double) (shared ? decodeReads(request) : request.queryLength()) * pages(sequence);
    }

    /// `u` reads of `s` tokens, divided by the efficiency of the access: decode reads once a token, at
    /// `0.30 + 0.23 log2(pages / 128)` within [0.15, 1]; prefill once every four tokens, at 0.90.
    private static double indexTokensRead(Request request) {
        double reads = request.decode()
                ? request.queryLength()
                : Math.ceilDiv(request.queryLength(), INDEX_PREFILL_TOKENS_PER_READ);
        double efficiency =
                request.decode() ? indexDecodeEfficiency(request.sequenceLength()) : INDEX_PREFILL_EFFICIENCY;
        return reads * request.sequenceLength() / efficiency;
    }

    private static double indexDecodeEfficiency(long sequenceLength) {
        double pages = Math.ceilDiv(sequenceLength, AttentionBlock.BLOCK_TOKENS);
        return Math.clamp(0.30 + 0.23 * (Math.log(pages / 128) / Math.log(2)), 0.15, 1);
    }
}

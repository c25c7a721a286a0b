package io.throughputoptimizer.core.forward;

import static io.throughputoptimizer.core.operator.Quantity.RECENT_BLOCKS;
import static io.throughputoptimizer.core.operator.Quantity.RECENT_PRODUCT;
import static io.throughputoptimizer.core.operator.Quantity.RECENT_TOKENS;

import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.forward.attention.AttentionBlock;
import io.throughputoptimizer.core.operator.Quantities;
import java.util.Optional;

/// Tokens that sliding-window layers attend to, read and keep. For a request with `q` new tokens of `s`, where each
/// sees itself and the `W - 1` before it:
///
/// - `q min(s, W)` pairs of a token and one that it attends to: as with full attention, nothing is saved for what a
///   prompt's first tokens do not see
/// - `min(s, q + W - 1)` tokens read from the cache: the windows of all new tokens together
/// - equally many kept, and `m + 1` more, for the next token and `m` drafts, in blocks of 128 of all requests
///   together
///
/// In chunks of `W` a token sees those before it in the same run of `W`, so that a request reads from the start of the
/// run of its first new token, and the pairs are those of the new tokens of each run and what is seen of it. It keeps
/// as much as with a window, for a step before needed that.
///
/// With `W >= s` each is that of full attention ([RankBatch#read]).
///
/// @param window `W`
/// @param inChunks whether tokens see runs of `W` instead
/// @param draftTokens `m`
record RecentLoad(int window, boolean inChunks, int draftTokens) {

    /// The load of the layers with a window, which share one; empty if there are none.
    static Optional<RecentLoad> of(Deployment deployment) {
        return deployment
                .model()
                .window()
                .map(window -> new RecentLoad(
                        window,
                        deployment.model().attendsInChunks(),
                        deployment.execution().mtpTokens()));
    }

    /// Reads the quantities of a rank's requests.
    ///
    /// @param quantities receives the quantities
    void read(RankBatch batch, Quantities quantities) {
        double kept = 0;
        for (ForwardShape.Group group : batch.groups()) {
            Request request = group.request();
            double count = group.count();
            double within = Math.min(request.sequenceLength(), request.queryLength() + window - 1.0);
            quantities.add(RECENT_PRODUCT, count * (inChunks ? pairsInChunks(request) : pairs(request)));
            quantities.add(RECENT_TOKENS, count * (inChunks ? request.sequenceLength() - firstRun(request) : within));
            kept += count * (within + draftTokens + 1);
        }
        quantities.set(RECENT_BLOCKS, Math.ceil(kept / AttentionBlock.BLOCK_TOKENS));
    }

    private double pairs(Request request) {
        return (double) request.queryLength() * Math.min(request.sequenceLength(), window);
    }

    /// Returns the start of the run that holds the first new token.
    private long firstRun(Request request) {
        long first = request.sequenceLength() - request.queryLength();
        return first - first % window;
    }

    /// Returns the pairs: new tokens of all runs but the last see `W` tokens each, those of the last run its
    /// length.
    private double pairsInChunks(Request request) {
        long seen = request.sequenceLength() - firstRun(request);
        if (seen <= window) {
            return (double) request.queryLength() * seen;
        }
        long last = seen % window;
        return (double) (request.queryLength() - last) * window + (double) last * last;
    }
}

package io.throughputoptimizer.core.forward;

import static io.throughputoptimizer.core.operator.Quantity.RECENT_BLOCKS;
import static io.throughputoptimizer.core.operator.Quantity.RECENT_PRODUCT;
import static io.throughputoptimizer.core.operator.Quantity.RECENT_TOKENS;

import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.forward.attention.AttentionBlock;
import io.throughputoptimizer.core.operator.Quantities;
import java.util.Optional;

/// How much layers with a sliding window attend to, read and keep. Of a request with `q` new tokens of `s`, where each
/// sees itself and the `W - 1` before it:
///
/// - `q min(s, W)` pairs of a token and one that it attends to: as with full attention, nothing is saved for what a
///   prompt's first tokens do not see
/// - `min(s, q + W - 1)` tokens read from the cache: the windows of all new tokens together
/// - as many kept, and `m + 1` more, for the next token and `m` drafts, in blocks of 128 of all requests together
///
/// With `W >= s` each is that of full attention ([RankBatch#read]).
///
/// @param window `W`
/// @param draftTokens `m`
record RecentLoad(int window, int draftTokens) {

    /// The load of the layers with a window, which share one; empty if there are none.
    static Optional<RecentLoad> of(Deployment deployment) {
        return deployment
                .model()
                .window()
                .map(window -> new RecentLoad(window, deployment.execution().mtpTokens()));
    }

    /// Reads the quantities of a rank's requests.
    ///
    /// @param quantities takes them
    void read(RankBatch batch, Quantities quantities) {
        double kept = 0;
        for (ForwardShape.Group group : batch.groups()) {
            Request request = group.request();
            double count = group.count();
            double query = request.queryLength();
            double seen = Math.min(request.sequenceLength(), query + window - 1);
            quantities.add(RECENT_PRODUCT, count * (query * Math.min(request.sequenceLength(), window)));
            quantities.add(RECENT_TOKENS, count * seen);
            kept += count * (seen + draftTokens + 1);
        }
        quantities.set(RECENT_BLOCKS, Math.ceil(kept / AttentionBlock.BLOCK_TOKENS));
    }
}

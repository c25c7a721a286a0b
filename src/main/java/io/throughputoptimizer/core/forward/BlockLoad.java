package io.throughputoptimizer.core.forward;

import static io.throughputoptimizer.core.operator.Quantity.BLOCKS_SCORED;
import static io.throughputoptimizer.core.operator.Quantity.BLOCK_TOKENS_ATTENDED;
import static io.throughputoptimizer.core.operator.Quantity.BLOCK_TOKENS_READ;

import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.model.AttentionSpec;
import io.throughputoptimizer.core.model.AttentionSpec.BlockIndexer;
import io.throughputoptimizer.core.operator.Quantities;
import java.util.Objects;
import java.util.Optional;

/// Blocks scored, and tokens attended to and read, by block-sparse attention.
record BlockLoad(BlockIndexer indexer) {

    /// The load of the layers that attend to selected blocks, which share one indexer; empty if there are none.
    static Optional<BlockLoad> of(Deployment deployment) {
        return deployment.model().attentions().stream()
                .filter(AttentionSpec.BlockSparse.class::isInstance)
                .map(spec -> ((AttentionSpec.BlockSparse) spec).indexer())
                .filter(Objects::nonNull)
                .map(BlockLoad::new)
                .findFirst();
    }

    /// Reads the quantities of a rank's requests.
    ///
    /// @param quantities receives the quantities
    void read(RankBatch batch, Quantities quantities) {
        for (ForwardShape.Group group : batch.groups()) {
            Request request = group.request();
            double count = group.count();
            double blocks = Math.ceilDiv(request.sequenceLength(), indexer.blockTokens());
            double attended = attended(request);
            quantities.add(BLOCKS_SCORED, count * (request.queryLength() * blocks));
            quantities.add(BLOCK_TOKENS_ATTENDED, count * attended);
            quantities.add(BLOCK_TOKENS_READ, count * tokensRead(request, attended));
        }
    }

    /// Decode reads its selection once; prefill reads as if the selections of all queries were a square that is
    /// read by its edges, and at least one selection.
    private double tokensRead(Request request, double attended) {
        double selection = selectedTokens();
        return request.decode()
                ? Math.min(selection, request.sequenceLength())
                : Math.max(selection, Math.ceil(Math.sqrt(selection * attended)));
    }

    /// Pairs of a query and a token that it attends to.
    private double attended(Request request) {
        long before = request.sequenceLength() - request.queryLength();
        return attendedUpTo(request.sequenceLength()) - attendedUpTo(before);
    }

    /// Pairs of the first `tokens` queries. Each attends to all tokens up to itself while these are within the
    /// blocks that can be selected; then to all selected blocks but the last whole, and to the last, its own, up
    /// to itself.
    private double attendedUpTo(long tokens) {
        long within = Math.min(tokens, selectedTokens());
        double first = within * (within + 1.0) / 2;
        long beyond = tokens - within;
        double block = indexer.blockTokens();
        double wholeBlocks = Math.floorDiv(beyond, indexer.blockTokens());
        double rest = beyond % indexer.blockTokens();
        double ownBlock = wholeBlocks * (block * (block + 1) / 2) + rest * (rest + 1) / 2;
        return first + beyond * ((indexer.selectedBlocks() - 1) * block) + ownBlock;
    }

    private long selectedTokens() {
        return indexer.selectedTokens();
    }
}

package io.throughputoptimizer.core.forward;

import static io.throughputoptimizer.core.operator.Quantity.DELTA_CHUNKS;
import static io.throughputoptimizer.core.operator.Quantity.DELTA_STATES_READ;
import static io.throughputoptimizer.core.operator.Quantity.DELTA_STATES_WRITTEN;

import io.throughputoptimizer.core.deployment.Deployment;
import io.throughputoptimizer.core.deployment.PassAccounting;
import io.throughputoptimizer.core.operator.Quantities;
import java.util.Optional;

/// The load of the gated delta rule in a pass.
///
/// It continues earlier states token by token if all requests decode one token, or one and all drafts, or if there
/// is a single token. Otherwise it works on chunks of 64.
///
/// @param opaque whether the block is one operator, which continues token by token for a single token only
/// @param draftTokens draft tokens per request
record DeltaLoad(PassAccounting accounting, boolean opaque, int draftTokens) {
    private static final long CHUNK = 64;

    /// The load of the layers with the gated delta rule, which share one kind; empty if there are none.
    static Optional<DeltaLoad> of(Deployment deployment) {
        PassAccounting accounting = deployment.execution().accounting();
        return deployment
                .model()
                .delta()
                .map(delta -> new DeltaLoad(
                        accounting,
                        delta.opaque() && accounting == PassAccounting.DOCUMENTED,
                        deployment.execution().mtpTokens()));
    }

    /// Reads the quantities of a rank's requests.
    ///
    /// @param tokens tokens of the pass
    /// @param quantities receives the quantities
    /// @return whether the rule goes token by token
    boolean read(RankBatch batch, long tokens, Quantities quantities) {
        return switch (accounting) {
            case DOCUMENTED -> {
                quantities.set(DELTA_CHUNKS, Math.ceilDiv(tokens, CHUNK));
                quantities.set(DELTA_STATES_READ, batch.knowsContext() ? 1 : 0);
                quantities.set(DELTA_STATES_WRITTEN, 1);
                yield batch.knowsContext() && (tokens == 1 || (!opaque && steps(batch)));
            }
            case STEADY -> {
                for (ForwardShape.Group group : batch.groups()) {
                    Request request = group.request();
                    boolean goesOn = request.sequenceLength() > request.queryLength();
                    quantities.add(DELTA_CHUNKS, (double) group.count() * Math.ceilDiv(request.queryLength(), CHUNK));
                    quantities.add(DELTA_STATES_READ, goesOn ? group.count() : 0);
                    quantities.add(DELTA_STATES_WRITTEN, group.count());
                }
                yield quantities.get(DELTA_STATES_READ) > 0 && (tokens == 1 || steps(batch));
            }
        };
    }

    private boolean steps(RankBatch batch) {
        return batch.groups().stream()
                .map(ForwardShape.Group::request)
                .allMatch(request ->
                        request.decode() && (request.queryLength() == 1 || request.queryLength() == draftTokens + 1L));
    }
}

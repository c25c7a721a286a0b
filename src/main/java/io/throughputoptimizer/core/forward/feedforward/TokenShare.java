package io.throughputoptimizer.core.forward.feedforward;

import static io.throughputoptimizer.core.operator.Quantity.TOKEN_SHARE;

import io.throughputoptimizer.core.forward.pass.PassRecorder;
import io.throughputoptimizer.core.operator.Elementwise.Kind;
import io.throughputoptimizer.core.operator.Form;
import io.throughputoptimizer.core.operator.Tensor;

/// The movement of a rank's tokens to the experts and of their results back.
///
/// @param pass recorder of operators
record TokenShare(ExpertShard shard, PassRecorder pass) {

    /// Tokens of this rank: as they are, `[1, N, h]`, or `[n, h]`: a slice of them, or those of all data parallel
    /// ranks.
    ///
    /// @param hidden `[1, N, h]`
    Tensor enter(Tensor hidden) {
        return switch (shard.path()) {
            case DIRECT -> hidden;
            case SLICED -> slice(pass.flatten(hidden));
            case GATHERED -> pass.allGatherRows(pass.flatten(hidden), shard.dataParallelGroup());
        };
    }

    /// One tensor parallel rank's part of `[N, width]`: `ceil(N / tp)` rows, after padding to a multiple of it.
    Tensor slice(Tensor rows) {
        int ranks = shard.tensorParallel();
        if (ranks == 1) {
            return rows;
        }
        Form taken = TOKEN_SHARE.form();
        Tensor padded = Tensor.of(rows.type(), taken.times(ranks), rows.last());
        boolean even = shard.kind().evenTokens();
        return pass.firstRows(even ? rows : pass.elementwise(Kind.PAD, padded, rows), taken);
    }

    /// All `[N, h]` tokens again.
    ///
    /// @param share results for this rank's tokens `[n, h]`
    /// @param tokens `N`
    Tensor exit(Tensor share, Form tokens) {
        return switch (shard.path()) {
            case DIRECT -> share;
            case SLICED -> pass.firstRows(pass.allGatherRows(share, shard.tensorParallelGroup()), tokens);
            case GATHERED -> pass.firstRows(pass.firstRows(share, tokens), tokens);
        };
    }
}

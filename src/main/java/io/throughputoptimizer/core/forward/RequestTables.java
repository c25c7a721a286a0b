package io.throughputoptimizer.core.forward;

import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.operator.Tensor;

/// What attention knows about the requests of a pass, int64.
///
/// @param slots where each token goes in the cache, `[S]`
/// @param blocks block table `[B, blocks of the longest request]`
/// @param queryStarts `[B + 1]`
/// @param sequenceLengths `[B]`
/// @param queryLengths `[B]`
record RequestTables(Tensor slots, Tensor blocks, Tensor queryStarts, Tensor sequenceLengths, Tensor queryLengths) {
    static RequestTables of(RankBatch batch) {
        long requests = batch.requests();
        return new RequestTables(
                Tensor.of(DataType.INT64, batch.tokens()),
                Tensor.of(DataType.INT64, requests, batch.longestBlocks()),
                Tensor.of(DataType.INT64, requests + 1),
                Tensor.of(DataType.INT64, requests),
                Tensor.of(DataType.INT64, requests));
    }
}

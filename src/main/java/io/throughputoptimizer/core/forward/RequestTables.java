package io.throughputoptimizer.core.forward;

import static io.throughputoptimizer.core.operator.Quantity.LONGEST_BLOCKS;
import static io.throughputoptimizer.core.operator.Quantity.REQUESTS;
import static io.throughputoptimizer.core.operator.Quantity.TOKENS;

import io.throughputoptimizer.core.hardware.DataType;
import io.throughputoptimizer.core.operator.Form;
import io.throughputoptimizer.core.operator.Tensor;

/// What attention knows about the requests of a pass, int64.
///
/// @param slots where each token goes in the cache, `[S]`
/// @param blocks block table `[B, blocks of the longest request]`
/// @param queryStarts `[B + 1]`
/// @param sequenceLengths `[B]`
/// @param queryLengths `[B]`
record RequestTables(Tensor slots, Tensor blocks, Tensor queryStarts, Tensor sequenceLengths, Tensor queryLengths) {
    static RequestTables create() {
        Form requests = REQUESTS.form();
        return new RequestTables(
                Tensor.of(DataType.INT64, TOKENS.form()),
                Tensor.of(DataType.INT64, requests, LONGEST_BLOCKS.form()),
                Tensor.of(DataType.INT64, requests.plus(1)),
                Tensor.of(DataType.INT64, requests),
                Tensor.of(DataType.INT64, requests));
    }
}

/// Searches for the batch sizes of one layout that are worth a forward pass.
@NullMarked
package io.throughputoptimizer.core.search.batch;

import org.jspecify.annotations.NullMarked;

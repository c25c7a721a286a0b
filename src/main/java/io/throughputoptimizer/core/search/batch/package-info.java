/// Which batch sizes of one layout are worth a forward pass.
@NullMarked
package io.throughputoptimizer.core.search.batch;

import org.jspecify.annotations.NullMarked;

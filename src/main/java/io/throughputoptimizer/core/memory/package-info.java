/// Memory of one rank of a serving engine: weights, activations, KV cache, and the requests that the cache admits.
@NullMarked
package io.throughputoptimizer.core.memory;

import org.jspecify.annotations.NullMarked;

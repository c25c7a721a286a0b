/// Keeps the plans of forward passes.
@NullMarked
package io.throughputoptimizer.cache;

import org.jspecify.annotations.NullMarked;

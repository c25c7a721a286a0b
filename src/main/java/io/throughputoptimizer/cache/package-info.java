/// Remembers forward estimates.
@NullMarked
package io.throughputoptimizer.cache;

import org.jspecify.annotations.NullMarked;

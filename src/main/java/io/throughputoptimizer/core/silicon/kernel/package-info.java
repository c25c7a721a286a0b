/// Prices of single kernels in microseconds, out of fitted parameters.
@NullMarked
package io.throughputoptimizer.core.silicon.kernel;

import org.jspecify.annotations.NullMarked;

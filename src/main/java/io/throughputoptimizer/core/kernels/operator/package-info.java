/// Prices of single kernels in microseconds, out of fitted parameters.
@NullMarked
package io.throughputoptimizer.core.kernels.operator;

import org.jspecify.annotations.NullMarked;

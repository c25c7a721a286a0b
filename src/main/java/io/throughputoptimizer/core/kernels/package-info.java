/// The calibrated cost model: the time of a pass on a device whose kernels were measured, its memory, and the
/// prediction intervals of its figures.
@NullMarked
package io.throughputoptimizer.core.kernels;

import org.jspecify.annotations.NullMarked;

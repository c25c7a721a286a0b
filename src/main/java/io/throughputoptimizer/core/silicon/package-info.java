/// The calibrated cost model: what a pass of an engine takes on a device whose kernels were measured, what it needs
/// of the memory, and how far the figures can be trusted.
@NullMarked
package io.throughputoptimizer.core.silicon;

import org.jspecify.annotations.NullMarked;

/// Calibrated optimizer: layouts ranked by the steady-state law, each figure with its prediction interval.
@NullMarked
package io.throughputoptimizer.core.calibrated;

import org.jspecify.annotations.NullMarked;

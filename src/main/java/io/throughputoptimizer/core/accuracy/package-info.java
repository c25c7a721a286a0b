/// How far the calibrated cost model is from servers that were measured.
@NullMarked
package io.throughputoptimizer.core.accuracy;

import org.jspecify.annotations.NullMarked;

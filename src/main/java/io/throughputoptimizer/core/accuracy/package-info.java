/// Accuracy of the calibrated model on benchmarked servers.
@NullMarked
package io.throughputoptimizer.core.accuracy;

import org.jspecify.annotations.NullMarked;

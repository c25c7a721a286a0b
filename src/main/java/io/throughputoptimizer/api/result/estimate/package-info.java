/// Single passes and simulated loads, as they are sent.
@NullMarked
package io.throughputoptimizer.api.result.estimate;

import org.jspecify.annotations.NullMarked;

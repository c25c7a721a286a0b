/// Formulas from forward passes to TTFT, TPOT and throughput.
@NullMarked
package io.throughputoptimizer.core.serving;

import org.jspecify.annotations.NullMarked;

/// One forward pass: its operators, its latency and its memory.
@NullMarked
package io.throughputoptimizer.core.forward;

import org.jspecify.annotations.NullMarked;

/// Jobs: accepted optimizations, their states, the queue and the workers.
@NullMarked
package io.throughputoptimizer.job;

import org.jspecify.annotations.NullMarked;

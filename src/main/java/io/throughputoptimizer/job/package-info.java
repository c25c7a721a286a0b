/// Jobs: an accepted optimization, its life, and the bounded pool that runs it.
@NullMarked
package io.throughputoptimizer.job;

import org.jspecify.annotations.NullMarked;

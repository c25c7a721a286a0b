/// Grids of questions, worked off in chunks by all replicas, with a row of answers for each.
@NullMarked
package io.throughputoptimizer.sweep;

import org.jspecify.annotations.NullMarked;

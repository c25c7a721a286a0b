/// The wire of sweeps: the grid of questions that is asked, and a row of answers for each.
@NullMarked
package io.throughputoptimizer.api.sweep;

import org.jspecify.annotations.NullMarked;

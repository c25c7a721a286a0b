/// API types of sweeps: the grid of requests, and one row of results for each.
@NullMarked
package io.throughputoptimizer.api.sweep;

import org.jspecify.annotations.NullMarked;

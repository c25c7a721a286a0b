/// Files that benchmark tools write, as rows of measurements.
@NullMarked
package io.throughputoptimizer.api.benchmark;

import org.jspecify.annotations.NullMarked;

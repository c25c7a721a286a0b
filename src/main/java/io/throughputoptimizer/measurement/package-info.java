/// Measurements of servers that callers bring, kept as jobs are.
@NullMarked
package io.throughputoptimizer.measurement;

import org.jspecify.annotations.NullMarked;

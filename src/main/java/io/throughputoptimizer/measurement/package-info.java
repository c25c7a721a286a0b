/// Measurements of servers uploaded by callers, stored like jobs.
@NullMarked
package io.throughputoptimizer.measurement;

import org.jspecify.annotations.NullMarked;

/// Workloads: lengths, their distribution, arrivals, and latency targets.
@NullMarked
package io.throughputoptimizer.core.workload;

import org.jspecify.annotations.NullMarked;

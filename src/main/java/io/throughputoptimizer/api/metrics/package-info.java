/// Metrics and commands of running servers, as traffic and layouts.
@NullMarked
package io.throughputoptimizer.api.metrics;

import org.jspecify.annotations.NullMarked;

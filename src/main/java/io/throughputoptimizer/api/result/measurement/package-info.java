/// Measurements and traces of callers: benchmarks with predictions, and lengths and arrivals of requests.
@NullMarked
package io.throughputoptimizer.api.result.measurement;

import org.jspecify.annotations.NullMarked;

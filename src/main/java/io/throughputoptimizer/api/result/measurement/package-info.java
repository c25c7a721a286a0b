/// What callers bring: benchmarks beside what was foretold, and traces of requests.
@NullMarked
package io.throughputoptimizer.api.result.measurement;

import org.jspecify.annotations.NullMarked;

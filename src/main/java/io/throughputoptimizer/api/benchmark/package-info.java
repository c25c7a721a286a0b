/// Files of other tools: results of benchmarks as rows of measurements, inputs of planners as requests.
@NullMarked
package io.throughputoptimizer.api.benchmark;

import org.jspecify.annotations.NullMarked;

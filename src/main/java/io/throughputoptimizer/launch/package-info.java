/// Launch commands: from a row of a result to the commands that start it on a serving engine and the benchmarks
/// that verify it.
@NullMarked
package io.throughputoptimizer.launch;

import org.jspecify.annotations.NullMarked;

/// What is asked of a deployment: lengths, their distribution, and limits.
@NullMarked
package io.throughputoptimizer.core.workload;

import org.jspecify.annotations.NullMarked;

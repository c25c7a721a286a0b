/// Which layout and batch size serve a workload best.
@NullMarked
package io.throughputoptimizer.core.search;

import org.jspecify.annotations.NullMarked;

/// Search for the layout and batch size that serve a workload best.
@NullMarked
package io.throughputoptimizer.core.search;

import org.jspecify.annotations.NullMarked;

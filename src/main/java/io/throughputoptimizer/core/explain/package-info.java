/// Explanations of search results: bottlenecks, nearest feasible plans, sensitivities and the Pareto frontier.
@NullMarked
package io.throughputoptimizer.core.explain;

import org.jspecify.annotations.NullMarked;

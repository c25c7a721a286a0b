/// Search space: layouts, token budgets, quantizations and drafts as axes, pairs of phases, and the available
/// devices.
@NullMarked
package io.throughputoptimizer.core.search.space;

import org.jspecify.annotations.NullMarked;

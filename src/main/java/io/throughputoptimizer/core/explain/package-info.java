/// Why a search answered as it did, and what would help: what binds, the nearest feasible plan, sensitivities, the
/// frontier.
@NullMarked
package io.throughputoptimizer.core.explain;

import org.jspecify.annotations.NullMarked;

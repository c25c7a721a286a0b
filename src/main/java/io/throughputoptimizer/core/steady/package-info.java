/// What an engine does under a lasting load: laws of the steady state, simulations, and the search on them.
@NullMarked
package io.throughputoptimizer.core.steady;

import org.jspecify.annotations.NullMarked;

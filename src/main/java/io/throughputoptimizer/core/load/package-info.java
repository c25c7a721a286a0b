/// Steady state of an engine under a closed or open loop: laws, simulations, and the search on them.
@NullMarked
package io.throughputoptimizer.core.load;

import org.jspecify.annotations.NullMarked;

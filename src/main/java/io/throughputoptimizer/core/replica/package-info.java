/// Simulations of calibrated deployments under load: passes of `core.silicon` are the steps of `core.steady`.
@NullMarked
package io.throughputoptimizer.core.replica;

import org.jspecify.annotations.NullMarked;

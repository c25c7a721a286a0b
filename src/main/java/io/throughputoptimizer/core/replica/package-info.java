/// What replicas of a calibrated deployment do under a load: passes of `core.silicon` are the steps of `core.steady`.
@NullMarked
package io.throughputoptimizer.core.replica;

import org.jspecify.annotations.NullMarked;

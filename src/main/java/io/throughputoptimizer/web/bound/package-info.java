/// What no request exceeds: connections, bodies, answers, threads and turns, counted per caller, and hosts that it may
/// name.
@NullMarked
package io.throughputoptimizer.web.bound;

import org.jspecify.annotations.NullMarked;

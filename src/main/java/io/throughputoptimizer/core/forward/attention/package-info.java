/// The attention part of a layer: what a rank holds of each kind, and its operators, compiled and eager.
@NullMarked
package io.throughputoptimizer.core.forward.attention;

import org.jspecify.annotations.NullMarked;

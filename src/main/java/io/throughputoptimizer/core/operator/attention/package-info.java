/// Operators of attention: rotation, caches, selection of what is attended to, and the attention itself.
@NullMarked
package io.throughputoptimizer.core.operator.attention;

import org.jspecify.annotations.NullMarked;

/// Operators of routed experts: the choice of experts, the way of tokens to them and back, and their products.
@NullMarked
package io.throughputoptimizer.core.operator.experts;

import org.jspecify.annotations.NullMarked;

/// Operators of a forward pass: tensors in, tensors out, and the work between them.
@NullMarked
package io.throughputoptimizer.core.operator;

import org.jspecify.annotations.NullMarked;

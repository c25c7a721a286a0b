/// Operators of a forward pass: tensors in, tensors out, and the work between them. Here is what all are made of, and
/// the operators that several blocks have; those of attention and of routed experts are in rooms of their own.
@NullMarked
package io.throughputoptimizer.core.operator;

import org.jspecify.annotations.NullMarked;

/// Model architectures: the facts of a decoder-only transformer that its cost depends on.
@NullMarked
package io.throughputoptimizer.core.model;

import org.jspecify.annotations.NullMarked;

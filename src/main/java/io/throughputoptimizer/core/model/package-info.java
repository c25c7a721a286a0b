/// Model architectures: the parameters of a decoder-only transformer that determine its cost.
@NullMarked
package io.throughputoptimizer.core.model;

import org.jspecify.annotations.NullMarked;

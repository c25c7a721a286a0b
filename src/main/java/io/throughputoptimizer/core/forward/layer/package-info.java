/// What the blocks of a layer share: its inputs, its linear layers and norms.
@NullMarked
package io.throughputoptimizer.core.forward.layer;

import org.jspecify.annotations.NullMarked;

/// Shared parts of the blocks of a layer: inputs, linear layers and norms.
@NullMarked
package io.throughputoptimizer.core.forward.layer;

import org.jspecify.annotations.NullMarked;

/// The feed-forward part of a layer: dense, or experts with their router and the way of tokens to them and back.
@NullMarked
package io.throughputoptimizer.core.forward.feedforward;

import org.jspecify.annotations.NullMarked;

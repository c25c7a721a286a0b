/// The tower that turns images into tokens.
@NullMarked
package io.throughputoptimizer.core.forward.vision;

import org.jspecify.annotations.NullMarked;

/// A decoder put together: its frame, its layers out of blocks, and the draft layers after it.
@NullMarked
package io.throughputoptimizer.core.forward.decoder;

import org.jspecify.annotations.NullMarked;

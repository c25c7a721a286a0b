/// Storage formats of checkpoints, from the `quantization_config` of a configuration: the named modules, their
/// parts and formats.
@NullMarked
package io.throughputoptimizer.core.model.stored;

import org.jspecify.annotations.NullMarked;

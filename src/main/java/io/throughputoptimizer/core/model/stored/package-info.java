/// How checkpoints store the layers of a model, by the `quantization_config` of a configuration: which modules
/// it names, which parts they are, and what each is stored as.
@NullMarked
package io.throughputoptimizer.core.model.stored;

import org.jspecify.annotations.NullMarked;

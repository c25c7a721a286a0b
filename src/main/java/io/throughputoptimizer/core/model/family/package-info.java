/// Families of models: what architecture a configuration of each `model_type` stands for.
@NullMarked
package io.throughputoptimizer.core.model.family;

import org.jspecify.annotations.NullMarked;

/// Readers of model configurations: access by key, and keys common to families.
@NullMarked
package io.throughputoptimizer.core.model.config;

import org.jspecify.annotations.NullMarked;

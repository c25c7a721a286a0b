/// How configurations of models are read: a key at a time, and what families read alike.
@NullMarked
package io.throughputoptimizer.core.model.config;

import org.jspecify.annotations.NullMarked;

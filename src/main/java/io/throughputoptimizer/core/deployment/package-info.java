/// How a model is laid out over devices: parallel sizes, quantization, draft tokens.
@NullMarked
package io.throughputoptimizer.core.deployment;

import org.jspecify.annotations.NullMarked;

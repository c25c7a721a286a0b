/// Layouts of models over devices: parallel sizes, quantization, draft tokens.
@NullMarked
package io.throughputoptimizer.core.deployment;

import org.jspecify.annotations.NullMarked;

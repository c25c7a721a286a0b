/// Accelerators: data types, peak rates, memory and the links between devices.
@NullMarked
package io.throughputoptimizer.core.hardware;

import org.jspecify.annotations.NullMarked;

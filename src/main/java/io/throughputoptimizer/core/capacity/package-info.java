/// Capacity planning: the fewest devices for a demand, and their instances.
@NullMarked
package io.throughputoptimizer.core.capacity;

import org.jspecify.annotations.NullMarked;

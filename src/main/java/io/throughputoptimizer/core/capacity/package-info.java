/// How many devices a demand takes, in which instances.
@NullMarked
package io.throughputoptimizer.core.capacity;

import org.jspecify.annotations.NullMarked;
